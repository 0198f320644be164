"""An agenda that a person wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from elenchus.config.documents import UnreadableDocument
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.service.cli.text_file import agenda_of

TRAVEL = Topic(pro_concern="freedom to travel", con_concern="clean air", scope="trips into the centre")
SHOPS = Topic(pro_concern="shops", con_concern="quiet streets", scope="")


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        "# Agenda\n\n- freedom to travel vs. clean air: trips into the centre\n* shops vs quiet streets\n",
        "1. freedom to travel vs. clean air - trips into the centre\n2) shops versus quiet streets",
        "freedom to travel VS clean air: trips into the centre\nshops vs. quiet streets\n",
        "freedom to travel vs. clean air: trips into the centre\n- shops vs. quiet streets\n",
        "# C vs. D\n- freedom to travel vs. clean air: trips into the centre\n  (a vs. b)\nshops vs. quiet streets",
    ],
)
def test_a_markdown_list_is_an_agenda(tmp_path: Path, text: str) -> None:
    assert agenda_of(written(tmp_path, "agenda.md", text)) == (TRAVEL, SHOPS)


def test_yaml_may_hold_lines_or_mappings(tmp_path: Path) -> None:
    lines = "- freedom to travel vs. clean air: trips into the centre\n- shops vs. quiet streets\n"
    assert agenda_of(written(tmp_path, "a.yaml", lines)) == (TRAVEL, SHOPS)
    maps = """topics:
  - {pro: freedom to travel, con: clean air, scope: trips into the centre}
  - {title: shops vs. quiet streets}
"""
    assert agenda_of(written(tmp_path, "b.yml", maps)) == (TRAVEL, SHOPS)


def test_json_as_in_an_export_is_an_agenda(tmp_path: Path) -> None:
    text = json.dumps([TRAVEL.model_dump() | {"title": TRAVEL.title}, SHOPS.model_dump()])
    assert agenda_of(written(tmp_path, "a.json", text)) == (TRAVEL, SHOPS)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.md", "", "has no topics"),
        ("a.md", "- only one side\n", "is no topic"),
        ("a.md", "- a vs. \n", "is no topic"),
        ("a.yaml", "- pro: a\n  con: b\n scope: c\n", r"cannot be read \(line 3: "),
        ("a.yaml", "just words", "not a list"),
        ("a.json", "{", r"cannot be read \(.*line 1"),
        ("a.json", "[3]", "is no topic"),
        ("a.md", "- a vs. b\n" * 11, "at most 10"),
        ("a.md", f"- {'x' * 300} vs. b\n", "too long"),
    ],
)
def test_what_is_no_agenda_is_refused_in_one_sentence(tmp_path: Path, name: str, text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        agenda_of(written(tmp_path, name, text))


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocument, match="cannot be read"):
        agenda_of(tmp_path / "none.md")
    (tmp_path / "a.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableDocument, match="not UTF-8"):
        agenda_of(tmp_path / "a.md")


@given(st.text(max_size=300), st.sampled_from(["a.md", "a.yaml", "a.json"]))
def test_any_text_is_an_agenda_or_is_refused(tmp_path_factory: pytest.TempPathFactory, text: str, name: str) -> None:
    path = tmp_path_factory.mktemp("agenda") / name
    path.write_bytes(text.encode("utf-8", "replace"))
    try:
        topics = agenda_of(path)
    except (UnreadableDocument, UsageError) as error:
        assert "\n" not in str(error)
    else:
        assert all(topic.pro_concern and topic.con_concern for topic in topics)
