"""A protocol of an installed package has a form on the pages, made of its settings and seats, and is begun by it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from elenchus.debate_engine.errors import UnreadableReply
from elenchus.debate_engine.protocols.registry import register
from elenchus.debate_engine.protocols.spec import ProtocolSpec
from elenchus.service.web.pages.foreign_forms import ForeignForm, foreign_forms
from tests.foreign import turn_taking
from tests.service.web.conftest import Served, served_from
from tests.service.web.visitors import Shown, moderators_link, seat_code, visiting

FORM = "/new/protocol/turn-taking"
MODELS = {f"seat-{name}": "scripted:demo" for name in turn_taking.SPEC.seats}
NO_SEATS = ProtocolSpec(name="seats-unknown", run=turn_taking.take_turns)
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
    assert "turn-taking" in [one.spec.name for one in foreign_forms()]
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
    assert found["votes"] is None, "it has no two sides"
    async with visiting(served, await moderators_link(served)) as moderator:
        assert 'href="/new/protocol/turn-taking"' in (await moderator.get("/")).html
        assert re.search(r"better: (first|second)", (await moderator.get(f"/sessions/{session}")).text)


async def test_its_form_says_what_has_to_be_filled_in_and_what_it_is_called_without_a_title(served: Served) -> None:
    form, _ = await sent(served, **MOTION, action="estimate")
    required = re.findall(r'<(?:input|textarea)[^>]* name="([^"]+)"[^>]* required', form.html)
    assert required == ["set-motion"]  # without it nothing is estimated, and nobody is told of a fault
    assert "Empty: what such a session is called." in form.text


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
        register(NO_SEATS)
        for name in ("nonesuch", "socrasynth", "..%2f..%2fetc", "seats-unknown"):
            assert (await moderator.get(f"/new/protocol/{name}")).status == 404
        assert "seats-unknown" not in (await moderator.get("/")).html
    async with visiting(served) as nobody:
        assert (await nobody.get(FORM)).status == 401


class Many(BaseModel):
    """Settings of every kind."""

    rounds: int = Field(3, description="how many rounds")
    loud: bool = False
    names: list[str] = ["a", "b"]
    how: str | None = None
    pace: float | None = None
    which: Literal["one", "two"] | None = None
    maybe: bool | None = None
    either: int | str = 1


MANY = ProtocolSpec(name="many-kinds", run=turn_taking.take_turns, seats=("one",), config=Many)
NO_MODEL = ProtocolSpec(name="no-model", run=turn_taking.take_turns, seats=("one",))


def test_settings_of_every_kind_are_typed_and_given() -> None:
    register(spec := MANY)
    form = ForeignForm(spec)
    fields = {name: form._field(name, schema, {}) for name, schema in form._schemas().items()}
    assert {name: (one.field.kind, one.value) for name, one in fields.items()} == {
        "rounds": ("number", "3"), "loud": ("yes-no", ""), "names": ("text", '["a", "b"]'), "how": ("text", ""),
        "pace": ("number", ""), "which": ("choice", ""), "maybe": ("text", ""), "either": ("text", "1"),
    }  # fmt: skip
    assert fields["rounds"].help == "how many rounds"
    typed = {"set-rounds": "5", "set-loud": "yes", "set-names": '["x"]', "seat-one": "scripted:demo",
             "set-pace": "2,5", "set-either": "soon"}  # fmt: skip
    given = form.options_in(typed)
    untouched = {"how": None, "which": None, "maybe": None}
    assert spec.settings(given["config"]) == {
        "rounds": 5, "loud": True, "names": ["x"], "pace": 2.5, "either": "soon", **untouched,
    }  # fmt: skip
    assert given["seats"] == {"one": "scripted:demo"}
    with pytest.raises(UnreadableReply, match="set-rounds must be a whole number"):
        form.options_in({"set-rounds": "many"})


async def test_what_may_be_left_out_of_a_choice_can_be(served: Served) -> None:
    register(MANY)
    async with visiting(served, await moderators_link(served)) as moderator:
        page = (await moderator.get("/new/protocol/many-kinds")).html
    choices = page.partition('<select id="set-which"')[2].partition("</select>")[0]
    assert re.findall(r'value="(\w*)"( selected)?', choices) == [("", ""), ("one", ""), ("two", "")]


async def test_settings_without_a_model_are_one_json_object(served: Served) -> None:
    register(NO_MODEL)
    form = ForeignForm(NO_MODEL)
    assert form.options_in({})["config"] == {}
    assert form.options_in({"set-settings": '{"rounds": 3}'})["config"] == {"rounds": 3}
    async with visiting(served, await moderators_link(served)) as moderator:
        page = await moderator.get("/new/protocol/no-model?lang=de")
        for typed in ("[1]", "three"):
            refused = await moderator.post(
                "/new/protocol/no-model", csrf=page.hidden("csrf"), action="estimate", **{"set-settings": typed}
            )
            assert refused.status == 422
            assert "„Settings“: Geben Sie ein JSON-Objekt ein." in refused.text
