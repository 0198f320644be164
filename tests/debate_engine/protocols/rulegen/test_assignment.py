"""The lot by which subjects get their version of a scene."""

from __future__ import annotations

from hypothesis import given, strategies as st

from elenchus.debate_engine.events import Said, StepDone
from elenchus.debate_engine.protocols.rulegen.casting import drawn
from elenchus.debate_engine.protocols.rulegen.schemas import Assignment
from elenchus.debate_engine.scenes.scene import Condition
from tests.debate_engine.protocols.rulegen.stage import TASTING, Stage

BOTH: tuple[Condition, ...] = ("treatment", "control")


@given(seed=st.integers(min_value=0, max_value=2**31), blocks=st.integers(min_value=1, max_value=20))
def test_each_version_comes_once_in_every_block(seed: int, blocks: int) -> None:
    draws = [drawn(Assignment(seed=seed, number=n, of=BOTH)) for n in range(1, 2 * blocks + 1)]
    assert all(sorted(draws[i : i + 2]) == ["control", "treatment"] for i in range(0, 2 * blocks, 2))


def test_the_order_is_chances_and_the_same_for_the_same_seed() -> None:
    rows = [tuple(drawn(Assignment(seed=seed, number=n, of=BOTH)) for n in range(1, 9)) for seed in range(200)]
    assert rows == [tuple(drawn(Assignment(seed=seed, number=n, of=BOTH)) for n in range(1, 9)) for seed in range(200)]
    first = [row[0] for row in rows].count("treatment")
    assert 70 <= first <= 130, "either version comes first about as often"
    assert set(rows) == {row for row in rows if row.count("control") == 4}
    assert len(set(rows)) == 16, "all orders come"


async def test_the_draw_is_a_step_of_the_session_before_anything_is_said() -> None:
    condition = drawn(Assignment(seed=5, number=1, of=BOTH))
    stage = Stage(TASTING.model_copy(update={"condition": condition}), assignment=Assignment(seed=5, number=1, of=BOTH))
    await stage.played()
    events = [r.event for r in await stage.log.read("s")]
    (at,) = [n for n, e in enumerate(events) if isinstance(e, StepDone) and e.step == "assignment"]
    done = events[at]
    assert isinstance(done, StepDone)
    assert done.result == condition
    assert at < min(n for n, e in enumerate(events) if isinstance(e, Said))


async def test_a_scene_of_another_version_than_the_drawn_one_is_not_played() -> None:
    other = "control" if drawn(Assignment(seed=5, number=1, of=BOTH)) == "treatment" else "treatment"
    stage = Stage(TASTING.model_copy(update={"condition": other}), assignment=Assignment(seed=5, number=1, of=BOTH))
    run = await stage.run()
    assert run.state == "failed"
    assert "not of the version that was drawn" in run.reason


async def test_what_somebody_chose_was_not_drawn() -> None:
    stage = Stage(TASTING)
    await stage.played()
    assert "assignment" not in await stage.results()
