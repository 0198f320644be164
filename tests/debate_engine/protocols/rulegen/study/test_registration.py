"""What was said beforehand, and what was done otherwise."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import pytest

from elenchus.debate_engine.protocols.rulegen.study.analysis import StudiedScene, Study, study_of
from elenchus.debate_engine.protocols.rulegen.study.departures import compared_with
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.protocols.rulegen.study.registration import (
    Registration,
    files_of,
    hash_of_scene,
    registration_markdown,
    registration_of,
)
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from elenchus.debate_engine.scenes.contrasts import Contrast
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.factors import Factor, Level
from elenchus.debate_engine.scenes.measures import Number
from elenchus.debate_engine.scenes.plan import Plan
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.versions import versions
from tests.debate_engine.protocols.rulegen.stage import scene
from tests.debate_engine.protocols.rulegen.study.grids import grid
from tests.debate_engine.protocols.rulegen.study.test_cases import run

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
PLAN = Plan(
    n=4,
    stop="after four people",
    contrasts=(
        Contrast(compare="high - low", expect="greater"),
        Contrast(compare="low - high", expect="same", margin=3.0),
    ),
    exclusions=("price > 900",),
)
WHOLE = scene().model_copy(
    update={
        "factors": (Factor(name="anchor", levels=(Level(name="low", value="90"), Level(name="high", value="480"))),),
        "measures": (Number(name="price", ask="What is it worth?"),),
        "outcome": "price",
        "plan": PLAN,
        "purpose": "Does a number pull?",
    }
)


def registered(whole: Scene = WHOLE) -> Registration:
    return registration_of("tea", whole, versions(whole), NOON)


def done(whole: Scene = WHOLE, counts: tuple[int, int] = (2, 2), **more: Any) -> Study:
    runs = [
        run(n + 10 * k, version, 5.0 * n, **more)
        for k, (version, count) in enumerate(zip(("low", "high"), counts, strict=True))
        for n in range(count)
    ]
    found = study_of(
        StudiedScene(
            name="tea",
            title="Tea",
            design=Design.between(list(versions(whole))),
            outcome=whole.outcome,
            plan=whole.plan,
        ),
        runs,
    )
    return found.model_copy(update={"sha256": hash_of_scene(list(versions(whole).values()), whole)})


def test_a_registration_says_what_is_compared_with_how_many_and_whom_it_leaves_out() -> None:
    one = registered()
    assert [str(hypothesis) for hypothesis in one.hypotheses] == [
        "high - low: the first is greater", "low - high: the two differ by less than 3",
    ]  # fmt: skip
    assert (one.n, one.stop, one.exclusions, one.outcome) == (4, "after four people", ("price > 900",), "price")
    assert (one.versions, one.factors[0].levels, one.by_default) == (
        ("low", "high"),
        {"low": "90", "high": "480"},
        False,
    )
    texts = files_of(one)
    assert Registration.model_validate_json(texts["registration.json"]) == one
    told = texts["registration.md"].decode()
    for words in ("Does a number pull?", "the first is greater", "4 subjects.", "`price > 900`", "between subjects",
                  "Written 2026-11-23 12:00:00 UTC, before the first run", one.sha256):  # fmt: skip
        assert words in told


def test_the_hash_is_of_canonical_json_and_of_whatever_is_played_or_planned() -> None:
    given = versions(WHOLE)
    by_hand = {
        "versions": {
            name: of.model_dump(mode="json", exclude={"written_by", "reviewed"}) for name, of in given.items()
        },
        "plan": WHOLE.plan.model_dump(mode="json"),
    }
    text = json.dumps(by_hand, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert registered().sha256 == sha256(text.encode()).hexdigest()
    changed = [
        WHOLE.model_copy(update={"background": "Another garden."}),
        WHOLE.model_copy(update={"plan": PLAN.model_copy(update={"n": 5})}),
        WHOLE.model_copy(update={"outcome": "price > 3"}),
    ]
    assert len({registered(whole).sha256 for whole in (WHOLE, *changed)}) == 4
    assert registered(WHOLE.model_copy(update={"reviewed": "by Grace"})).sha256 == registered().sha256


def test_what_was_done_as_registered_has_no_departures() -> None:
    study = compared_with(done(), registered(), NOON.replace(hour=13))
    assert study.departures == ()
    assert "Registered 2026-11-23 12:00:00 UTC; it was done as registered." in study_markdown(study)
    assert "was not registered beforehand" in study_markdown(done())


@pytest.mark.parametrize(
    ("study", "told"),
    [
        (done(counts=(2, 1)), ["4 subjects were planned; 3 people took part."]),
        (done(counts=(4, 0)), ["Nobody played high."]),
        (done(chosen=True), ["The version of 4 of 4 people was set, and not drawn by lot."]),
        (done().model_copy(update={"left_out": 2}), ["2 sessions of another text of the scene left out."]),
        (done().model_copy(update={"only": "runs of g"}), ["Only some runs are analysed: runs of g."]),
        (done(pilot=True), ["4 pilots counted."]),
        (done().model_copy(update={"outcome": "price > 3"}), ["What came out is told by “price > 3”, not by “price”."]),
        (
            done(WHOLE.model_copy(update={"plan": PLAN.model_copy(update={"contrasts": PLAN.contrasts[:1]})})),
            [
                "The scene is another than the registered one",
                "This hypothesis was registered, and is not the file's any",
            ],
        ),
        (
            done(
                WHOLE.model_copy(update={"plan": PLAN.model_copy(update={"exclusions": ("price > 900", "price < 1")})})
            ),
            ["The scene is another than the registered one", "This exclusion was not registered: “price < 1”."],
        ),
        (
            done(WHOLE.model_copy(update={"plan": PLAN.model_copy(update={"strata": ("school",)})})),
            ["The scene is another than the registered one", "This stratum was not registered: “school”."],
        ),
    ],
)
def test_every_departure_is_listed(study: Study, told: list[str]) -> None:
    found = compared_with(study, registered()).departures
    assert len(found) == len(told)
    assert all(departure.startswith(words) for departure, words in zip(found, told, strict=True))
    assert found[0][:30] in study_markdown(compared_with(study, registered()))


def test_strata_are_registered() -> None:
    one = registered(WHOLE.model_copy(update={"plan": PLAN.model_copy(update={"strata": ("school",)})}))
    assert one.strata == ("school",)
    assert "They are balanced within the answers to `school`." in registration_markdown(one)


def test_a_session_before_the_registration_is_a_departure() -> None:
    (told,) = compared_with(done(), registered(), NOON.replace(hour=11)).departures
    assert told == "The first session began 2026-11-23 11:00:00 UTC, before the registration was written."


def test_the_runs_of_a_grid_are_registered_and_what_is_missing_of_them_is_told() -> None:
    planned = grid(n=2)
    one = registration_of("tea", planned.whole, planned.scenes, NOON, planned)
    assert one.runs is not None
    assert (one.runs.each, one.runs.seed, one.runs.versions) == (2, 1, ("treatment", "control"))
    assert (
        "Runs `g`: 2 of every version and style by scripted:demo, seed 1." in files_of(one)["registration.md"].decode()
    )
    runs = [
        run(n, version, None, "scripted:demo", result="absent") for n, version in enumerate(("treatment", "control"))
    ]
    (told,) = compared_with(
        study_of(StudiedScene(name="tea", design=Design.between(("treatment", "control"))), runs), one
    ).departures
    assert told == "4 runs were planned; 2 began, 2 finished."


def test_runs_of_models_are_no_people_of_a_plan() -> None:
    def by(people: int, models: int) -> tuple[str, ...]:
        runs = [
            run(n, ("low", "high")[n % 2], float(n), PEOPLE if n < people else "m:x") for n in range(people + models)
        ]
        found = study_of(
            StudiedScene(
                name="tea", title="Tea", design=Design.between(tuple(versions(WHOLE))), outcome="price", plan=WHOLE.plan
            ),
            runs,
        )
        return compared_with(found, registered()).departures

    assert by(4, 6) == by(0, 4) == ()
    assert by(2, 2) == ("4 subjects were planned; 2 people and 2 runs by models took part.",)


def test_who_left_before_the_lot_is_no_departure() -> None:
    runs = [run(n, ("low", "high")[n % 2], float(n)) for n in range(4)]
    early = run(9, "", None, result="ended early", why="withdrawn")
    given = study_of(
        StudiedScene(
            name="tea", title="Tea", design=Design.between(tuple(versions(WHOLE))), outcome="price", plan=WHOLE.plan
        ),
        [*runs, early],
    )
    assert compared_with(given, registered()).departures == ()
