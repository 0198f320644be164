"""`/scene`: scenes in private threads. A seat's thread shows what that seat hears, a control room shows all.

One session is one subject's scene. A *play* is a group of them: the same scene and twin, one control room.
"""
