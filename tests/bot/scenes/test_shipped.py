"""Each of the twelve scenes that come with the program, with a member as its subject, in both versions."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.log import heard_by, transcript
from elenchus.debate_engine.protocols.rulegen.moves import moves_of
from elenchus.debate_engine.scenes.library import load_scenes
from tests.bot.scenes.acting import everything, finished, log_of, over, play_on, started, taken_part
from tests.bot.stage import Stage
from tests.fakes.discord.people import Person

SCENES = load_scenes()
PAIRS = sorted(name for name, scene in SCENES.items() if scene.condition == "treatment")


def test_there_are_twelve() -> None:
    assert len(PAIRS) == 12


@pytest.mark.parametrize("condition", ["treatment", "control"])
@pytest.mark.parametrize("name", PAIRS)
async def test_a_member_plays_it_to_the_end_hears_what_is_for_the_subject_and_is_debriefed(
    stage: Stage, bob: Person, name: str, condition: str
) -> None:
    scene = SCENES[name] if condition == "treatment" else SCENES[SCENES[name].twin.removesuffix(".md")]
    (subject,) = [role.name for role in scene.roles if role.kind == "subject"]
    moves = [move for rule in scene.rules if rule.mode != "self-receiving" for move in moves_of(rule)]
    speeches = [f"These are words number {n} of mine." for n, move in enumerate(moves) if move.speaker == subject]
    async with stage.running():
        await started(stage, scene=name, conditions=condition)
        thread, asked = await taken_part(stage, bob)
        await play_on(thread, bob, asked, *speeches)
        await over(thread)
        played = await finished(stage, thread)
        log = await log_of(stage, thread)
    own = [turn for turn in played.turns if turn.speaker == subject]
    free = [n for n, turn in enumerate(own) if not scene.rules[turn.rule - 1].measures]
    assert [own[n].text for n in free] == [speeches[n] for n in free]
    assert [one.measure for one in played.stated if one.value is not None] == [one.name for one in scene.measures]
    assert (played.evaluation is None) == bool(played.outcomes), "judged where nothing else says what came out"
    said = transcript(log)
    heard = heard_by(subject, said)
    shown = everything(thread)
    assert not [one.text for one in said if one not in heard and one.text in shown]
    before, debriefed, _ = shown.partition("Afterwards: what this was about")
    assert debriefed
    told = [scene.title, scene.purpose, scene.observation, scene.bias]
    assert not [text for text in told if text.casefold() in before.casefold()]
