"""The scale of contentiousness: its bands, its fall, its way into the prompts (SocraSynth, section 3, tables 1-2)."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.events import HeatSet
from elenchus.debate_engine.protocols.socrasynth.heat import band_of, describe, falling
from tests.debate_engine.protocols.socrasynth.scripted_debate import ScriptedDebate


@pytest.mark.parametrize(
    ("heat", "band"),
    [
        (1.0, 0.9), (0.9, 0.9), (0.8, 0.9), (0.79, 0.7), (0.7, 0.7), (0.6, 0.7), (0.59, 0.5), (0.4, 0.5), (0.39, 0.3),
        (0.3, 0.3), (0.1, 0.3), (0.05, 0.3), (0.049, 0.0), (0.0, 0.0),
    ],
)  # fmt: skip
def test_a_heat_takes_the_nearest_band_ties_the_higher_and_zero_only_below_a_twentieth(
    heat: float, band: float
) -> None:
    assert band_of(heat).heat == band


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_hotter_heat_never_has_a_cooler_band(one: float, two: float) -> None:
    assert band_of(max(one, two)).heat >= band_of(min(one, two)).heat


def test_the_prompt_carries_scale_number_and_band() -> None:
    text = describe(0.62)
    assert "0.62 on a scale from 0 (complete agreement) to 1 (devil's advocate)" in text
    assert band_of(0.7).tone in text
    assert band_of(0.7).emphasis in text
    assert band_of(0.7).language in text


def test_the_heats_of_the_papers_loop() -> None:
    heats = list(falling(0.9, 1.2, 0.1, 0))
    assert heats[:3] == pytest.approx([0.75, 0.625, 0.9 / 1.2**3])
    assert len(heats) == 12
    assert heats[-1] > 0.1 >= heats[-1] / 1.2


@given(st.floats(0.01, 1), st.floats(1.01, 5), st.floats(0.0, 1), st.integers(1, 40))
def test_heats_fall_stay_above_the_floor_and_end_at_the_cap(start: float, decay: float, floor: float, cap: int) -> None:
    heats = list(falling(start, decay, floor, cap))
    assert len(heats) <= cap
    assert all(heat > floor for heat in heats)
    assert heats == sorted(heats, reverse=True)


async def test_a_debate_opens_at_its_heat_and_cools_before_each_round() -> None:
    room = ScriptedDebate(max_rounds=3, judges=())
    debate = await room.debate()
    assert [r.heat for r in debate.rounds] == pytest.approx([0.75, 0.625, 0.9 / 1.2**3])
    assert "Contentiousness is 0.90" in room.words("opening/pro")
    assert "Contentiousness is 0.75" in room.words("round/1/pro")
    assert "Contentiousness is 0.75" in room.words("round/1/con")
    assert "Contentiousness is 0.52" in room.words("round/3/con")
    assert debate.closing_heat == pytest.approx(0.9 / 1.2**4)
    assert "Contentiousness is 0.43" in room.words("closing/pro")
    assert "Contentiousness is 0.30" in room.words("conciliation/draft")


async def test_conciliation_is_no_hotter_than_the_debate_was_at_its_end() -> None:
    room = ScriptedDebate(heat=0.24, max_rounds=1, judges=())
    debate = await room.debate()
    assert debate.proposal is not None
    assert debate.proposal.heat == pytest.approx(debate.closing_heat) == pytest.approx(0.24 / 1.2**2)


async def test_the_heat_that_the_moderator_sets_holds_from_then_on_and_cools_from_there() -> None:
    room = ScriptedDebate(max_rounds=3, judges=())
    room.at("round/1/con", HeatSet(by="mia", heat=0.3))
    debate = await room.debate()
    assert [r.heat for r in debate.rounds] == pytest.approx([0.75, 0.3, 0.25])
