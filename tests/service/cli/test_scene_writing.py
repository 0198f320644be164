"""`elenchus scene new`, `save` and `review`, and `--assist`, as they are called."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.scenes.canonical import read
from tests.debate_engine.protocols.scene_writing.scripted_writer import (
    DEBRIEF,
    MEMBERS,
    NEUTRAL,
    RULES,
    SITUATION,
    WHOLE,
    move,
)
from tests.service.cli.program import Program, Result
from tests.service.cli.test_scenes import SCRIPT

Inside = Callable[..., Result]
WRITER = ("--model", "scripted:writer.yaml")
NEW = ("scene", "new", "--bias", "Concorde fallacy", *WRITER)


def script(**changed: Any) -> str:
    answers: dict[str, Any] = {
        "situation": SITUATION, "cast": {"roles": MEMBERS}, "rules": {"rules": RULES}, "debrief": DEBRIEF,
        "mend": WHOLE, "twin": NEUTRAL, "decide": {"reason": "It is so.", "initiator": "Ben", "receivers": ["Ada"]},
        "message": {"message": "Green, black and white."}, **changed,
    }  # fmt: skip
    rules = [{"prompt": f"scene_writing/{name}", "json": answer} for name, answer in answers.items()]
    return json.dumps({"rules": rules})  # which is YAML too


@pytest.fixture
def writer(elenchus: Program) -> Program:
    (elenchus.folder / "writer.yaml").write_text(script(), encoding="utf-8")
    (elenchus.folder / "tea.md").write_text(SCRIPT, encoding="utf-8")
    return elenchus


def test_a_scene_is_written_into_the_scene_folder_and_reviewed_by_a_person(writer: Program, inside: Inside) -> None:
    done = writer(*NEW, "--json")
    assert done.code == 0, done.err
    path = writer.home / "scenes" / "sunk-cost-fallacy.md"
    assert (done.json["file"], done.json["protocol"], done.json["problems"]) == (str(path), "scene-writing", [])
    assert done.json["usage"]["calls"] == 5
    assert read(path.read_text(encoding="utf-8")).reviewed == "false"
    assert inside("scene", "check", str(path)).code == 0
    shown = inside("scene", "review", "sunk-cost-fallacy")
    assert "> White: 1 day, 90 euros." in shown.out
    assert "not reviewed yet; when you have read it" in shown.out
    assert read(path.read_text(encoding="utf-8")).reviewed == "false"
    accepted = inside("scene", "review", str(path), "--accept", "--by", "Grace", "--json")
    assert accepted.json["reviewed"].startswith("by Grace on 20")
    assert read(path.read_text(encoding="utf-8")).reviewed == accepted.json["reviewed"]
    assert f"{path}: reviewed by Grace" in inside("scene", "review", str(path)).out


def test_a_review_lists_what_is_to_be_looked_at_in_the_twin_too_and_not_that_it_is_to_be_reviewed(
    writer: Program, inside: Inside
) -> None:
    path = Path(writer("scene", "new", "--bias", "Concorde fallacy", *WRITER, "--json").json["file"])
    assert inside("scene", "review", str(path), "--json").json["findings"] == []
    assert "no person has reviewed" not in inside("scene", "review", str(path), "--accept", "--by", "Grace").out
    twin = path.with_name(read(path.read_text(encoding="utf-8")).twin)
    twin.write_text(twin.read_text(encoding="utf-8").replace("White: 1 day", "White: 2 days"), encoding="utf-8")
    (found,) = inside("scene", "review", str(path), "--json").json["findings"]
    assert found["what"] == "no confederate starts it, and the twin has another one"


def test_a_scene_that_nobody_has_reviewed_is_not_run_with_models_or_people(writer: Program, inside: Inside) -> None:
    assert inside(*NEW).code == 0
    for seat in ("scripted:demo", "human"):
        refused = inside("scene", "run", "sunk-cost-fallacy", "--subject", seat)
        assert refused.code == 2
        assert "No person has reviewed the scene “The stairwell" in refused.err


def test_a_second_scene_gets_a_name_of_its_own_and_no_file_is_overwritten(writer: Program, inside: Inside) -> None:
    assert inside(*NEW).code == 0
    second = inside(*NEW)
    assert "sunk-cost-fallacy-2.md: “The stairwell”, not reviewed yet" in second.out
    mine = writer.folder / "mine.md"
    assert inside(*NEW, "--save", str(mine)).code == 0
    before = mine.read_bytes()
    refused = inside(*NEW, "--save", str(mine))
    assert (refused.code, mine.read_bytes()) == (2, before)
    assert "is there already" in refused.err


def test_the_neutral_twin_is_written_beside_the_scene_and_both_are_run_when_reviewed(
    writer: Program, inside: Inside
) -> None:
    assert inside(*NEW).code == 0
    done = inside(*NEW, "--json")
    path, twin = Path(done.json["file"]), Path(done.json["twin_file"])
    assert (path.name, twin.name) == ("sunk-cost-fallacy-2.md", "sunk-cost-fallacy-2-neutral.md")
    assert read(path.read_text(encoding="utf-8")).twin == twin.name
    assert read(twin.read_text(encoding="utf-8")).twin == path.name
    for file in (path, twin):
        assert inside("scene", "review", str(file), "--accept", "--by", "Grace").code == 0
    listed = {row["name"]: row for row in inside("scene", "list", "--json").json}
    assert listed["sunk-cost-fallacy-2"]["from"] == "your folder"
    assert listed["sunk-cost-fallacy"]["from"] == "your folder, not reviewed"
    models = ("--subject", "scripted:demo", "--others", "scripted:demo", "--judge", "scripted:demo")
    planned = inside("scene", "run", "sunk-cost-fallacy-2", *models, "--dry-run", "--json")
    assert [cell["condition"] for cell in planned.json["by_cell"]] == ["treatment", "control"]


def test_nothing_is_overwritten_by_a_twin_and_a_scene_without_one_says_so(writer: Program, inside: Inside) -> None:
    (writer.folder / "mine-neutral.md").write_text("mine")
    refused = inside(*NEW, "--save", "mine.md")
    assert (refused.code, "mine-neutral.md is there already" in refused.err) == (2, True)
    (writer.folder / "writer.yaml").write_text(script(twin={**NEUTRAL, "rules": [{"rule": 4, "text": "x"}]}))
    done = inside(*NEW, "--save", "yours.md", "--json")
    assert (done.code, done.json["twin_file"], (writer.folder / "yours-neutral.md").exists()) == (0, None, False)
    assert "it has no neutral twin (no task" in done.err


def test_what_is_left_wrong_is_named_and_cannot_be_accepted(writer: Program, inside: Inside) -> None:
    wrong = {"rules": [*RULES, move("unicast", "FEL", "Oskar", ["Zoe"], "Tell Zoe.")]}
    (writer.folder / "writer.yaml").write_text(script(rules=wrong, mend={**WHOLE, **wrong}), encoding="utf-8")
    done = inside(*NEW, "--save", "mine.md")
    assert done.code == 0
    assert "Zoe receives it, who is no role; take one of: Nadia, Oskar, Pia" in done.err
    refused = inside("scene", "review", "mine.md", "--accept")
    assert refused.code == 2
    assert "Zoe receives it" in refused.err


def test_a_writing_that_paused_goes_on_and_its_scene_is_saved(writer: Program) -> None:
    paused = writer(*NEW, "--budget-tokens", "1500", "--json")
    assert paused.code == 4
    assert paused.json["file"] is None
    session = paused.json["id"]
    assert f"elenchus scene save {session}" in paused.err
    early = writer("scene", "save", session)
    assert (early.code, "is no finished" in early.err) == (2, True)
    assert writer("sessions", "budget", session, "--tokens", "900000").code == 0
    assert writer("sessions", "resume", session).code == 0
    saved = writer("scene", "save", session, "--save", "mine.md", "--json")
    assert saved.json["file"] == "mine.md"
    assert read((writer.folder / "mine.md").read_text(encoding="utf-8")).title == "The stairwell"
    assert len(writer.events("call_failed")) == 0


def test_a_writer_without_an_answer_leaves_no_file(writer: Program, inside: Inside) -> None:
    rules = [{"prompt": "scene_writing/situation", "fault": "garbled"}]
    (writer.folder / "writer.yaml").write_text(json.dumps({"rules": rules}))
    done = inside(*NEW, "--json")
    assert (done.code, done.json["file"], done.json["text"]) == (3, None, "")
    assert "no scene came of it (the step situation" in done.err
    assert not (writer.home / "scenes").exists()


def test_a_dry_run_tells_the_calls_and_asks_nobody(inside: Inside, writer: Program) -> None:
    done = inside(*NEW, "--dry-run", "--json")
    assert (done.code, done.json["calls"], done.json["longest_chain"]) == (0, 6, 6)
    assert not writer.home.exists()


@pytest.mark.parametrize(
    "arguments, says",
    [
        (("--bias", "no such thing", *WRITER), "there is no bias 'no such thing'"),
        (("--bias", "sunk cost fallacy", "--roles", "2", *WRITER), "--roles must be between 3 and 8"),
        (("--bias", "sunk cost fallacy", "--model", "human"), "needs a model"),
    ],
)
def test_what_cannot_be_written_is_refused_in_one_sentence(
    arguments: tuple[str, ...], says: str, writer: Program, inside: Inside
) -> None:
    done = inside("scene", "new", *arguments)
    assert done.code == 2
    assert says in done.err


def test_parse_with_a_model_shows_who_decided_and_writes_the_scene(writer: Program, inside: Inside) -> None:
    done = inside("scene", "parse", "tea.md", "--assist", "scripted:writer.yaml", "--write", "new.md", "--json")
    assert done.code == 0, done.err
    by_model = {(one["rule"], one["what"]) for one in done.json["assist"]["completed"]}
    assert by_model == {(1, "message"), (3, "parties")}
    assert done.json["assist"]["model"] == "scripted:writer.yaml"
    assert "tea.md:16: scripted:writer.yaml decided that Ben speaks to Ada: It is so." in done.err
    assert "tea.md:14: scripted:writer.yaml wrote the system's message" in done.err
    scene = read((writer.folder / "new.md").read_text(encoding="utf-8"))
    assert (scene.rules[0].message, scene.reviewed) == ("Green, black and white.", "false")
    steps = [json.loads(json.dumps(event))["step"] for event in writer.events("step_done")]
    assert sorted(steps) == ["rule/1/message", "rule/3/parties"]


def test_parse_without_a_model_writes_the_same_as_it_prints(writer: Program, inside: Inside) -> None:
    printed = inside("scene", "parse", "tea.md", "--bias", "bandwagon bias").out
    assert inside("scene", "parse", "tea.md", "--bias", "bandwagon bias", "--write", "new.md").out == ""
    assert Path(writer.folder / "new.md").read_text(encoding="utf-8") == printed
    assert 'bias: "bandwagon-effect"' in printed
    assert inside("scene", "parse", "tea.md", "--write", "new.md").code == 2
    assert not (writer.home / "elenchus.db").exists()


def test_check_with_a_model_shows_what_it_decided(writer: Program, inside: Inside) -> None:
    done = inside("scene", "check", "tea.md", "--assist", "scripted:writer.yaml")
    assert done.code == 0
    assert "tea.md:16: scripted:writer.yaml decided that Ben speaks to Ada" in done.out
    assert "nobody is named as spoken to" not in done.out
    assert "tea.md:14: scripted:writer.yaml wrote the system's message" in done.out
    assert "only described" not in done.out
