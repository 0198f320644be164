"""Topics become opinions, checked, and profiles of their supporters; people review them before they are used."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.protocols.cognition.profile import profile_of
from elenchus.debate_engine.protocols.cognition.schemas import Flow
from elenchus.detectors.evaluation.cogbench.generate import fault_of, supporters_of
from elenchus.detectors.evaluation.cogbench.generate_schemas import (
    CHECKER,
    WRITER,
    GenerateConfig,
    GeneratedOpinion,
    GeneratedProfile,
    GeneratedTopic,
    GenerateResult,
)
from elenchus.detectors.evaluation.cogbench.reviewing import (
    GENERATED,
    profiles_of,
    read_generated,
    read_review,
    review_csv,
    tasks_of,
)
from elenchus.detectors.evaluation.cogbench.spec import GENERATE
from elenchus.detectors.evaluation.cogbench.tasks import read_profiles, read_tasks
from tests.debate_engine.protocols.cognition.profiles import GRETA, GRETA_AS_JSON
from tests.detectors.evaluation.cogbench.made_files import written
from tests.detectors.evaluation.stage import GARBLED, Bench, Says, planned

HERE = "detectors/evaluation/cogbench"
GOOD = {
    "why": "It stands.", "relevant": "yes", "assertive": "yes", "sometimes_true": "yes", "sometimes_false": "yes",
    "same_as": 0,
}  # fmt: skip


def opinion(text: str, *supporters: str) -> dict[str, Any]:
    return {"opinion": text, "perspective": "money", "supporters": list(supporters or ("nurse",)), "reasons": ["So."]}


OPINIONS = [
    opinion("Night trains are worth their price.", "a Traveller", "the nurse"),
    opinion("Nobody sleeps well on rails.", "Nurse."),
]
MADE = {
    "real_person": "no", "who": "",
    "profile": {name.lower().replace(" ", "_"): value for name, value in GRETA_AS_JSON.items()},
}  # fmt: skip


def bench(
    opinions: Says = None, check: Says = None, profile: Says = None, *, wanted: int = 2, profiles: int = 1
) -> Bench:
    cfg = GenerateConfig(
        topics=(("Night trains", ""), ("Pets", "Life"))[: 1 if opinions else 2], opinions=wanted, profiles=profiles
    )
    answers: dict[str, Says] = {
        f"{HERE}/opinions": opinions or {"opinions": OPINIONS},
        f"{HERE}/check_opinion": check or GOOD,
        "cognition/create": profile or MADE,
    }
    return Bench(GENERATE.name, cfg, {WRITER: "scripted:w", CHECKER: "scripted:c"}, answers)


async def result(of: Bench) -> GenerateResult:
    return GenerateResult.model_validate(await of.outcome())


async def test_each_topic_has_opinions_with_perspective_supporters_and_reasons() -> None:
    found = await result(bench())
    assert [(topic.topic, topic.category, len(topic.opinions)) for topic in found.topics] == [
        ("Night trains", "", 2),
        ("Pets", "Life", 2),
    ]
    first = found.topics[0].opinions[0]
    assert (first.perspective, first.supporters, first.reasons) == ("money", ("traveller", "nurse"), ("So.",))


async def test_profiles_are_of_those_who_are_named_most_often() -> None:
    run = bench()
    found = await result(run)
    (made,) = found.profiles
    assert (made.supporter, made.times) == ("nurse", 4)
    assert made.profile == GRETA
    assert "nurse" in run.shown("profile/1")


async def test_what_hedges_asks_or_says_the_same_is_refused_without_a_check_and_asked_for_once_more() -> None:
    rounds = iter(
        [
            {"opinions": [opinion("Night trains might be dear."), opinion("Are they safe?")]},
            {"opinions": OPINIONS},
        ]
    )
    run = bench(lambda call: next(rounds))
    (topic,) = (await result(run)).topics
    assert [one.opinion for one in topic.opinions] == [one["opinion"] for one in OPINIONS]
    assert [one.why for one in topic.refused] == ["it hedges (“might”)", "it is a question"]
    assert not [call for call in run.client.asked if call.step.startswith("topic/1/check/1/")]
    assert "Night trains might be dear." in run.shown("write/2"), "what was refused is not to come again"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"relevant": "no"}, "it is not about the topic: It stands."),
        ({"assertive": "no"}, "it is no one clear claim: It stands."),
        ({"sometimes_true": "no"}, "it is true in no context: It stands."),
        ({"sometimes_false": "no"}, "it is true in all contexts: It stands."),
        ({"same_as": 1}, "it says the same as another, or the opposite: It stands."),
    ],
)
async def test_what_the_checker_has_something_against_is_refused_with_its_reason(
    change: dict[str, Any], why: str
) -> None:
    def check(call: Call) -> dict[str, Any]:
        return GOOD | change if "/check/1/2" in call.step else GOOD

    rounds = iter([{"opinions": OPINIONS}, {"opinions": [opinion("Every city needs a night train.")]}])
    (topic,) = (await result(bench(lambda call: next(rounds), check))).topics
    assert [one.why for one in topic.refused] == [why]
    assert [one.opinion for one in topic.opinions][1] == "Every city needs a night train."


async def test_an_opinion_that_the_checker_does_not_answer_for_is_kept_and_marked() -> None:
    (topic, _) = (await result(bench(check=GARBLED))).topics
    assert all(one.unchecked for one in topic.opinions)


async def test_a_writer_that_cannot_be_read_leaves_a_topic_without_opinions() -> None:
    (topic,) = (await result(bench(lambda call: GARBLED))).topics
    assert topic.opinions == ()
    assert len(topic.refused) == 2


async def test_a_living_person_gets_no_profile() -> None:
    (made,) = (await result(bench(profile=MADE | {"real_person": "living", "who": "A. Nurse"}))).profiles
    assert made.profile is None
    assert "a real person who lives (A. Nurse)" in made.why_not


def test_a_plan_holds_every_check_and_every_second_try() -> None:
    plan = planned(GENERATE.name, GenerateConfig(topics=(("Pets", ""),), opinions=3, profiles=2), (WRITER, CHECKER))
    calls = {what.what.rpartition("/")[2]: what.count for what in plan.calls}
    assert calls == {"opinions": 2, "check_opinion": 6, "create": 4}


# ── our own rules ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Dogs are loyal.", ""),
        ("", "empty"),
        ("x" * 201, "more than 200"),
        ("Dogs are probably loyal.", "hedges"),
        ("It SEEMS fine.", "hedges"),
        ("Dogs are loyal?", "question"),
        ("Cats are LOYAL animals!", "the same as"),
        ("Mighty dogs win.", ""),
    ],
)
def test_an_opinion_is_short_assertive_and_new(text: str, fault: str) -> None:
    found = fault_of(text, ["Cats are loyal animals."])
    assert fault in found
    assert bool(found) is bool(fault)


def test_supporters_are_counted_over_all_topics() -> None:
    def topic(*supporters: str) -> GeneratedTopic:
        return GeneratedTopic(topic="x", opinions=(GeneratedOpinion(opinion="x", supporters=supporters),))

    assert supporters_of([topic("nurse", "farmer"), topic("farmer"), topic("monk")]) == [
        ("farmer", 2),
        ("nurse", 1),
        ("monk", 1),
    ]


# ── review ───────────────────────────────────────────────────────────────────────────────────────────────────────────

GENERATED_RESULT = GenerateResult(
    topics=(
        GeneratedTopic(
            topic="Night trains",
            opinions=(GeneratedOpinion(opinion="=1+1 is dear."), GeneratedOpinion(opinion="Rails sing.")),
        ),
        GeneratedTopic(topic="Pets", category="Life", opinions=(GeneratedOpinion(opinion="Dogs are loyal."),)),
    ),
    profiles=(
        GeneratedProfile(supporter="nurse", times=2, profile=profile_of(GRETA_AS_JSON)),
        GeneratedProfile(supporter="monk", times=1, why_not="It is late."),
    ),
)


def filled(folder: Path, **keep: str) -> Path:
    rows = list(csv.DictReader(io.StringIO(review_csv(GENERATED_RESULT).decode("utf-8-sig"))))
    path = folder / "review.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "keep": keep.get(row["id"].replace(".", "_"), "")} for row in rows)
    return path


def test_the_review_has_a_row_for_each_opinion_and_each_profile_that_was_made() -> None:
    rows = list(csv.DictReader(io.StringIO(review_csv(GENERATED_RESULT).decode("utf-8-sig"))))
    assert [row["id"] for row in rows] == ["t1.1", "t1.2", "t2.1", "p1"]
    assert rows[0]["text"] == "'=1+1 is dear."
    assert "named 2 times" in rows[3]["note"]


def test_what_people_keep_becomes_files_of_the_release(tmp_path: Path) -> None:
    kept = read_review(filled(tmp_path, t1_1="no", t1_2="Yes", t2_1="", p1="y"), GENERATED_RESULT)
    flows = {"Night trains": [Flow(texts=("An article.",)), Flow(texts=("A", "B"))]}
    tasks = tasks_of(GENERATED_RESULT, kept, flows)
    found = read_tasks(written(tmp_path, tasks))
    assert list(found) == ["Night trains"]
    assert [(one.iteration, one.questions, one.flow) for one in found["Night trains"]] == [
        (0, ("Rails sing.",), ()),
        (1, ("Rails sing.",), ("An article.",)),
        (2, ("Rails sing.",), ("A", "B")),
    ]
    (profile,) = read_profiles(written(tmp_path, profiles_of(GENERATED_RESULT, kept)))
    assert profile["Name"] == GRETA.name


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,keep\nt1.1,perhaps\n", "row 2: keep is yes or no"),
        ("id,text\nt1.1,x\n", "the column keep is missing"),
        ("id,keep\nt1.1,\nt1.2,no\n", "keeps nothing"),
        ("id,keep\nt1.1,yes\nt9.1,yes\n", "row 3: 't9.1' is no id of what was generated here"),
        ("id,keep\nt1.1,yes\nt1.1,no\n", "row 3: t1.1 is there twice"),
    ],
)
def test_a_review_that_cannot_be_read_is_refused(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "review.csv").write_text(content)
    with pytest.raises(UsageError, match=said):
        read_review(tmp_path / "review.csv", GENERATED_RESULT)


def test_what_was_generated_is_read_back_as_it_was(tmp_path: Path) -> None:
    (tmp_path / GENERATED).write_text(GENERATED_RESULT.model_dump_json())
    assert read_generated(tmp_path) == GENERATED_RESULT
    (tmp_path / GENERATED).write_text(json.dumps({"topics": 3}))
    with pytest.raises(UsageError, match="is not what"):
        read_generated(tmp_path)
