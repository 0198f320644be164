"""A rehearsal: the protocol that people meet, played by examples; what each role sees, and what never happens."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rulegen.rehearsal import Rehearsal, rehearse
from elenchus.debate_engine.scenes import canonical
from tests.debate_engine.protocols.rulegen.stage import TASTING
from tests.debate_engine.scenes.test_comparison import SCENE
from tests.debate_engine.scenes.test_trials import FRAMES, LINES

PRICED = SCENE.replace('bias: ""', 'bias: ""\noutcome: "price >= 240"').replace(
    "unit: euros,", "unit: euros, low: 0, high: 1000, example: 300,"
)


async def rehearsed(text: str, *only: str) -> Rehearsal:
    return await rehearse(canonical.read(text), only)


async def test_each_version_comes_out_in_two_ways_and_the_first_as_the_files_example_says() -> None:
    done = await rehearsed(PRICED)
    assert [(play.version, play.outcomes[0].value) for play in done.plays] == [
        (label, value) for label in ("low/cue", "low/quiet", "high/cue", "high/quiet") for value in (True, False)
    ]
    assert done.plays[0].answers["price"] == 300
    assert done.problems == ()


async def test_each_role_sees_what_reaches_it_and_the_subject_consent_part_and_debriefing() -> None:
    play = (await rehearsed(PRICED, "high/cue")).plays[0]
    assert [line.kind for line in play.lines] == ["consent", "part", "said", "said", "question", "said", "debrief"]
    assert play.lines[2].text == "Somebody said 480, some time ago."
    assert play.lines[4].given == {"price": 300}
    assert play.lines[5].text == "300 euros"
    assert play.views == {"Robin": (1, 2, 3, 4, 5, 6, 7), "Ada": (3, 4, 6)}


async def test_trials_come_out_without_an_error_and_with_all() -> None:
    done = await rehearsed(LINES)
    found = {(play.version, play.outcomes[0].value) for play in done.plays}
    assert found == {("wrong", 0), ("wrong", 1), ("right", 0), ("right", 1)}


async def test_what_varies_within_subjects_comes_out_at_each_level() -> None:
    done = await rehearsed(FRAMES, "cue/loss-gain")
    assert [[(one.met, one.value) for one in play.outcomes] for play in done.plays] == [
        [("loss", 5), ("gain", 5)], [("loss", 0), ("gain", 0)],
    ]  # fmt: skip


async def test_a_role_without_fixed_lines_says_that_it_would_speak_in_words_of_its_own() -> None:
    done = await rehearse(TASTING)
    spoken = [line.text for line in done.plays[0].lines if line.kind == "said" and line.speaker != "system"]
    assert any("speaks in words of their own" in text for text in spoken)


NEVER = """4. **unicast, SDC** Ada → Robin: Chat.
   when: pressure = cue and pressure = quiet
   says: "Never."
5. **unicast"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("price >= 240", "price >= 0", "low/cue: the outcome price >= 0 is yes or no, and yes whatever is answered"),
        ("price >= 240", "price / 0", "low/cue: the outcome price / 0 cannot be told from these answers"),
        ("4. **unicast", NEVER, "rule 4 is played in no version"),
    ],
)
async def test_what_never_plays_or_cannot_come_out_is_said(old: str, new: str, says: str) -> None:
    assert old in PRICED
    assert says in (await rehearsed(PRICED.replace(old, new))).problems


async def test_a_scene_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(UsageError, match="cannot be played"):
        await rehearsed(PRICED.replace("# Debrief\n\nThat was all.", "# Debrief"))
