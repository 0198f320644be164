"""Command lines that are almost right: the line to type instead is named, and it can be typed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.cli.mistyped import _quoted
from tests.service.cli.program import Result

Inside = Callable[..., Result]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("debate Homework should go --topics 2", 'elenchus debate "Homework should go" --topics 2'),
        ("sweep Homework is bad", 'elenchus sweep "Homework is bad"'),
        ("sessions export abc out", "elenchus sessions export abc --export out"),
        ("sessions export abc 'my out' --json", "elenchus sessions export abc --export 'my out' --json"),
        ("sesions list", "elenchus sessions list"),
        ("scenes run anchoring", "elenchus scene run anchoring"),
        ("session show ab", "elenchus sessions show ab"),
        ("models pul", "elenchus models pull"),
        ("resume ab", "elenchus sessions resume ab or elenchus scene resume ab"),
        ("pull", "elenchus models pull"),
    ],
)
def test_the_line_that_was_meant_is_the_hint(inside: Inside, typed: str, meant: str) -> None:
    refused = inside(*shlex.split(typed))
    assert refused.code == 2
    assert f"\n  hint: {meant}" in refused.err


def test_a_program_reads_the_hint_in_the_document(inside: Inside) -> None:
    refused = inside("debate", "Rest", "more", "--json")
    assert json.loads(refused.out)["error"]["hint"].startswith('elenchus debate "Rest more" --json')


@pytest.mark.parametrize("typed", ["zyzzyva", "sessions zyzzyva", "debate", "sessions export", "sessions list --zzz"])
def test_where_nothing_suggests_itself_the_help_is_named(inside: Inside, typed: str) -> None:
    assert "--help" in inside(*shlex.split(typed)).err


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1))
def test_a_motion_in_the_hint_reaches_the_program_as_it_was_typed(motion: str) -> None:
    assert shlex.split(_quoted(motion)) == [motion]
