"""`elenchus biases list|show|search`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from elenchus.config.catalogue import find_bias, load_biases
from tests.service.cli.program import Program, Result

Inside = Callable[..., Result]


def test_the_list_names_every_bias(inside: Inside) -> None:
    printed, document = inside("biases", "list").out, inside("biases", "list", "--json").json
    names = [bias.name for bias in load_biases()]
    assert [row["name"] for row in document] == names
    assert set(document[0]) == {"id", "name", "aliases", "definition"}
    assert [line.split("  ")[0] for line in printed.splitlines()] == names
    assert all(line == line.rstrip() for line in printed.splitlines())


def test_a_bias_is_shown_in_full_under_any_of_its_names(inside: Inside) -> None:
    bias = find_bias("distinction bias")
    printed = inside("biases", "show", "DISTINCTION-bias").out
    for text in (bias.name, bias.definition, *bias.elements, bias.case, bias.recipe, bias.mindscope, bias.source.title):
        assert text in printed
    assert "Contrast effect: " in printed
    assert inside("biases", "show", "joint evaluation bias", "--json").json == bias.model_dump(mode="json")


def test_a_source_that_was_not_looked_up_is_shown_as_one(inside: Inside) -> None:
    unchecked = [bias for bias in load_biases() if not bias.source.checked]
    assert all("not checked" in inside("biases", "show", bias.id).out for bias in unchecked)
    assert "not checked" not in inside("biases", "show", "anchoring effect").out


def test_a_search_shows_the_best_match_first(inside: Inside) -> None:
    document = inside("biases", "search", "asch", "majority", "--json").json
    assert document[0]["id"] == "bandwagon-effect"
    assert inside("biases", "search", "asch", "majority").out.startswith("Bandwagon effect")


def test_a_search_for_a_common_word_shows_ten(inside: Inside) -> None:
    assert len(inside("biases", "search", "people", "--json").json) == 10


def test_a_search_that_finds_nothing_says_so(inside: Inside) -> None:
    found = inside("biases", "search", "zyzzyva", "--json")
    assert (found.code, found.json) == (0, [])
    assert "No bias has these words" in found.err


@pytest.mark.parametrize("name", ["halo", "", "../models", "\x1b[31m"])
def test_an_unknown_bias_is_a_usage_error(inside: Inside, name: str) -> None:
    refused = inside("biases", "show", name, "--json")
    assert refused.code == 2
    assert "There is no bias" in refused.json["error"]["message"]
    assert "\x1b" not in refused.err


def test_it_runs_as_a_program_and_makes_no_home(elenchus: Program) -> None:
    shown = elenchus("biases", "show", "ikea effect")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("IKEA effect")
    assert not elenchus.home.exists()
