"""People in a scene: consent before it, withdrawal and questions during it, debriefing after it. Knows no front end."""
