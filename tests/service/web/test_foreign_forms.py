"""A protocol of an installed package has a form on the pages, made of its settings and seats, and is begun by it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from elenchus.debate_engine.protocols.registry import register
from elenchus.debate_engine.protocols.spec import ProtocolSpec
from elenchus.service.web.pages.foreign_forms import ForeignForm, foreign_names
from tests.foreign import turn_taking
from tests.service.web.conftest import Served, served_from
from tests.service.web.visitors import Shown, moderators_link, seat_code, visiting

FORM = "/new/protocol/turn-taking"
MODELS = {f"seat-{name}": "scripted:demo" for name in turn_taking.SPEC.seats}
MOTION = {"set-motion": "Tea is better than coffee"}


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    register(turn_taking.SPEC)
    async with served_from(tmp_path) as made:
        yield made


async def sent(served: Served, **typed: str) -> tuple[Shown, Shown]:
    """The form, and what comes of it."""
    async with visiting(served, await moderators_link(served)) as moderator:
        form = await moderator.get(FORM)
        return form, await moderator.post(
            FORM, csrf=form.hidden("csrf"), session=form.hidden("session"), **{"action": "start"} | typed
        )


async def test_its_form_asks_for_its_settings_and_seats_and_begins_it(served: Served) -> None:
    assert "turn-taking" in foreign_names()
    form, begun = await sent(served, **MOTION, **MODELS, title="Tea")
    for name in ("set-motion", "title", *MODELS, "budget_usd"):
        assert f'name="{name}"' in form.html, name
    assert '<label for="set-motion">Motion</label>' in form.html
    assert '<label for="seat-judge">judge</label>' in form.html
    session = begun.path.removeprefix("/sessions/")
    async with asyncio.timeout(20):
        while (found := await served.moderator.get(f"/sessions/{session}"))["state"] == "running":  # noqa: ASYNC110 - over HTTP
            await asyncio.sleep(0.05)
    assert (found["state"], found["title"], found["protocol"]) == ("finished", "Tea", "turn-taking")
    async with visiting(served, await moderators_link(served)) as moderator:
        assert 'href="/new/protocol/turn-taking"' in (await moderator.get("/")).html
        assert re.search(r"better: (first|second)", (await moderator.get(f"/sessions/{session}")).text)


async def test_a_person_takes_one_of_its_seats_from_the_form(served: Served) -> None:
    _, begun = await sent(served, **MOTION, **MODELS | {"seat-second": "human"})
    session = begun.path.removeprefix("/sessions/")
    async with visiting(served, await seat_code(served, session, "second")) as person:
        page = await person.get(f"/sessions/{session}/seats/second")
        assert "Take your seat" in page.text


async def test_what_it_takes_is_told_before_and_what_is_wrong_by_its_own_name(served: Served) -> None:
    _, told = await sent(served, **MOTION, **MODELS, action="estimate")
    assert "Calls of models 5" in told.text
    _, refused = await sent(served, **MODELS)
    assert refused.status == 422
    assert "motion" in refused.text
    assert (await served.moderator.get("/sessions"))["sessions"] == []


async def test_a_protocol_that_is_not_here_or_is_ours_has_no_such_form(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as moderator:
        for name in ("nonesuch", "socrasynth", "..%2f..%2fetc"):
            assert (await moderator.get(f"/new/protocol/{name}")).status == 404
    async with visiting(served) as nobody:
        assert (await nobody.get(FORM)).status == 401


class Many(BaseModel):
    """Settings of every kind."""

    rounds: int = Field(3, description="how many rounds")
    loud: bool = False
    names: list[str] = ["a", "b"]
    how: str | None = None


def test_settings_of_every_kind_are_typed_and_given() -> None:
    register(spec := ProtocolSpec(name="many-kinds", run=turn_taking.take_turns, seats=("one",), config=Many))
    form = ForeignForm(spec)
    fields = {name: form._field(name, schema, {}) for name, schema in form._schemas().items()}
    assert {name: (one.field.kind, one.value) for name, one in fields.items()} == {
        "rounds": ("number", "3"), "loud": ("yes-no", ""), "names": ("text", '["a", "b"]'), "how": ("text", ""),
    }  # fmt: skip
    assert fields["rounds"].help == "how many rounds"
    typed = {"set-rounds": "5", "set-loud": "yes", "set-names": '["x"]', "seat-one": "scripted:demo"}
    given = form.options_in(typed)
    assert spec.settings(given["config"]) == {"rounds": 5, "loud": True, "names": ["x"], "how": None}
    assert given["seats"] == {"one": "scripted:demo"}
