"""The lot by which subjects get their version: balanced, drawn where the versions part, and kept by the log."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.events import Recorded, Said, StepDone
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.assignment import as_played, drawn, first_free
from elenchus.debate_engine.protocols.rulegen.config import Assignment, DrawnVersion
from elenchus.debate_engine.protocols.rulegen.study.observation import observations_in
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.scene import Condition
from elenchus.debate_engine.scenes.versions import common_to, first_difference, versions
from tests.debate_engine.protocols.rulegen.stage import TASTING, Stage
from tests.debate_engine.scenes.test_trials import LINES

BOTH: tuple[Condition, ...] = ("treatment", "control")
FOUR = ("a", "b", "c", "d")


def lot(of: tuple[Condition, ...], seed: int = 5, stratum: str = "") -> Assignment:
    return Assignment(study="tea", holder="s", seed=seed, of=of, stratum=stratum)


@given(seed=st.integers(0, 2**31), blocks=st.integers(1, 20), of=st.sampled_from([BOTH, FOUR]))
def test_each_version_comes_once_in_every_block(seed: int, blocks: int, of: tuple[Condition, ...]) -> None:
    draws = [drawn(lot(of, seed), n) for n in range(1, len(of) * blocks + 1)]
    assert all(sorted(draws[i : i + len(of)]) == sorted(of) for i in range(0, len(draws), len(of)))


def test_the_order_is_chances_and_the_same_for_the_same_seed() -> None:
    rows = [tuple(drawn(lot(BOTH, seed), n) for n in range(1, 9)) for seed in range(200)]
    assert rows == [tuple(drawn(lot(BOTH, seed), n) for n in range(1, 9)) for seed in range(200)]
    assert 70 <= [row[0] for row in rows].count("treatment") <= 130, "either version comes first about as often"
    assert len(set(rows)) == 16, "all orders come"
    other = [tuple(drawn(lot(BOTH, seed, "people"), n) for n in range(1, 9)) for seed in range(200)]
    assert other != rows, "strata have orders of their own"


@given(seed=st.integers(0, 2**31), leaves=st.lists(st.booleans(), max_size=80))
def test_whoever_leaves_who_plays_or_has_finished_stays_balanced(seed: int, leaves: list[bool]) -> None:
    held: dict[int, Condition] = {}
    for leaving in leaves:
        number = first_free(held)
        held[number] = drawn(lot(FOUR, seed), number)
        counts = [list(held.values()).count(version) for version in FOUR]
        assert max(counts) - min(counts) <= 1
        if leaving:
            del held[number]


class Third:
    """Lots of which the third place is free."""

    async def draw(self, assignment: Assignment) -> int:
        return 3


def lines(**more: Any) -> Stage:
    found = versions(canonical.read(LINES))
    return Stage(
        common_to(found), people={"Mika": one}, judges=(), target=None, lots=Third(),
        assignment=lot(tuple(found)), versions=found, **more,
    )  # fmt: skip


def one(ask: Ask) -> dict[str, Any]:
    return dict.fromkeys((ask.answer_schema or {})["properties"], "1")


async def test_the_version_is_drawn_before_the_first_rule_at_which_versions_differ() -> None:
    stage = lines()
    await stage.played()
    events = [r.event for r in await stage.log.read("s")]
    keys = [event.step for event in events if isinstance(event, StepDone | Said)]
    assert keys.index("consent/Mika/given") < keys.index("rule/1/turn/1/said") < keys.index("assignment")
    assert keys.index("assignment") < keys.index("rule/2/turn/1/order")
    place = DrawnVersion.model_validate((await stage.results())["assignment"])
    assert place == DrawnVersion(number=3, version=drawn(lot(("wrong", "right")), 3))
    (seen,) = observations_in("s", await stage.log.read("s"))
    assert seen.cell.condition == place.version


STRATA = (
    LINES.replace("contrasts:", "strata: [school]\ncontrasts:")
    .replace(
        "2. **unicast, DES** Mika",
        "2. **unicast, FEL** Mika → Sunna: Say the school.\n   measure: school\n3. **unicast, DES** Mika",
    )
    .replace(
        "# Trials",
        """# Measures

school: {kind: choice, options: [North, South], ask: "Which school?", serves: demographic, optional: true,
  why: "so that both schools have as many of each"}

# Trials""",
    )
)


class Places:
    """Lots that keep which places were asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def draw(self, assignment: Assignment) -> int:
        self.asked.append(assignment.places)
        return self.asked.count(assignment.places)


async def test_versions_are_balanced_within_what_was_stated_before_and_the_log_holds_no_answer_for_it() -> None:
    found, lots = versions(canonical.read(STRATA)), Places()
    drawn_for: list[tuple[str | None, str | None]] = []
    for school in ("North", "South", "North", None):

        def answer(ask: Ask, school: str | None = school) -> dict[str, Any]:
            return one(ask) | ({"school": school} if "school" in str(ask) else {})

        with_lots: dict[str, Any] = {"lots": lots, "assignment": lot(tuple(found)), "versions": found}
        stage = Stage(common_to(found), people={"Mika": answer}, judges=(), target=None, **with_lots)
        await stage.played()
        recorded = await stage.log.read("s")
        (step,) = [r.event for r in recorded if isinstance(r.event, StepDone) and r.event.step == "assignment"]
        assert not re.search("North|South|school", str(step.inputs))
        drawn_for.append((school, as_played(stage.cfg, recorded).scene.condition))
    north, south, again, unsaid = lots.asked
    assert north == again
    assert len({north, south, unsaid}) == 3, "who leaves it out is a stratum too"
    assert {version for school, version in drawn_for if school == "North"} == {"wrong", "right"}


async def test_who_declines_takes_no_place() -> None:
    stage = lines()
    stage.consenting = "no"
    await stage.run()
    assert "assignment" not in await stage.results()
    recorded: list[Recorded] = await stage.log.read("s")
    assert as_played(stage.cfg, recorded) == stage.cfg


def test_versions_part_where_a_rule_or_what_is_measured_there_differs() -> None:
    two = versions(canonical.read(LINES)).values()
    assert first_difference(two) == 1
    assert first_difference([TASTING, TASTING]) == len(TASTING.rules)
    other = TASTING.model_copy(update={"roles": (TASTING.roles[0].model_copy(update={"style": "rash"}),)})
    assert first_difference([TASTING, other]) == 0
    shorter = TASTING.model_copy(update={"rules": TASTING.rules[:2]})
    assert first_difference([TASTING, shorter]) == 2


def test_what_versions_have_in_common_gives_none_of_them_away() -> None:
    found = versions(canonical.read(LINES.replace("That was all.", "The others were {others} this time.")))
    common = common_to(found)
    assert common.debrief == "The others were … this time."
    assert (common.condition, common.levels) == (None, ())
    assert common_to({"": TASTING}) == TASTING


@pytest.mark.parametrize("version", ["wrong", "right"])
async def test_what_somebody_chose_was_not_drawn(version: str) -> None:
    stage = Stage(versions(canonical.read(LINES))[version], people={"Mika": one}, judges=(), target=None)
    await stage.played()
    assert "assignment" not in await stage.results()
