"""What whoever asks may do here."""

from __future__ import annotations

from datetime import datetime
from importlib.metadata import version

from elenchus.debate_engine.events import FrozenModel
from elenchus.service.web.routes import Call, RouteTable

routes = RouteTable("access")

SERVICE = "elenchus"


class GrantDocument(FrozenModel):
    """What a link, a code or a token gives: a role, for the whole house or for one session, seat or class of it."""

    role: str
    session: str
    seat: str
    classroom: str
    label: str
    expires: datetime | None


class WhoAmI(FrozenModel):
    """Whoever asks: what they were given, nothing for nobody. `service` is always `elenchus`, of this `version`."""

    service: str
    version: str
    grants: list[GrantDocument]


@routes.add("GET", "/me", "anybody", "What you may do here", gives=WhoAmI)
async def show_me(call: Call) -> WhoAmI:
    """By which a program knows that it has come to the right address, with the right token."""
    grants = [
        GrantDocument(**grant.model_dump(include=set(GrantDocument.model_fields))) for grant in call.asking.grants
    ]
    return WhoAmI(service=SERVICE, version=version("elenchus"), grants=grants)
