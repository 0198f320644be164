"""What is held on a person, and forgetting it. Names are in bodies alone: addresses are logged by proxies."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.service.lab.personal_data import forgotten
from elenchus.service.web.routes import Call, RouteTable
from elenchus.service.web.server import service_of

routes = RouteTable("personal data")

Name = Annotated[str, Field(max_length=200)]


class Person(FrozenModel):
    """Somebody, as they are called in logs: `anna`, or `discord:7` for a member of Discord."""

    person: Name


class Forgetting(Person):
    """Who is to be forgotten: in all sessions, or in the one, where a seat may be named, too. `by` is noted there."""

    session: Name = ""
    by: Name = ""


class HeldData(FrozenModel):
    """Everything that is held on somebody; empty where it is nothing."""

    called_in_scenes: list[str]
    sessions: list[dict[str, Any]]
    consents: list[dict[str, Any]]
    drafts: list[dict[str, Any]]


class Forgotten(FrozenModel):
    """How many texts were replaced."""

    texts: int


@routes.add("POST", "/people/held", "house", "What is held on somebody", body=Person, gives=HeldData, refuses=(422,))
async def show_held(call: Call) -> HeldData:
    """In all sessions, under made-up names in scenes too, and beside them."""
    found = await service_of(call.request).app.people.document(call.body.person)
    return HeldData(
        called_in_scenes=found["called in scenes"], sessions=[{**one} for one in found["sessions"]],
        consents=[dict(one) for one in found["consents"]], drafts=[dict(one) for one in found["drafts"]],
    )  # fmt: skip


@routes.add(
    "POST", "/people/forget", "house", "Forget somebody for good", body=Forgetting, gives=Forgotten, refuses=(422,)
)
async def forget_person(call: Call) -> Forgotten:
    """Their words, votes and name are replaced wherever they stand, and what else is kept on them is removed."""
    given = call.body
    people = service_of(call.request).app.people
    return Forgotten(texts=await forgotten(people, given.person, given.session, given.by))
