"""Command lines that are almost right: the line to type instead is named, and it can be typed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from elenchus.service.cli.failures import _quoted
from tests.service.cli.program import Result

Inside = Callable[..., Result]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("debate Homework should go --topics 2", 'elenchus debate "Homework should go" --topics 2'),
        ("debate --topics 2 Homework should go", 'elenchus debate "Homework should go" --topics 2'),
        ("detect --top 2 We have paid", 'echo "We have paid" | elenchus detect - --top 2'),
        ("sweep Homework is bad", 'elenchus sweep "Homework is bad"'),
        ("scene run sunk cost -n 3", 'elenchus scene run "sunk cost" -n 3'),
        ("scene show order effect", 'elenchus scene show "order effect"'),
        ("biases show peer pressure --json", 'elenchus biases show "peer pressure" --json'),
        ("personas show the engineer", 'elenchus personas show "the engineer"'),
        ("sessions export abc out", "elenchus sessions export abc --export out"),
        ("sessions export abc 'my out' --json", "elenchus sessions export abc --export 'my out' --json"),
        ("sesions list", "elenchus sessions list"),
        ("scenes run anchoring", "elenchus scene run anchoring"),
        ("session show ab", "elenchus sessions show ab"),
        ("models pul", "elenchus models pull"),
        ("resume ab", "elenchus sessions resume ab or elenchus scene resume ab"),
        ("pull", "elenchus models pull"),
        ("'Should we ban cars?' --topics 2", 'elenchus debate "Should we ban cars?" --topics 2'),
        ("Should we ban cars?", 'elenchus debate "Should we ban cars?"'),
        ("detect We have paid --top 2", 'echo "We have paid" | elenchus detect - --top 2'),
        ("crit Trams are good", 'echo "Trams are good" | elenchus crit -'),
    ],
)
def test_the_line_that_was_meant_is_the_hint(inside: Inside, typed: str, meant: str) -> None:
    refused = inside(*shlex.split(typed))
    assert refused.code == 2
    assert f"\n  hint: {meant}" in refused.err


@pytest.mark.parametrize("command", ["detect", "crit"])
def test_a_text_in_the_place_of_its_file_is_told_how_it_gets_in(inside: Inside, command: str) -> None:
    for text in ("We have already paid, so we go on.", "Long ago " * 400):
        refused = inside(command, text)
        assert refused.code == 2
        assert "is no file" in refused.err
        assert "give - for the file" in refused.err
        assert len(refused.err) < 300
    assert "give a file that exists" in inside(command, "essay.md").err


@pytest.mark.parametrize("typed", ["halo", "peer pressure"])
def test_a_bias_that_is_not_known_by_this_name_can_be_searched_for(inside: Inside, typed: str) -> None:
    assert "elenchus biases search" in inside("biases", "show", typed).err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "scene"),
    [
        ("sunk cost", "sunk-cost"),
        ("Order effect", "order"),
        ("hindsight bias", "hindsight"),
        ("anchoring", "anchoring"),
    ],
)
def test_a_scene_is_found_by_its_name_with_blanks_and_by_the_bias_that_it_elicits(
    inside: Inside, typed: str, scene: str
) -> None:
    assert inside("scene", "show", typed, "--json").json == inside("scene", "show", scene, "--json").json
    assert (
        inside("scene", "run", typed, "--others", "scripted:demo", "--subject", "scripted:demo", "--dry-run").code == 0
    )
    assert f"`{scene}" in inside("scene", "results", typed).err or f"{scene}:" in inside("scene", "results", typed).out


def test_where_several_scenes_are_about_a_bias_they_are_named_to_choose_from(inside: Inside) -> None:
    for command in ("show", "run", "rehearse", "teach", "results"):
        refused = inside("scene", command, "bandwagon effect")
        assert refused.code == 2
        assert "bandwagon (“A lamp for the bicycle”), conformity (“Eighteen rounds of lines”)" in refused.err
        assert "Choose one of them by its name." in refused.err


def test_where_no_scene_is_about_it_those_of_like_names_are_named(inside: Inside) -> None:
    assert "There is no scene 'halo'" in inside("scene", "run", "halo").err
    assert "near it: order" in inside("scene", "run", "ordr").err


def test_a_program_reads_the_hint_in_the_document(inside: Inside) -> None:
    refused = inside("debate", "Rest", "more", "--json")
    assert json.loads(refused.out)["error"]["hint"].startswith('elenchus debate "Rest more" --json')


@pytest.mark.parametrize("typed", ["zyzzyva", "sessions zyzzyva", "debate", "sessions export", "sessions list --zzz"])
def test_where_nothing_suggests_itself_the_help_is_named(inside: Inside, typed: str) -> None:
    assert "--help" in inside(*shlex.split(typed)).err


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1))
def test_a_motion_in_the_hint_reaches_the_program_as_it_was_typed(motion: str) -> None:
    assert shlex.split(_quoted(motion)) == [motion]
