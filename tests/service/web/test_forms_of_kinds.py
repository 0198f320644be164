"""The forms by which each kind of session is begun: what is typed becomes its options, what it takes is told before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from elenchus.debate_engine.events import Seat
from elenchus.service.lab.options import DebateOptions
from elenchus.service.lab.scene_catalogue import _rows_of_library, _versions_of_library
from elenchus.service.lab.seats import debate_seats
from elenchus.service.web.pages.kind_forms import CRIT, DETECT, KINDS, SWEEP
from tests.service.web.conftest import Served
from tests.service.web.visitors import Shown, Visitor, moderators_link, seat_code, visiting

TEXT = "Homework should end. It costs sleep, and who sleeps little learns little."
MOTION = "Homework should end"
TYPED: dict[str, dict[str, str]] = {
    "debate": {"motion": MOTION, "topics": "2", "max_rounds": "1"},
    "class-debate": {"motion": MOTION, "topics": "2", "max_rounds": "1", "people": "4"},
    "crit": {"document": TEXT, "title": "On homework"},
    "detect": {
        "text": TEXT,
        "title": "On homework",
        "method": "zero-shot",
        "labels": "framing effect, anchoring effect",
    },
    "sweep": {"motion": MOTION, "heats": "0.9 0.1", "topics": "1", "samples": "1"},
}


def seats_of(kind: str) -> dict[str, str]:
    """A script on every seat that this way of doing it has."""
    left = {"judge-2", "judge-3"} | ({"detector", "referee"} if kind == "detect" else set())
    return {seat: "scripted:demo" for seat in KINDS[kind].seats if seat not in left}


async def sent(visitor: Visitor, kind: str, **typed: str) -> Shown:
    """The form, filled in and sent."""
    form = await visitor.get(f"/new/{kind}")
    hidden = {name: form.hidden(name) for name in ("csrf", "session")}
    return await visitor.post(f"/new/{kind}", **hidden | TYPED[kind] | seats_of(kind) | typed)


async def test_the_first_page_leads_to_a_form_for_each_kind(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as moderator:
        home = await moderator.get("/")
        for kind in (*KINDS, "scene", "class"):
            assert f'href="/new/{kind}"' in home.html
            assert (await moderator.get(f"/new/{kind}")).status == 200


@pytest.mark.parametrize("kind", KINDS)
async def test_what_it_takes_is_told_before_and_nothing_is_made(served: Served, kind: str) -> None:
    async with visiting(served, await moderators_link(served)) as moderator:
        told = await sent(moderator, kind, action="estimate")
        assert re.search(r"Calls of models [1-9]", told.text), told.text
        for typed in TYPED[kind].values():
            assert typed in told.html
    assert (await served.moderator.get("/sessions"))["sessions"] == []


@pytest.mark.parametrize("kind", ["crit", "detect", "sweep"])
async def test_a_session_of_each_kind_is_begun_once_and_shown(served: Served, kind: str) -> None:
    async with visiting(served, await moderators_link(served)) as moderator:
        form = await moderator.get(f"/new/{kind}")
        hidden = {name: form.hidden(name) for name in ("csrf", "session")}
        fields = hidden | TYPED[kind] | seats_of(kind) | {"action": "start"}
        first, again = [await moderator.post(f"/new/{kind}", **fields) for _ in range(2)]
        assert first.path == again.path == f"/sessions/{hidden['session']}"
        assert first.status == 200
    (row,) = (await served.moderator.get("/sessions"))["sessions"]
    assert (row["protocol"], row["id"]) == (kind, hidden["session"])


@pytest.mark.parametrize(
    ("kind", "seat", "called"),
    [("debate", "pro", "Pro"), ("debate", "judge-1", "Judge 1"), ("sweep", "crit", "Who reads the speeches"),
     ("class-debate", "con", "Speaks against the motion"), ("scene", "confederate", "Confederate"),
     ("class", "others", "All others"), ("mind", "model", "Model")],
)  # fmt: skip
async def test_who_chooses_another_and_names_none_is_asked_for_one(
    served: Served, kind: str, seat: str, called: str
) -> None:
    typed = TYPED.get(kind, {"scene": "anchoring", "people": "4", "name": "greta", "person": "A vet"})
    async with visiting(served, await moderators_link(served)) as moderator:
        csrf = (await moderator.get(f"/new/{kind}")).hidden("csrf")
        chosen = {seat: "other", f"{seat}-other": " "}
        told = await moderator.post(f"/new/{kind}", **typed | chosen | {"csrf": csrf, "action": "start"})
        assert told.status == 422
        assert f"“{called}” is still empty." in told.text
    assert (await served.moderator.get("/sessions"))["sessions"] == []


async def test_a_person_who_scores_a_text_gets_a_link_to_their_seat(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as moderator:
        begun = await sent(moderator, "crit", model="human", action="start")
        assert 'data-invite="seat"' in begun.html
    async with visiting(served, await seat_code(served, begun.path.rpartition("/")[2], "crit")) as person:
        assert (await person.get("/")).path.endswith("/seats/crit")


@pytest.mark.parametrize(
    ("kind", "wrong", "told"),
    [
        ("crit", {"document": "  "}, "is empty: give a text"),
        ("crit", {"max_reasons": "0"}, "“Reasons at the most”"),
        ("detect", {"text": " "}, "The text is empty"),
        ("detect", {"labels": "no such thing"}, "no such thing"),
        ("detect", {"labels": "", "bias": "anchoring effect"}, "“One bias alone”"),
        ("detect", {"repeats": "3"}, "“How often one bias is asked for”"),
        ("detect", {"method": "by magic"}, "by magic"),
        ("sweep", {"heats": "warm"}, "“Heats” must be a number"),
        ("sweep", {"heats": "7"}, "“Heats”"),
        ("sweep", {"motion": ""}, "The motion is empty"),
        ("class-debate", {"people": "1"}, "“People expected”"),
        ("class-debate", {"argument_seconds": "soon"}, "“Seconds for arguments before each speech” must be a number"),
    ],
)
async def test_what_cannot_be_begun_is_told_by_the_forms_own_words(
    served: Served, kind: str, wrong: dict[str, str], told: str
) -> None:
    async with visiting(served, await moderators_link(served)) as moderator:
        refused = await sent(moderator, kind, **wrong, action="start")
        assert (refused.status, told in refused.text) == (422, True), refused.text
    assert (await served.moderator.get("/sessions"))["sessions"] == []


@pytest.mark.parametrize("kind", KINDS)
async def test_who_moderates_nothing_begins_nothing(served: Served, kind: str) -> None:
    session = await served.debate(con="human")
    async with visiting(served, await seat_code(served, session, "con")) as person:
        assert (await person.get(f"/new/{kind}")).status == 403
        assert (await person.post(f"/new/{kind}", csrf="")).status == 403


def test_what_is_typed_becomes_options_and_what_is_left_empty_is_left_out() -> None:
    common: dict[str, Any] = {"unpriced_ok": False}
    assert CRIT.options_in({"document": TEXT, "title": "On it"}) == common | {"document": TEXT, "title": "On it"}
    assert (
        CRIT.options_in({"document": f"{TEXT} {TEXT}"})["title"]
        == "Homework should end. It costs sleep, and who sleeps little…"
    )
    assert SWEEP.options_in({"motion": MOTION, "heats": "0.9; 0.5 0"})["heats"] == [0.9, 0.5, 0]
    found = DETECT.options_in({"text": TEXT, "labels": "halo effect, , framing effect", "method": "tree"})
    assert ([turn.text for turn in found["turns"]], found["labels"]) == ([TEXT], ["halo effect", "framing effect"])
    debate = KINDS["debate"].options_in({"motion": "", "judge-1": "a:b", "judge-3": "other", "judge-3-other": "c:d"})
    assert {name: value for name, value in debate.items() if value} == {"judges": ["a:b", "c:d"]}


async def test_scenes_that_come_along_are_read_once_and_ones_own_whenever_they_are_asked_for(
    served: Served,
) -> None:
    own = served.app.settings.own_scenes
    async with visiting(served, await moderators_link(served)) as moderator:
        for _ in range(2):
            assert "The jar at the fair" in (await moderator.get("/new/class")).text
        read = _rows_of_library.cache_info().misses, _versions_of_library.cache_info().misses
        own.mkdir(parents=True)
        (own / "broken.md").write_text("# Nothing of a scene\n", encoding="utf-8")
        assert "cannot be read" in (await moderator.get("/new/scene")).text
        assert "The jar at the fair" in (await moderator.get("/new/class")).text
        assert (_rows_of_library.cache_info().misses, _versions_of_library.cache_info().misses) == read == (1, 1)


@pytest.mark.parametrize(
    ("typed", "judges"),
    [
        ({}, ["default"]),
        ({"judge-2": "scripted:demo"}, ["default", "scripted:demo"]),
        ({"judge-1": "scripted:demo"}, ["scripted:demo"]),
    ],
)
def test_so_many_judge_as_were_chosen_and_the_first_is_a_default(typed: dict[str, str], judges: list[str]) -> None:
    given = KINDS["debate"].options_in({"motion": "Homework should end", "sent": "yes", **typed})
    options = DebateOptions(**given)
    assert list(options.judges or ()) == judges
    seats = debate_seats(options, Named())
    assert [seat.spec for seat in seats if seat.name.startswith("judge")] == [
        one if one != "default" else "scripted:first" for one in judges
    ]


class Named:
    """Default models."""

    def debater(self, *_seats: str) -> str:
        return "scripted:first"

    def judges(self) -> list[str]:
        return ["scripted:first"] * 3

    def judge(self, _seat: str) -> str:
        return "scripted:first"

    def by_option(self, _seat: str) -> str:
        return ""

    def as_one_of(self, _seat: str, _others: Sequence[Seat]) -> str:
        return "scripted:first"
