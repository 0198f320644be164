"""A persona for tests of the service: Greta, of a whole profile."""

from __future__ import annotations

from typing import Any

from elenchus.service.lab.mind_options import mind_id
from tests.debate_engine.protocols.cognition.minds import OPINIONS
from tests.debate_engine.protocols.cognition.profiles import GRETA_AS_JSON
from tests.service.web.conftest import Served

GRETA = mind_id("greta")


async def made(served: Served, **more: Any) -> dict[str, Any]:
    """Greta, made; her document."""
    options = {
        "name": "greta", "person": "invented", "profile": GRETA_AS_JSON, "opinions": list(OPINIONS),
        "model": "scripted:demo", **more,
    }  # fmt: skip
    return dict(await served.moderator.post("/minds", {"options": options}))
