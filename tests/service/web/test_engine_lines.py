"""What the engine says in a session is told on a German page in German: all that a person is asked, and how it ends."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest

from elenchus.config.defaults import EMBEDDED
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.prompts import Prompt, prompts_of
from elenchus.debate_engine.protocols.judging.rubric import PREFERENCE, RULING, Criterion, Rubric
from elenchus.debate_engine.protocols.judging.strength import STRENGTHS
from elenchus.debate_engine.protocols.socrasynth import ending, open_question
from elenchus.debate_engine.protocols.socrasynth.heat import BANDS, OF_ANSWERS, OWN_SIDE, describe
from elenchus.debate_engine.protocols.socrasynth.turns import CLAIM_STANCES, DEEPEN, OF_HALF, STANCES
from elenchus.service.lab.new_sessions import warnings
from elenchus.service.web.engine_lines import FORMS, lines_in_words
from elenchus.service.web.strings import Words
from tests.service.web.conftest import Served
from tests.service.web.test_german_class import ENGLISH, german
from tests.service.web.test_strings import WEB
from tests.service.web.visitors import moderators_link, seat_code, visiting

DE = Words("de")
STANCE = (*STANCES.values(), *CLAIM_STANCES.values(), open_question.DEFENDS, open_question.HAS_NONE,
          open_question.CONCEDED, open_question.HAS_WON, open_question.AGREES)  # fmt: skip


def asked() -> Iterator[tuple[str, str]]:
    """What a person on a seat of a debate is asked, as prompts say it."""
    for package, rubrics in (("socrasynth", (RULING,)), ("judging", (RULING, PREFERENCE))):
        folder = prompts_of(f"elenchus.debate_engine.protocols.{package}")
        for name in folder.names():
            prompt: Prompt = getattr(folder, name)
            if not any(kind == "person" for kind, *_ in prompt.sections):
                continue
            rubric = rubrics[-1] if name == "preference" else RULING
            for question, stance in zip((False, True), STANCE, strict=False):
                known = {"motion": "Handys raus", "question": question, "stance": stance, "words_per_topic": 120,
                         "count": 3, "heat": describe(0.9, OWN_SIDE), "rubric": rubric, "language": ""}  # fmt: skip
                variables = {one: known.get(one, "") for one in prompt.variables}
                yield f"{package}/{name}", prompt.render(**variables).person


ASKED = list(asked())


@pytest.mark.parametrize(("name", "text"), ASKED, ids=[name for name, _ in ASKED])
def test_what_a_debater_or_judge_is_asked_is_told_in_german(name: str, text: str) -> None:
    told = lines_in_words(text, DE)
    assert not ENGLISH.search(told), told
    assert told.count("\n") == text.count("\n")
    assert lines_in_words(text, Words("en")) == text


@pytest.mark.parametrize(("name", "rubric"), [("ruling", RULING), ("preference", PREFERENCE)])
def test_a_criterion_that_is_added_to_a_rubric_is_asked_for_on_a_german_page_too(name: str, rubric: Rubric) -> None:
    added = Criterion("fairness", "is it fair?", "how fair it is", "whether it is fair")
    prompt: Prompt = getattr(prompts_of("elenchus.debate_engine.protocols.judging"), name)
    given = dict.fromkeys(prompt.variables, "") | {"rubric": rubric._replace(criteria=(*rubric.criteria, added))}
    asked = lines_in_words(prompt.render(**given).person, DE)
    assert "; fairness, whether it is fair. Dann, " in asked
    assert not ENGLISH.search(asked.replace("fairness, whether it is fair", ""))


@pytest.mark.parametrize("stance", STANCE)
def test_every_stance_is_told_in_german(stance: str) -> None:
    assert not ENGLISH.search(lines_in_words(stance, DE))


@pytest.mark.parametrize("heat", [0.9, 0.7, 0.5, 0.3, 0.0])
@pytest.mark.parametrize("bands", [OWN_SIDE, OF_ANSWERS])
def test_a_heat_and_its_tone_are_told_in_german(heat: float, bands: tuple[object, ...]) -> None:
    told = lines_in_words("\n".join(describe(heat, bands).splitlines()[:2]), DE)  # type: ignore[arg-type]
    assert not ENGLISH.search(told), told
    assert f"Die Hitze ist {heat:.2f}".replace(".", ",") in told
    assert BANDS


SAID = [
    *(f"{who} {how}" for who in ("The side for the motion", "The answer of con") for how in STRENGTHS.values()),
    "gamma 3.7 (−0.4), standing 6.1, 9 reasons, 2 unreadable; gamma by topic 1: –, 2: 6.6, none: 2.7",
    "gamma 3.7, standing 6.1, 9 reasons", "gamma 6.2, standing 3.8",
    "gamma 6.2, standing – (1–10; a standing of 5.5 is even)",
    f"2 rounds: {ending.NOTHING_MORE}", f"the rounds are over: {ending.FELL} twice running",
    "1 round: the limit of 1 round was reached", "3 rounds: contentiousness reached the floor of 0.1",
    "by majority pro, by points a tie (7.5–7.5)", "swapping the roles moved the margin by 0.3 points on average",
    "2 of 4 read", "3 of 12 rulings", "2 reasons could not be scored; they count for nothing",
    (
        "They began at a heat of 0.90, where 0 is full agreement and 1 is devil's advocate, and closed at 0.62 after "
        f"2 rounds of refutation; the rounds ended because {ending.FELL}."
    ),
    "At the end both sides signed a joint proposal on 1 of 2 topics.", OF_HALF, DEEPEN,
    "At the end both sides signed a joint proposal on no topic.",
    "The debaters named 3 sources; nobody has checked them.",
    "Rosa (a person)", "“con” (the weak embedded model smollm2-135m)", "– (signed by pro and con)",
    (
        "They began at a heat of 0.90, where 0 is full agreement and 1 is devil's advocate; 1 round of refutation so "
        "far, now at 0.75."
    ),
    "A model scored the quality of all arguments so far from 1 to 10 (CRIT): 6.4 after round 1.",
    (
        "A model scored the quality of all arguments so far from 1 to 10 (CRIT): 6.4 after round 1, 7.0 after the "
        "closings. With the reasons against counted as well, the claim stands at 6.7 of 10 (for the motion)."
    ),
    (
        "3 judges read every topic twice, once with each side claiming: 1 saw the side for the motion ahead, 1 saw "
        "the side against ahead and 1 saw a tie. The judges' verdict: a tie (7.5 points for, 7.5 against). 1 judge "
        "could not be read and counts in no sum. Changing who claims turned 1 of 3 named winners."
    ),
    "2 judges read every topic twice, once with each side claiming: both saw a tie. The judges' verdict: a tie.",
    (
        "1 judge read every topic twice, once with each side claiming. The judges' verdict: undecided: too few judges "
        "could be read. 2 judges could not be read and count in no sum."
    ),
    "There is no joint proposal: no draft could be read: –.", "there is no plain answer: –",
    "The debate could not be compared with a plain answer: –.",
    "4 members of the audience voted before the debate, none after it yet.",
    "1 member of the audience voted only once, so the room's vote is undecided.",
    "A model stood in for Rosa in 1 turn and for Noor in 2 turns.",
    "A model drafted 3 forms for people on seats, who sent 2 of them unchanged.",
    (
        "Not everything worked: 1 failed call, 2 questions without a usable answer, 1 reason without a readable score "
        "and 3 prompts shortened to fit the model."
    ),
    "ask next: –", "test next: –", "reservations: –",
    (
        "14 members of the audience voted before and after: for +3 votes, against −2 votes; the side for the motion "
        "won the room."
    ),
]  # fmt: skip


@pytest.mark.parametrize("line", SAID)
def test_what_is_told_of_scores_and_of_the_end_is_german(line: str) -> None:
    told = lines_in_words(line, DE)
    assert told != line
    assert not ENGLISH.search(told), told


def before() -> Iterator[str]:
    """What a form tells before a session begins: of its models and judges, and which were not named."""
    specs = {"pro": "human:rosa", "con": "openai:gpt-5-mini", "judge-1": "openai:gpt-5-mini", "judge-2": "human:rosa",
             "crit": EMBEDDED, "judge-3": "scripted:demo"}  # fmt: skip
    yield from warnings([Seat(name=name, spec=spec) for name, spec in specs.items()])
    for why in ("no key and no server of your own is set", "OPENAI_API_KEY is set", "as pro", "the only model of here",
                "the first of 2 models of here"):  # fmt: skip
        yield f"pro, con: {EMBEDDED} (default: {why})"


@pytest.mark.parametrize("line", list(before()))
def test_what_is_told_before_a_session_begins_is_german(line: str) -> None:
    told = lines_in_words(line, DE)
    assert told != line
    assert not ENGLISH.search(told), told


def literal(pattern: str) -> str:
    """The longest part of a form that is there as it stands."""
    parts = re.split(r"\(\?[^)]*\)+\??|\\[wSd]\+?|\.[+*]\??|\w\?", pattern)
    return max(parts, key=len).replace("\\", "").replace("x22", '"').strip(" .,;:")


PUT_TOGETHER = {"verdict", "short-heat", "short-unsigned", "after-round", "it-saw", "stands", "unread"}
"""Of parts, each shorter than what we look for: debates tell them below, or they stand in SAID."""


@pytest.mark.parametrize("name", sorted({*FORMS} - PUT_TOGETHER))
def test_a_line_is_said_by_the_engine_as_its_form_has_it(name: str) -> None:
    folders = (WEB.parents[1] / "debate_engine", WEB.parent / "lab", WEB.parents[1] / "config")
    paths = [path for folder in folders for kind in ("py", "md") for path in folder.rglob(f"*.{kind}")]
    said = re.sub(r'"\s*f?"', "", "\n".join(path.read_text(encoding="utf-8") for path in paths))
    assert literal(FORMS[name].pattern) in said, literal(FORMS[name].pattern)


def test_parts_that_are_not_there_leave_no_hole_and_lists_are_told_item_by_item() -> None:
    judged = (
        "3 judges read every topic twice, once with each side claiming: 2 saw the side for the motion ahead and 1 saw "
        "a tie. The judges' verdict: a tie."
    )
    assert lines_in_words(judged, DE) == (
        "Jurys: 3. Jede las jedes Thema zweimal, mit jeder Seite einmal als der, die behauptet. Gesehen wurde: die "
        "Seite für die These vorn (2), unentschieden (1). Das Urteil: unentschieden."
    )
    scored = "A model scored the quality of all arguments so far from 1 to 10 (CRIT): 6.4 after round 1."
    assert lines_in_words(scored, DE).endswith("(CRIT): 6,4 nach Runde 1.")


def test_words_of_others_are_left_as_they_are() -> None:
    reason = "the 3.5 points that you and the others gave"
    told = lines_in_words(f"crit → moderator: pro's weakest reason (validity 1.5, source 2.0): {reason}", DE)
    assert told == f"Schwächster Grund von Pro (Gültigkeit 1,5, Quelle 2,0): {reason}"
    assert lines_in_words("The motion: One for all.", DE) == "Die These: One for all."
    assert lines_in_words("Somebody said this.\nAnd that.", DE) == "Somebody said this.\nAnd that."


async def test_a_person_on_a_seat_is_asked_in_the_language_of_the_page(served: Served) -> None:
    session = await served.debate("Handys gehören aus der Schule", pro="human", topics=2)
    async with visiting(served, await seat_code(served, session, "pro")) as person:
        page = await person.get(f"/sessions/{session}/seats/pro?lang=de")
        await person.post(f"/sessions/{session}/seats/pro/take", csrf=page.hidden("csrf"), name="Rosa", agreed="yes")
        async with visiting(served, await moderators_link(served)) as moderator:
            await moderator.get("/check?lang=de")
            await german(moderator, f"/sessions/{session}")
        told = (await german(person, f"/sessions/{session}/seats/pro")).text
    assert "Sie sind dafür: Sie argumentieren für die These." in told
    assert re.search(r"Nennen Sie Themen für die Debatte, insgesamt \d\.", told)


def met(line: str) -> Iterator[str]:
    """The forms that a line has, and its parts."""
    for name, form in FORMS.items():
        if found := form.fullmatch(line):
            yield name
            for part in filter(None, found.groupdict().values()):
                yield from (one for text in {part, *re.split(", | and ", part)} for one in met(text))
            return


def test_no_form_is_left_that_nothing_meets() -> None:
    lines = [line for _, text in ASKED for line in text.split("\n")] + [*SAID, *STANCE, *before()]
    of_models = {"weakest", "signed", "unsaid", "consulted", "small-judges", "not-counted", "short-who", "short-topics",
                 "short-question", "short-open", "compared", "short-compared", "it-saw", "heat"}  # fmt: skip
    assert {*FORMS} - {name for line in lines for name in met(line)} - of_models == set()


AGENDA = [{"pro_concern": "Ruhe", "con_concern": "Sicherheit", "scope": "Schule"}]


@pytest.mark.parametrize(
    "more", [{"agenda": AGENDA}, {"agenda": AGENDA, "compare_qa": True, "judges": ["scripted:demo"] * 3},
             {"open_question": True}], ids=["motion", "compared", "question"],
)  # fmt: skip
async def test_how_a_debate_went_is_told_in_german_in_short(served: Served, more: dict[str, Any]) -> None:
    session = await served.debate("Was hilft gegen Stau?" if "open_question" in more else "Handys raus", **more)
    async with asyncio.timeout(20):
        while (await served.moderator.get(f"/sessions/{session}"))["state"] == "running":  # noqa: ASYNC110 - over HTTP
            await asyncio.sleep(0.05)
    async with visiting(served, await moderators_link(served)) as moderator:
        page = (await moderator.get(f"/sessions/{session}?lang=de")).html
    short = page.partition(">Kurz gesagt<")[2].partition("</div>")[0]
    told = [re.sub(r", unterschrieben von .*", "", text) for text in re.findall(r"<p[^>]*>([^<]+)</p>", short)]
    assert len(told) >= 4
    assert [sentence for sentence in told if ENGLISH.search(sentence)] == []
