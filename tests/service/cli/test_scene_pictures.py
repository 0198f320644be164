"""Pictures of a scene at a terminal, in fresh processes: checked, kept by their hash, shown, exported, resumed."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest

from tests.debate_engine.scenes.pictures import picture
from tests.debate_engine.scenes.test_pictures import SCENE
from tests.service.cli.program import Program

FILES = {"table.png": picture("PNG"), "cards/first.jpg": picture("JPEG"), "second.webp": picture("WEBP")}
HASHES = {name: hashlib.sha256(content).hexdigest() for name, content in FILES.items()}
ALT = "[picture: A short line and a long one.]"
PLAY = ("scene", "run", "cards.md", "--subject", "human", "--condition", "wrong")


@pytest.fixture
def cards(elenchus: Program) -> Path:
    """A scene with its pictures in the folder of the program; the scene's file."""
    (elenchus.folder / "cards").mkdir()
    for name, content in FILES.items():
        (elenchus.folder / name).write_bytes(content)
    (elenchus.folder / "cards.md").write_text(SCENE, encoding="utf-8")
    return elenchus.folder / "cards.md"


def test_a_check_says_what_is_in_the_files_of_the_pictures(elenchus: Program, cards: Path) -> None:
    told = elenchus("scene", "check", cards.name).out
    for name, content in FILES.items():
        assert f"{name}, image/" in told
        assert f"{len(content):,} bytes, sha256 {HASHES[name]}" in told
    document = elenchus("scene", "check", cards.name, "--json").json
    assert [one["sha256"] for one in document["pictures"]] == [*HASHES.values()]


def test_a_check_refuses_a_scene_whose_picture_is_missing_with_its_line(elenchus: Program, cards: Path) -> None:
    (elenchus.folder / "table.png").unlink()
    told = elenchus("scene", "check", cards.name)
    assert told.code == 2
    assert "cards.md:32: the picture table.png cannot be read (no such file or directory: give a file" in told.out
    played = elenchus(*PLAY, stdin="")
    assert played.code == 2
    assert "line 32: the picture table.png cannot be read" in played.err
    assert not elenchus.events("session_started"), "nothing was begun"


def test_a_person_reads_what_is_on_a_picture_and_where_it_lies(elenchus: Program, cards: Path) -> None:
    played = elenchus(*PLAY, "--export", "out", stdin="yes\n1\n2\n")
    assert played.code == 0, played.err
    for words in ("[picture: A table with five chairs.]", ALT):
        assert words in played.out
    kept = elenchus.home / "pictures" / f"{HASHES['cards/first.jpg']}.jpg"
    assert f"the picture: {kept}" in played.out.replace("\n  ", "")
    assert kept.read_bytes() == FILES["cards/first.jpg"]
    assert (elenchus.folder / "out" / "pictures" / kept.name).read_bytes() == kept.read_bytes()
    assert not (elenchus.folder / "out" / "pictures" / f"{HASHES['second.webp']}.webp").exists(), "it was not shown"
    report = (elenchus.folder / "out" / "report.md").read_text()
    assert "A short line and a long one." in report


def test_the_log_has_the_hash_the_kind_and_the_words_of_a_picture_and_never_its_bytes(
    elenchus: Program, cards: Path
) -> None:
    elenchus(*PLAY, stdin="yes\n1\n2\n")
    shown = [event for event in elenchus.events("said") if "picture" in event]
    names = ["table.png", "cards/first.jpg", "cards/first.jpg"]
    assert [event["picture"]["sha256"] for event in shown] == [HASHES[name] for name in names]
    assert shown[1]["picture"]["media_type"] == "image/jpeg"
    assert shown[1]["text"].startswith(f"{ALT}\nBefore you: ")
    (started,) = elenchus.events("session_started")
    assert {one["sha256"] for one in started["config"]["scene"]["pictures"]} == {HASHES[name] for name in names}
    database = (elenchus.home / "elenchus.db").read_bytes()
    assert all(content[:24] not in database for content in FILES.values())


def test_a_session_goes_on_from_a_copy_of_the_home_when_the_scene_and_its_pictures_are_gone(
    elenchus: Program, cards: Path, tmp_path: Path
) -> None:
    with elenchus.terminal(*PLAY) as terminal:
        terminal.expect("(yes / no)")
        terminal.type("yes\r")
        terminal.expect("the picture:")
        terminal.expect("YOUR TURN: MIKA")
    (session,) = [row["id"] for row in elenchus("sessions", "list", "--json").json]
    for name in ("cards.md", *FILES):
        (elenchus.folder / name).unlink()
    shutil.copytree(elenchus.home, tmp_path / "copy")
    elsewhere = Program(tmp_path / "copy", elenchus.folder)
    went_on = elsewhere("sessions", "resume", session, "--export", "out", stdin="1\n2\n")
    assert went_on.code == 0, went_on.err
    assert [event["text"] for event in elsewhere.events("said")].count("2") >= 1
    names = {path.name for path in (elenchus.folder / "out" / "pictures").iterdir()}
    assert names == {f"{HASHES['table.png']}.png", f"{HASHES['cards/first.jpg']}.jpg"}


