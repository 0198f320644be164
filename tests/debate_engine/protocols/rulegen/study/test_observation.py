"""What one run tells a study, read from real logs: how far it came, failed checks, what it hangs together with."""

from __future__ import annotations

from typing import Any

from elenchus.debate_engine.events import TurnAnswered, TurnOpened
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation, observations_in, states_only
from elenchus.debate_engine.scenes.measures import Choice, Number
from elenchus.debate_engine.scenes.plan import Plan
from elenchus.debate_engine.scenes.scene import Scene
from tests.debate_engine.protocols.rulegen.stage import ASKS as FREE, TASTING, Stage
from tests.debate_engine.protocols.rulegen.test_fixed_lines import priced, states


def checked() -> Scene:
    """The tea, with an attention check, what noticing is, and a rule of exclusion."""
    measures = (
        Number(name="price", ask="How much?", unit="euros", low=0, high=99, serves="attention", right="price < 50"),
        Choice(name="tea", options=("green", "black"), serves="manipulation", right='tea = "green"'),
    )
    return priced().model_copy(update={"measures": measures, "plan": Plan(exclusions=("price > 90",))})


async def seen(played: Scene, **answers: Any) -> Observation:
    stage = Stage(played, people={"Ada": lambda _: answers}, judges=())
    await stage.played()
    (found,) = observations_in("s", await stage.log.read("s"))
    return found


async def test_failed_checks_are_told_by_what_they_check_and_exclusion_by_its_rule() -> None:
    good = await seen(checked(), **states(30, "green"))
    assert (good.failed, good.right, good.excluded) == ((), {"price": True, "tea": True}, "")
    bad = await seen(checked(), **states(95, "black"))
    assert (bad.failed, bad.excluded) == (("attention", "manipulation"), "price > 90")
    assert (bad.finished, bad.began) == (True, True)


class Declining(Stage):
    """Whoever is asked to take part declines."""

    async def _people(self) -> None:
        async for r in self.log.follow("s"):
            if isinstance(r.event, TurnOpened):
                given = TurnAnswered(step=r.event.step, seat=r.event.seat, by="bo", answer={"agreed": "no"})
                await self.log.send("s", given)


async def test_who_declines_has_not_begun() -> None:
    stage = Declining(priced(), people={"Ada": lambda _: states()}, judges=())
    await stage.run()
    (found,) = observations_in("s", await stage.log.read("s"))
    assert (found.began, found.finished, found.why) == (False, False, "no consent")


async def test_a_person_hangs_together_with_their_session_and_a_model_with_its_record() -> None:
    person = await seen(priced(), **states())
    assert (person.cell.subject, person.choices, person.hangs_with) == (PEOPLE, True, "s")
    stage = Stage(TASTING, judges=())
    await stage.played()
    (model,) = observations_in("s", await stage.log.read("s"))
    assert model.record
    assert (model.choices, model.hangs_with) == (False, model.record)


def test_a_scene_has_only_values_to_state_where_all_else_is_fixed() -> None:
    assert states_only(priced())
    assert not states_only(priced(FREE))
