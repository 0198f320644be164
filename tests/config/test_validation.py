"""Numbers with a decimal comma, wherever a person writes one."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, Field, ValidationError

from elenchus.config.documents import UnreadableDocument
from elenchus.config.json_and_yaml import yaml_in
from elenchus.config.settings import load_settings
from elenchus.config.validation import fault_told, no_number


@pytest.mark.parametrize(
    ("kind", "given", "told"),
    [
        ("float_parsing", "0,7", "“0,7” is not a number: write 0.7"),
        ("float_parsing", "-1,25", "“-1,25” is not a number: write -1.25"),
        ("float_parsing", "1.000,50", "“1.000,50” is not a number: write 1000.50"),
        ("float_parsing", "1,000", "“1,000” is not a number: write 1.000 or 1000"),
        ("float_parsing", "1,000,5", "“1,000,5” is not a number: write 1000.5"),
        ("float_parsing", "warm", "“warm” is not a number"),
        ("float_parsing", "9" * 400, f"“{'9' * 20}…” is not a number"),
        ("int_parsing", "100,000", "“100,000” is not a whole number: write 100000"),
        ("int_parsing", "1.000.000", "“1.000.000” is not a whole number: write 1000000"),
        ("int_parsing", "1,5", "“1,5” is not a whole number"),
        ("missing", "1,5", ""),
    ],
)
def test_what_is_no_number_is_told_with_what_to_write_where_that_is_known(kind: str, given: str, told: str) -> None:
    assert no_number(kind, given) == told


@pytest.mark.parametrize(
    ("text", "write"), [("{a: 1,5}", "1.5"), ("{b: {a: 0,15, c: 2}}", "0.15"), ("{a: 3,05}", "3.05")]
)
def test_a_decimal_comma_in_a_mapping_in_braces_is_told_as_one(text: str, write: str) -> None:
    with pytest.raises(UnreadableDocument, match=f"has a decimal comma: write {write}"):
        yaml_in(text, "The file")


@pytest.mark.parametrize("text", ["{a: 1, b: 2}", "{1: 2, 3: 4}", "{a: x, 5: }", "[1,5]", "{a: [1,5]}"])
def test_what_has_no_decimal_comma_is_read(text: str) -> None:
    assert yaml_in(text, "The file")


def test_a_variable_with_a_decimal_comma_is_told_to_want_a_point_and_never_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ELENCHUS_LOCAL_DEADLINE", "1,5")
    with pytest.raises(ValueError, match="ELENCHUS_LOCAL_DEADLINE cannot be used: it is not a number") as caught:
        load_settings()
    assert "as in 0.5" in str(caught.value)
    assert "1,5" not in str(caught.value)


class Panel(BaseModel):
    judges: tuple[str, ...] = Field((), max_length=2)
    rounds: int = 1


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"judges": -5}, "Input should be a list"),
        ({"judges": ["a", "b", "c"]}, "there should be at most 2, not 3"),
        ({"rounds": "1,000"}, "“1,000” is not a whole number: write 1000"),
    ],
)
def test_what_does_not_fit_is_told_without_the_words_of_python(given: dict[str, object], told: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Panel.model_validate(given)
    assert fault_told(dict(caught.value.errors(include_url=False)[0])) == told