def test_another_picture_is_another_stimulus_in_the_registration(elenchus: Program, cards: Path) -> None:
    def registered(name: str) -> str:
        assert elenchus("scene", "register", cards.name, "--to", name).code == 0
        return str(json.loads((elenchus.folder / name).read_text())["sha256"])

    before, again = registered("before.json"), registered("again.json")
    (elenchus.folder / "table.png").write_bytes(picture(colour="orange"))
    assert before == again != registered("after.json")


def test_models_read_what_is_on_a_picture_in_words(elenchus: Program, cards: Path) -> None:
    run = elenchus("scene", "run", cards.name, "--subject", "scripted:demo", "--export", "out")
    assert run.code == 0, run.err
    prompts = [str(event["inputs"]) for event in elenchus.events("step_done") if "stated" in event["step"]]
    assert any("You were informed: [picture: A short line and a long one.]" in prompt for prompt in prompts)
    assert (elenchus.folder / "out" / "pictures" / f"{HASHES['table.png']}.png").exists()


def test_a_rehearsal_shows_what_is_on_a_picture_in_words(elenchus: Program, cards: Path) -> None:
    told = elenchus("scene", "rehearse", cards.name).out
    assert re.search(r"system → Mika: \[picture: A table with five chairs\.\]\n +This is the table", told)
    assert not (elenchus.home / "pictures").exists(), "a rehearsal keeps nothing"


def test_the_data_name_the_picture_of_each_judgement_and_who_saw_it_or_read_its_words(
    elenchus: Program, cards: Path
) -> None:
    elenchus(*PLAY, stdin="yes\n2\n2\n")
    elenchus("scene", "run", cards.name, "--subject", "scripted:demo", "--condition", "right")
    done = elenchus("scene", "results", "cards.md", "--export", "data")
    assert done.code == 0, done.err
    with (elenchus.folder / "data" / "trials.csv").open(newline="", encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: (row["subject"], int(row["n"])))
    first, second = f"pictures/{HASHES['cards/first.jpg']}.jpg", f"pictures/{HASHES['second.webp']}.webp"
    of_people, of_a_model = rows[:2], rows[2:]
    told = [(row["item"], row["right"], row["value"], row["correct"], row["picture"]) for row in of_people]
    assert told == [("1", "2", "2", "true", first), ("2", "1", "2", "false", first)]
    assert [row["picture"] for row in of_a_model] == [first, second]
    assert [row["picture_as"] for row in rows] == ["picture", "picture", "words", "words"]
    assert rows[0]["shown"] == f"{ALT}\nBefore you: 2, 2"
    assert rows[0]["options"] == "1 | 2"
    assert all(float(row["seconds"]) >= 0 for row in of_people)
    files = {path.name for path in (elenchus.folder / "data" / "pictures").iterdir()}
    assert files == {Path(name).name for name in (first, second, f"{HASHES['table.png']}.png")}
    methods = (elenchus.folder / "data" / "methods.md").read_text()
    assert "Models read what is on a picture in words" in methods


def test_an_import_takes_the_pictures_of_an_export_along_and_no_other_file(
    elenchus: Program, cards: Path, tmp_path: Path
) -> None:
    elenchus(*PLAY, "--export", "out", stdin="yes\n1\n2\n")
    pictures = elenchus.folder / "out" / "pictures"
    (pictures / f"{HASHES['table.png']}.png").write_bytes(picture(colour="orange"))
    elsewhere = Program(tmp_path / "other", elenchus.folder)
    imported = elsewhere("sessions", "import", "out")
    assert imported.code == 0, imported.err
    assert [path.name for path in (elsewhere.home / "pictures").iterdir()] == [f"{HASHES['cards/first.jpg']}.jpg"]
    shown = elsewhere("sessions", "show", elsewhere("sessions", "list", "--json").json[0]["id"]).out
    assert f"the picture: {elsewhere.home / 'pictures' / HASHES['cards/first.jpg']}.jpg" in shown.replace("\n  ", "")
    assert f"the picture is not here: {elsewhere.home / 'pictures' / HASHES['table.png']}.png is missing" in shown


def test_an_import_that_names_a_picture_by_a_path_is_refused(elenchus: Program, cards: Path) -> None:
    elenchus(*PLAY, "--export", "out", stdin="yes\n1\n2\n")
    events = elenchus.folder / "out" / "events.jsonl"
    events.write_text(events.read_text().replace(HASHES["table.png"], "../../table"))
    refused = elenchus("sessions", "import", "out", "--id", "forged")
    assert refused.code == 2
    assert "sha256" in refused.err
    assert "forged" not in elenchus("sessions", "list", "--json").out


def test_who_copies_a_scene_is_told_where_its_pictures_lie(elenchus: Program, cards: Path) -> None:
    shown = elenchus("scene", "show", cards.name)
    assert "pictures" not in shown.out.split("# Pictures")[0]
    assert "who copies it copies its pictures too: table.png, cards/first.jpg, second.webp" in shown.err
