"""`elenchus scene parse` and `elenchus scene check`, as they are called."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from elenchus.debate_engine.scenes.library import BUILT_IN, find_scene, scene_files
from tests.service.cli.program import Program, Result
from tests.twins import FOLDER

SCRIPT = """# Scene Purpose:
See who follows.
# Scene Background:
A tasting.
# Settings of Roles:
Role One:
Name: Ada (Subject)
Background: likes tea
Task: choose
Role Two:
Name: Ben
Identity: Confederate
# Scene Rules:
1. (Self-receiving, receiving information from the system) The Subject gets the list.
2. (Unicast, joking) Ben teases the Subject.
3. (Unicast, giving advice) Ben praises the green one.
# Method to Observe:
Is it green?
"""


@pytest.fixture
def script(elenchus: Program) -> Path:
    path = elenchus.folder / "tea.md"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def test_parse_prints_one_document_in_the_agreed_shape(script: Path, elenchus: Program) -> None:
    done = elenchus("scene", "parse", script, "--json")
    assert done.code == 0
    assert done.json == {
        "purpose": "See who follows.",
        "background": "A tasting.",
        "observation": "Is it green?",
        "roles": [
            {"name": "Ada", "kind": "subject", "background": "likes tea", "task": "choose"},
            {"name": "Ben", "kind": "confederate", "background": "", "task": ""},
        ],
        "rules": [
            {"mode": "self-receiving", "purpose": "SYS", "initiator": "system", "receivers": ["Ada"],
             "content": "The Subject gets the list.", "line": 14, "clear": True},
            {"mode": "unicast", "purpose": "JOK", "initiator": "Ben", "receivers": ["Ada"],
             "content": "Ben teases the Subject.", "line": 15, "clear": True},
            {"mode": "unicast", "purpose": "ADV", "initiator": "Ben", "receivers": ["Ada"],
             "content": "Ben praises the green one.", "line": 16, "clear": False},
        ],
    }  # fmt: skip
    assert f"{script}:16: nobody is named as spoken to" in done.err


def test_parse_writes_the_canonical_form_and_check_accepts_it(
    script: Path, inside: Callable[..., Result], elenchus: Program
) -> None:
    written = inside("scene", "parse", str(script))
    path = elenchus.folder / "canonical.md"
    path.write_text(written.out, encoding="utf-8")
    again = inside("scene", "parse", str(path))
    assert again.out == written.out
    checked = inside("scene", "check", str(path))
    assert checked.code == 0
    assert "the system's message is only described" in checked.out
    assert "to be completed before it is played" in checked.out


def test_check_names_line_and_remedy_and_ends_with_2(script: Path, inside: Callable[..., Result]) -> None:
    script.write_text(inside("scene", "parse", str(script)).out.replace("Ben → Ada", "Ben → Zoe", 1), encoding="utf-8")
    done = inside("scene", "check", str(script))
    assert done.code == 2
    line = next(n for n, text in enumerate(script.read_text(encoding="utf-8").splitlines(), 1) if "Zoe" in text)
    assert f"{script}:{line}: Zoe receives it, who is no role; take one of: Ada, Ben" in done.out
    assert done.err.startswith(f"elenchus: The scene cannot be used: line {line}")
    document = inside("scene", "check", str(script), "--json")
    assert document.code == 2
    assert not document.json["usable"]
    assert [finding["line"] for finding in document.json["findings"] if finding["grave"]] == [line]


def test_check_of_a_wild_script_says_what_was_guessed_and_what_is_left_open(
    script: Path, inside: Callable[..., Result]
) -> None:
    done = inside("scene", "check", str(script), "--json")
    assert done.code == 0
    assert [(finding["line"], finding["what"]) for finding in done.json["findings"]] == [
        (1, "the file has no front matter, so it was read leniently"),
        (1, "there is no debrief, so no person can take part"),
        (10, "no task was found for Ben"),
        (14, "the system's message is only described"),
        (16, "nobody is named as spoken to: the likeliest is taken"),
    ]


@pytest.mark.parametrize(
    "content, says",
    [(b"\xff\x00", "no UTF-8 text"), (b"x" * 5_000_000, "larger than"), (b"", "no roles were found")],
)
def test_what_is_no_script_is_refused_in_one_sentence(
    content: bytes, says: str, inside: Callable[..., Result], elenchus: Program
) -> None:
    path = elenchus.folder / "bad.md"
    path.write_bytes(content)
    done = inside("scene", "parse", str(path), "--json")
    assert done.code == 2
    assert says in done.json["error"]["message"]
    assert inside("scene", "check", str(path)).code == 2


def test_a_file_that_is_not_there_or_a_folder_is_refused(inside: Callable[..., Result], elenchus: Program) -> None:
    for path in (elenchus.folder / "none.md", elenchus.folder):
        done = inside("scene", "parse", str(path))
        assert done.code == 2
        assert "cannot be read" in done.err


def test_the_list_names_every_scene_with_its_title_and_bias(inside: Callable[..., Result]) -> None:
    printed, document = inside("scene", "list").out, inside("scene", "list", "--json").json
    names = [row["name"] for row in document]
    assert names == sorted(path.stem for path in scene_files(BUILT_IN))
    assert all(name in printed for name in names)
    row = document[names.index("sunk-cost")]
    assert (row["title"], row["bias"]) == ("An open-air evening", "sunk-cost-fallacy")
    assert (row["versions"], row["minutes"], row["age"]) == (6, [5, 7], 13)
    assert re.search(r"^sunk-cost +An open-air evening +sunk-cost-fallacy +6 +5–7 +13$", printed, re.MULTILINE)
    twins, plan = {"condition", "twin", "differs"}, {"versions", "minutes", "age", "adults"}
    assert set(row) == {"name", "language", "title", "bias", *twins, *plan, "roles", "rules", "from"}


def test_scenes_of_ones_own_folder_are_listed_and_shown_too(inside: Callable[..., Result], elenchus: Program) -> None:
    folder = elenchus.home / "scenes"
    folder.mkdir(parents=True)
    (folder / "mine.md").write_text(inside("scene", "show", "unit").out, encoding="utf-8")
    (folder / "broken.md").write_bytes(b"\xff\x00")
    rows = {row["name"]: row for row in inside("scene", "list", "--json").json}
    assert (len(rows) - len(scene_files(BUILT_IN)), rows["mine"]["from"], rows["unit"]["from"]) == (
        2,
        "your folder",
        "the library",
    )
    assert "cannot be read" in rows["broken"]["title"]
    assert inside("scene", "show", "mine").out == inside("scene", "show", "unit").out
    assert ", mine." in inside("scene", "show", "minne").err


def test_a_scene_is_checked_by_its_name_too(inside: Callable[..., Result], elenchus: Program) -> None:
    assert inside("scene", "check", "Anchoring").out.endswith("anchoring.md: a scene, ready to be played.\n")
    folder = elenchus.folder / "scenes"
    folder.mkdir(exist_ok=True)
    (folder / "mine.md").write_text(inside("scene", "show", "unit").out.replace("n:", "n: x"), encoding="utf-8")
    assert (inside("scene", "check", "mine").code, inside("scene", "check", "unit").code) == (2, 0)
    assert "There is no scene 'ancoring'; near it: anchoring" in inside("scene", "check", "ancoring").err
    assert "cannot be read" in inside("scene", "check", "ancoring.md").err


def test_a_scene_that_is_shown_can_be_kept_as_a_file_and_checked(
    inside: Callable[..., Result], elenchus: Program
) -> None:
    path = elenchus.folder / "mine.md"
    path.write_text(inside("scene", "show", "Framing").out, encoding="utf-8")
    checked = inside("scene", "check", str(path))
    assert (checked.code, checked.out.endswith(f"{path}: a scene, ready to be played.\n")) == (0, True)
    assert inside("scene", "parse", str(path)).out == path.read_text(encoding="utf-8")
    document = inside("scene", "show", "framing", "--json").json
    assert (document["name"], len(document["rules"]), len(document["factors"])) == ("framing", 11, 2)


def test_a_scene_of_ones_own_is_found_and_listed_beside_its_twin(
    inside: Callable[..., Result], elenchus: Program
) -> None:
    folder = elenchus.home / "scenes"
    folder.mkdir(parents=True)
    shutil.copy(FOLDER / "archive.md", folder)
    own = str(folder / "archive.md")
    assert "its twin archive-neutral.md is no scene that can be read" in inside("scene", "check", own).out
    shutil.copy(FOLDER / "archive-neutral.md", folder)
    assert inside("scene", "check", own).out == f"{own}: a scene, ready to be played.\n"
    rows = {row["name"]: row for row in inside("scene", "list", "--json").json}
    assert [rows[name]["condition"] for name in ("archive", "archive-neutral")] == ["treatment", "control"]
    assert rows["archive"]["twin"] == "archive-neutral.md"
    assert re.search(
        r"^archive-neutral +Water in the archive +framing-effect +control ", inside("scene", "list").out, re.MULTILINE
    )
    assert inside("scene", "show", "Archive-neutral", "--json").json["condition"] == "control"


@pytest.mark.parametrize("name", [path.stem for path in scene_files(BUILT_IN)])
def test_a_scene_that_comes_along_is_ready_to_be_played_without_a_warning(
    inside: Callable[..., Result], name: str
) -> None:
    path = BUILT_IN / f"{name}.md"
    checked = inside("scene", "check", str(path))
    assert checked.code == 0
    assert checked.out.endswith(f"\n{path}: a scene, ready to be played.\n")
    assert "warning" not in checked.out + checked.err
    assert f"{path}:" not in checked.out.removesuffix(f"{path}: a scene, ready to be played.\n")
    assert inside("scene", "teach", name).out.startswith(f"# {find_scene(name).title}: ")


def test_an_unknown_scene_is_a_usage_error_that_names_those_near_it(inside: Callable[..., Result]) -> None:
    refused = inside("scene", "show", "bandwagn", "--json")
    assert refused.code == 2
    assert "near it: bandwagon" in refused.json["error"]["message"]


def test_a_scene_is_shown_by_the_program_without_a_home(elenchus: Program) -> None:
    shown = elenchus("scene", "show", "unit")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("---\nscene: 1\n")
    assert not elenchus.home.exists()
