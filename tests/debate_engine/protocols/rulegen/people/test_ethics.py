"""What people are told before and after: modes, terms of a study, deception, age, and a page for those who say no."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from elenchus.debate_engine.events import Said, StepDone, TurnOpened
from elenchus.debate_engine.log import transcript
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig, Terms
from elenchus.debate_engine.protocols.rulegen.people.consent import CONSENT_VERSION, Consent
from elenchus.debate_engine.protocols.rulegen.people.pages import as_long_as, part_of
from elenchus.debate_engine.protocols.rulegen.played import Played
from elenchus.debate_engine.protocols.rulegen.projection import SceneProjection
from elenchus.debate_engine.scenes.language import phrase
from elenchus.debate_engine.scenes.plan import Plan
from elenchus.debate_engine.scenes.scene import Role, Scene
from tests.debate_engine.protocols.rulegen.stage import BEN, CLEO, Stage
from tests.debate_engine.protocols.rulegen.test_fixed_lines import priced, states

TERMS = Terms(
    contact="grace@example.org",
    responsible="Grace Hopper, Institute of Judgement",
    purpose="We want to learn how people arrive at a price.",
    retention_days=30,
)
YES, NO = {"agreed": "yes"}, {"agreed": "no"}


def planned(scene: Scene, **plan: Any) -> Scene:
    return scene.model_copy(update={"plan": Plan(**plan)})


def test_before_a_version_is_drawn_all_that_may_come_is_asked_for_beforehand() -> None:
    plain, false = planned(priced(), age=16), planned(priced(), deception="active")
    cfg = SceneConfig(scene=plain, versions={"plain": plain, "false": false})
    assert (cfg.misled, cfg.deceived, cfg.age) == (True, True, 18)
    drawn = cfg.in_version("plain")
    assert (drawn.misled, drawn.deceived, drawn.age) == (False, False, 16)


class Asked(Stage):
    """A stage whose person answers consents, too: `says` by the last part of the step."""

    def __init__(self, scene: Scene, says: dict[str, Any] | None = None, **settings: Any) -> None:
        self.asked: dict[str, str] = {}
        self.says = {"age": YES, "Ada": YES, "keep": YES, "stated": states(30), **(says or {})}
        super().__init__(scene, people={"Ada": self._person}, judges=(), **settings)

    def _person(self, ask: Ask) -> Any:
        return self.says[ask.step.rpartition("/")[2]]

    async def _people(self) -> None:
        from elenchus.debate_engine.events import TurnAnswered

        async for r in self.log.follow("s"):
            if isinstance(r.event, TurnOpened):
                ask = Ask.model_validate(r.event.asked)
                self.asked[ask.step] = ask.text
                answer = self._person(ask)
                declined = "no answer before the deadline" if answer is None else None
                sent = TurnAnswered(step=ask.step, seat=ask.seat, by="bo", answer=answer, declined=declined)
                await self.log.send("s", sent)

    async def debriefing(self) -> str:
        return next(said.text for said in transcript(await self.log.read("s")) if said.about == "debrief")


async def test_a_demonstration_says_in_the_consent_that_nothing_stays_but_counts_and_gives_a_way_back() -> None:
    stage = Asked(priced(), mode="demonstration")
    await stage.played()
    consent, debrief = stage.asked["consent/Ada"], await stage.debriefing()
    for part in ("demonstration", "a day after", "What stays are counts", "not who", "1 day,", "cannot be called back"):
        assert part in consent, part
    for part in ("take back what you said, for 1 day", "without an account", "cannot be called back"):
        assert part in debrief, part
    assert "misled" not in consent


async def test_a_study_says_its_own_terms_and_their_version_is_recorded_with_the_consent() -> None:
    stage = Asked(priced(), mode="study", terms=TERMS)
    await stage.played()
    text = stage.asked["consent/Ada"]
    told = (TERMS.contact, TERMS.responsible, TERMS.purpose, TERMS.voluntary, TERMS.compensation, TERMS.board)
    for part in (*told, "30 days after", "14 days", "at least 18", TERMS.version):
        assert part in text, part
    steps = {r.event.step: r.event.result for r in await stage.log.read("s") if isinstance(r.event, StepDone)}
    consent = Consent.model_validate(steps["consent/Ada/given"])
    assert (consent.version, consent.terms) == (CONSENT_VERSION, TERMS.version)
    assert TERMS.model_copy(update={"retention_days": 31}).version != TERMS.version
    assert "14 days" in await stage.debriefing()


async def test_a_study_in_german_says_in_german_what_it_leaves_to_us_and_else_its_own_words() -> None:
    stage = Asked(priced().model_copy(update={"language": "de"}), mode="study", terms=TERMS)
    await stage.played()
    text = stage.asked["consent/Ada"]
    for name in ("voluntary", "compensation", "board"):
        assert phrase("de", name) in text
        assert phrase("en", name) not in text
    assert TERMS.purpose in text


@pytest.mark.parametrize("missing", ["contact", "responsible", "purpose", "retention_days"])
def test_terms_without_what_everybody_must_know_are_refused(missing: str) -> None:
    given = TERMS.model_dump()
    given.pop(missing)
    with pytest.raises(ValidationError, match=missing):
        Terms.model_validate(given)


@pytest.mark.parametrize("kind", ["omission", "active"])
async def test_who_may_be_misled_is_told_so_beforehand_and_why_afterwards_and_asked_once_more(kind: str) -> None:
    stage = Asked(planned(priced(), deception=kind), mode="demonstration")
    played = await stage.played()
    assert "people may be misled" in stage.asked["consent/Ada"]
    assert ("may not be so" in stage.asked["consent/Ada"]) == (kind == "active")
    assert "nobody could have seen how people decide without it" in await stage.debriefing()
    assert list(stage.asked)[-1] == "consent/Ada/keep"
    assert (played.ended, played.outcomes[0].value) == ("", True)
    steps = [r.event for r in await stage.log.read("s") if isinstance(r.event, StepDone)]
    assert next(one.result for one in steps if one.step == "consent/Ada/keep") == {"value": YES}


@pytest.mark.parametrize("answer", [NO, None])
async def test_without_a_yes_after_deception_the_run_is_no_data(answer: Any) -> None:
    stage = Asked(planned(priced(), deception="omission"), {"keep": answer}, mode="demonstration")
    played = await stage.played()
    assert played == Played(turns=(), record=(), evaluation=None, ended="not kept", ended_by="Ada")
    told = [said.about for said in transcript(await stage.log.read("s")) if said.to == ("Ada",)][-2:]
    assert told == ["debrief", "ending"], "the debriefing came once"


@pytest.mark.parametrize(("kind", "last"), [
    ("omission", ("turn_opened", "consent/Ada/keep")), ("none", ("said", "debrief/Ada")),
])  # fmt: skip
async def test_it_is_over_for_who_was_misled_once_they_are_asked_whether_it_may_be_kept(
    kind: str, last: tuple[str, str]
) -> None:
    stage = Asked(planned(priced(), deception=kind), mode="demonstration")
    await stage.played()
    scene = SceneProjection()
    for r in await stage.log.read("s"):
        scene.apply(r)
        if scene.is_over_for("Ada"):
            break
    assert "Ada" in scene.debriefings
    assert isinstance(r.event, TurnOpened | Said)
    assert (r.event.kind, r.event.step) == last


async def test_where_nobody_is_misled_nobody_is_asked_once_more() -> None:
    stage = Asked(planned(priced(), deception="none"), mode="demonstration")
    await stage.played()
    assert "consent/Ada/keep" not in stage.asked


@pytest.mark.parametrize(
    ("plan", "settings", "age"),
    [
        ({"age": 14}, {}, 14),
        ({"deception": "active"}, {}, 18),
        ({"deception": "omission", "age": 14}, {}, 18),
        ({"deception": "active", "age": 21}, {}, 21),
        ({"deception": "active"}, {"ethics_approval": "EC 2026-7"}, None),
        ({"deception": "omission", "age": 14}, {"ethics_approval": "EC 2026-7"}, 14),
        ({"deception": "none", "age": 14}, {}, 14),
        ({}, {"mode": "study", "terms": TERMS}, 18),
        ({}, {}, None),
    ],
)
async def test_the_age_is_asked_where_the_file_the_study_or_deception_sets_one(
    plan: dict[str, Any], settings: dict[str, Any], age: int | None
) -> None:
    stage = Asked(planned(priced(), **plan), **settings)
    await stage.played()
    assert ("consent/Ada/age" in stage.asked) == (age is not None)
    if age is not None:
        assert f"at least {age} years" in stage.asked["consent/Ada/age"]
    if "ethics_approval" in settings:
        assert "EC 2026-7" in stage.asked["consent/Ada"]


async def test_who_is_too_young_is_thanked_and_nothing_but_that_is_kept() -> None:
    stage = Asked(planned(priced(), age=14), {"age": NO})
    played = await stage.played()
    assert (played.ended, played.ended_by) == ("screened", "Ada")
    assert list(stage.asked) == ["consent/Ada/age"], "nothing else was asked"
    assert len(transcript(await stage.log.read("s"))) == 1


ROLES: list[Callable[[], str]] = [lambda: "Say.", lambda: "You live on the ground floor. " * 9, lambda: "a b c " * 90]


@pytest.mark.parametrize("background", ROLES)
async def test_who_says_no_reads_a_page_as_long_as_who_says_yes(background: Callable[[], str]) -> None:
    ada = Role(name="Ada", kind="subject", background=background(), task="Say which tea you would take.")
    scene = priced().model_copy(update={"roles": (ada, BEN, CLEO)})
    stage = Asked(scene, {"Ada": NO})
    played = await stage.played()
    assert played.ended == "no consent"
    (said,) = transcript(await stage.log.read("s"))
    wanted = len(part_of("Ada", ada.background, ada.task).split())
    assert abs(len(said.text.split()) - wanted) <= wanted / 10, said.text
    assert "perfectly fine" in said.text


@pytest.mark.parametrize("length", range(24, 400, 7))
def test_a_page_of_any_length_has_its_match(length: int) -> None:
    page = as_long_as("word " * length, "That is perfectly fine: nothing was played. Thank you for your time.")
    assert abs(len(page.split()) - length) <= length / 10
    assert page.endswith(".")
