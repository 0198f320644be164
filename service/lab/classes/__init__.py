"""A class plays a scene at the same time: a lobby, everybody's own session, the debriefing, and what came out."""
