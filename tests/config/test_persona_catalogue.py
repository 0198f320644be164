"""The personas: what is in the catalogue, how it is read, and how a persona and its model are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from elenchus.config.persona_catalogue import UNUSABLE, find_persona, load_personas, offered, parted

WHOLE = "id: judge\nname: The judge\nline: Judges.\nsits: judge\nmanner: " + "You judge what was said. " * 6 + "\n"


def test_there_are_debaters_and_judges_each_with_a_name_and_voice_of_its_own() -> None:
    entries = load_personas()
    assert 8 <= len(entries) <= 12
    for told in ("name", "line", "manner"):
        assert len({getattr(entry, told) for entry in entries}) == len(entries)
    assert {entry.sits for entry in entries} == {"debater", "judge", "either"}
    assert not [entry for entry in entries if any(word in entry.name.casefold() for word in UNUSABLE)]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("name: The judge", "name: Clyde the judge", "name: no name may hold discord or clyde"),
        ("sits: judge", "sits: anywhere", "sits: "),
        ("line: Judges.", "tone: dry", "line: Field required"),
        ("id: judge", "id: other", "is not the file's name"),
        ("sits: judge", "sits: judge\nmodel: gpt", "model: "),
        ("id: judge", "id: [", "is not valid YAML"),
    ],
)
def test_what_cannot_be_read_is_named_by_file_and_field(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = tmp_path / "judge.yaml"
    file.write_text(WHOLE, encoding="utf-8")
    assert load_personas(tmp_path)[0].id == "judge"
    load_personas.cache_clear()
    file.write_text(WHOLE.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=r"judge\.yaml") as refused:
        load_personas(tmp_path)
    assert said in str(refused.value)
    load_personas.cache_clear()


@pytest.mark.parametrize(
    ("text", "persona", "spec"),
    [
        ("engineer", "engineer", ""),
        (" Engineer ", "engineer", ""),
        ("engineer@openai:gpt-6-luna", "engineer", "openai:gpt-6-luna"),
        ("engineer@", "engineer", ""),
        ("openai:gpt-6-luna", None, "openai:gpt-6-luna"),
        ("local:/models/a@b.gguf", None, "local:/models/a@b.gguf"),
        ("human", None, "human"),
        ("@bob", None, "@bob"),
        ("", None, ""),
    ],
)
def test_a_persona_stands_before_its_model(text: str, persona: str | None, spec: str) -> None:
    found, rest = parted(text)
    assert (found and found.id, rest) == (persona, spec)


def test_a_persona_that_there_is_not_is_refused_with_one_like_it() -> None:
    with pytest.raises(ValueError, match="near it engineer"):
        parted("enginer@openai:gpt-6-luna")
    with pytest.raises(ValueError, match="there are actuary, advocate"):
        find_persona("zzz")


def test_those_who_belong_on_a_seat_are_offered_first() -> None:
    first = next(iter(offered("judge")))
    assert first.sits in ("judge", "either")
    assert {entry.id for entry in offered("debater")} == {entry.id for entry in load_personas()}
