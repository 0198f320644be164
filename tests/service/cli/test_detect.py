"""`elenchus detect`."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest
import yaml

from elenchus.config.catalogue import load_biases
from elenchus.detectors.decision.weights import built_in
from elenchus.detectors.evaluation.unlabelled import METHODS
from tests.service.cli.program import Program, Result
from tests.service.cli.test_debate import MOTION, refused

NOTE = (
    "We have put three years and all our savings into the boat. Everybody says it will never float. But if we stopped "
    "now, all that money would have been for nothing, so we build on."
)
QUOTE = "all that money would have been for nothing"
SCRIPT = """
rules:
  - prompt: detectors/screen
    json: {biases: [Sunk cost fallacy, Loss aversion]}
  - prompt: detectors/check
    json: {quotes: [all that money would have been for nothing], reason: It says so., present: "yes"}
  - prompt: detectors/label
    json: {reason: It says “all that money would have been for nothing”., present: "yes"}
  - prompt: detectors/choose
    json: {bias: IKEA effect, reason: They “put three years and all our savings into the boat”.}
  - prompt: detectors/marks
    step: "*/sunk-cost-fallacy/*"
    json:
      {remark: Good., support: 9, consistency: 8, refutation: 5, completeness: 8, persuasiveness: 8, reasonableness: 9}
  - prompt: detectors/marks
    json:
      {remark: Weak., support: 3, consistency: 8, refutation: 5, completeness: 8, persuasiveness: 4, reasonableness: 3}
"""
MODEL = ("--model", "scripted:sunk.yaml")
KEYS = ("verdict", "bias", "ranking", "candidates", "matches", "decision", "usage")
"""Of the document, whatever the method and the outcome."""


@pytest.fixture
def program(elenchus: Program) -> Program:
    """The program in a folder with a text and a script."""
    (elenchus.folder / "note.txt").write_text(NOTE)
    (elenchus.folder / "sunk.yaml").write_text(SCRIPT)
    return elenchus


@pytest.mark.slow
def test_detect_finds_the_bias_by_debates_and_tells_all_of_it(program: Program) -> None:
    arguments = ("note.txt", *MODEL, "--top", "2", "--weights", "mean", "--export", "out", "--json")
    result = program.from_a_shell("detect", *arguments)
    assert result.code == 0, result.err
    found: dict[str, Any] = result.json
    assert set(KEYS) <= set(found)
    assert (found["state"], found["protocol"], found["title"]) == ("finished", "detect", "note.txt")
    assert (found["verdict"], found["bias"]) == ("found", "sunk-cost-fallacy")
    assert [row["name"] for row in found["ranking"]] == ["Sunk cost fallacy", "Loss aversion"]
    assert found["decision"]["weights"]["name"] == "mean"
    (match,) = found["matches"]
    assert len(match["speeches"]) == 8
    assert len(match["cards"]) == 8
    assert found["usage"]["calls"] == 2 + 2 + 8 + 8
    assert [NOTE[slice(*span)] for span in found["candidates"][0]["quotes"][0]["spans"]] == [QUOTE]
    assert "the debates end with: Sunk cost fallacy" in result.err
    report = (program.folder / "out" / "report.md").read_text()
    assert f"**{QUOTE}**" in report
    shown = program("sessions", "show", found["id"])
    assert "Sunk cost fallacy" in shown.out


def test_a_bias_that_is_there_for_a_scene_alone_is_refused(program: Program) -> None:
    refused = program("detect", "note.txt", *MODEL, "--bias", "dilution")
    assert refused.code == 2
    assert "Dilution effect is in the catalogue for a scene, and no detector looks for it" in refused.err


@pytest.mark.slow
@pytest.mark.parametrize("how", [*(("--method", method) for method in METHODS[1:]), ("--bias", "reactance")])
def test_the_document_has_the_same_keys_by_every_method(program: Program, how: tuple[str, str]) -> None:
    result = program("detect", "note.txt", *MODEL, *how, "--json")
    assert result.code == 0, result.err
    found = result.json
    assert [key for key in KEYS if key not in found] == []
    assert found["verdict"] in ("found", "none", "undecided", "unread", "unfounded")
    assert found["bias"] is None or found["bias"] in {bias.id for bias in load_biases()}
    assert all(isinstance(found[key], list) for key in ("ranking", "candidates", "matches"))
    assert (found["decision"] is not None) == (how[1] == "tree")
    assert found["usage"]["calls"] >= 1


def test_a_text_comes_by_standard_input_and_the_result_in_lines(program: Program) -> None:
    result = program("detect", "-", *MODEL, "--method", "zero-shot", stdin=NOTE)
    assert result.code == 0, result.err
    assert "**Result:** **IKEA effect** (one call)" in result.out
    document = program("detect", "-", *MODEL, "--method", "zero-shot", "--json", stdin=NOTE).json
    assert (document["why"], document["reason"]) == ("They “put three years and all our savings into the boat”.", "")


def test_one_bias_is_asked_about_with_repeats(program: Program) -> None:
    result = program("detect", "note.txt", *MODEL, "--bias", "Concorde fallacy", "--repeats", "3", "--json")
    assert result.code == 0, result.err
    found = result.json
    assert (found["verdict"], found["bias"], found["agreement"]) == ("found", "sunk-cost-fallacy", 1.0)
    assert len(found["answers"]) == 3


def test_a_session_is_examined_with_speaker_and_turn(program: Program) -> None:
    rules = [{"prompt": f"socrasynth/{name}", "text": "The ban is near."} for name in ("opening", "closing")]
    (program.folder / "con.yaml").write_text(yaml.safe_dump({"rules": rules}))
    seats = {"--pro": "demo", "--con": "con.yaml", "--judge": "demo", "--crit": "demo"}
    demo = [part for seat, name in seats.items() for part in (seat, f"scripted:{name}")]
    debate = program("debate", MOTION, *demo, "--topics", "1", "--max-rounds", "0", "--json")
    assert debate.code == 0, debate.err
    (program.folder / "any.yaml").write_text(
        "rules: [{prompt: detectors/check, json: {quotes: [The ban is near], reason: x, present: 'yes'}}]\n"
    )
    given = (
        "--session",
        debate.json["id"][:5],
        "--speaker",
        "con",
        "--labels",
        "reactance",
        "--model",
        "scripted:any.yaml",
    )
    found = program("detect", *given, "--json")
    assert found.code == 0, found.err
    (quote,) = found.json["quotes"]
    assert quote["speaker"] == "con"
    assert quote["turn"] in (2, 4)
    assert found.json["title"].endswith(f"({debate.json['id']})")
    refused_ = program("detect", "--session", debate.json["id"], "--speaker", "nobody", *MODEL, "--json")
    assert "it was pro, con" in refused(refused_)


def test_a_dry_run_tells_the_cost_and_asks_nobody(inside: Callable[..., Result], program: Program) -> None:
    result = inside("detect", "note.txt", *MODEL, "--dry-run", "--json")
    assert result.code == 0, result.err
    assert (result.json["calls"], result.json["longest_chain"]) == (274, 23)
    assert not program.home.exists()


def test_a_detection_beyond_its_budget_pauses_and_can_be_resumed(program: Program) -> None:
    first = program("detect", "note.txt", *MODEL, "--budget-tokens", "4000", "--json")
    assert first.code == 4
    assert first.json["state"] == "paused"
    assert [key for key in KEYS if key not in first.json] == []
    assert (first.json["verdict"], first.json["bias"], first.json["decision"]) == (None, None, None)
    assert program("sessions", "budget", first.json["id"], "--tokens", "1000000").code == 0
    again = program("sessions", "resume", first.json["id"], "--json")
    assert again.code == 0, again.err
    assert again.json["bias"] == "sunk-cost-fallacy"


def test_the_same_seed_gives_the_models_the_same_seeds(program: Program) -> None:
    for _ in range(2):
        assert program("detect", "note.txt", *MODEL, "--method", "zero-shot", "--seed", "7").code == 0
    one, other = (event["calls"][0]["seed"] for event in program.events("step_done") if event["calls"])
    assert one == other is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(built_in()))
def test_weights_are_taken_by_name(inside: Callable[..., Result], program: Program, name: str) -> None:
    assert inside("detect", "note.txt", *MODEL, "--weights", name, "--dry-run").code == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "Give what is to be examined"),
        (["note.txt", "--session", "abc"], "Give what is to be examined"),
        (["none.txt"], "cannot be read"),
        (["empty.txt"], "The text is empty"),
        (["large.txt"], "larger than 400,000 bytes"),
        (["binary.txt"], "not UTF-8"),
        (["note.txt", "--method", "guess"], "There is no method 'guess'"),
        (["note.txt", "--weights", "best"], "no weights 'best'"),
        (["note.txt", "--weights", "odd.yaml"], "six finite numbers"),
        (["note.txt", "--weights", "none.yaml"], "cannot be read"),
        (["note.txt", "--labels", "sunk cost fallacy,boat bias"], "no bias 'boat bias'"),
        (["note.txt", "--labels", "reactance,,"], "no bias ''"),
        (["note.txt", "--labels", "reactance,Reactance"], "names a bias twice"),
        (["note.txt", "--bias", "boat"], "no bias 'boat'"),
        (["note.txt", "--bias", "reactance", "--labels", "ikea effect"], "give one of them"),
        (["note.txt", "--repeats", "2"], "--repeats goes with --bias"),
        (["note.txt", "--speaker", "pro"], "--speaker goes with --session"),
        (["note.txt", "--top", "0"], "--top must be"),
        (["note.txt", "--top", "2", "--method", "cot"], "--top ranks by the loser tree"),
        (["note.txt", "--top", "2", "--bias", "reactance"], "--top ranks by the loser tree"),
        (["note.txt", "--weights", "mean", "--method", "tree"], "only --method full has"),
        (["note.txt", "--bias", "reactance", "--method", "group"], "leave out --method"),
        (["note.txt", "--model", "nobody:x"], "PROVIDER"),
        (["note.txt", "--budget-tokens", "0"], "pays for nothing"),
    ],
)
def test_what_cannot_be_examined_is_refused_before_anything_is_spent(
    inside: Callable[..., Result], program: Program, arguments: list[str], says: str
) -> None:
    (program.folder / "empty.txt").write_text(" \n\x1b\n")
    (program.folder / "large.txt").write_text("word " * 200_000)
    (program.folder / "binary.txt").write_bytes(b"\xff\xfe\x00")
    (program.folder / "odd.yaml").write_text("[1, 2]")
    model = [] if "--model" in arguments else MODEL
    assert says in refused(inside("detect", *arguments, *model, "--json"))
    assert not program.home.exists()


def test_a_megabyte_on_standard_input_is_refused(program: Program) -> None:
    assert "larger than 400,000 bytes" in refused(program("detect", "-", *MODEL, "--json", stdin="x" * 1_048_576))
    assert "The text is empty" in refused(program("detect", "-", *MODEL, "--json", stdin=" "))


@pytest.mark.parametrize(
    "text", ["Wir bauen weiter, sonst wäre alles umsonst.", "已经花了三年，不能停。", "נמשיך לבנות עד הסוף."]
)
def test_texts_in_other_languages_are_examined(program: Program, text: str) -> None:
    (program.folder / "text.txt").write_text(text)
    named = {"prompt": "detectors/choose", "json": {"bias": "IKEA effect", "reason": f"“{text}”"}}
    (program.folder / "quoting.yaml").write_text(yaml.safe_dump({"rules": [named]}))
    result = program("detect", "text.txt", "--model", "scripted:quoting.yaml", "--method", "zero-shot", "--json")
    assert result.code == 0, result.err
    assert result.json["verdict"] == "found"


def test_a_long_text_is_examined_whole_where_the_models_context_has_room_for_it(program: Program) -> None:
    (program.folder / "long.txt").write_text(f"{NOTE} " * 300)
    result = program("detect", "long.txt", *MODEL, "--method", "zero-shot", "--json")
    assert result.code == 0, result.err
    assert (result.json["left_out"], result.json["notes"]) == (0, [])
    assert result.json["usage"]["input_tokens"] > 15_000


def test_a_detection_of_a_session_says_which_so_that_forgetting_reaches_it(program: Program) -> None:
    demo = ("--pro", "scripted:demo", "--con", "scripted:demo", "--judge", "scripted:demo", "--crit", "scripted:demo")
    debate = program("debate", MOTION, *demo, "--topics", "1", "--max-rounds", "0", "--json")
    found = program("detect", "--session", debate.json["id"], *MODEL, "--method", "zero-shot", "--json")
    assert found.code == 0, found.err
    assert [event["source"] for event in program.events("session_started")] == ["", debate.json["id"]]


# ── the knowledge library ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(find_spec("chromadb") is None, reason="chromadb is not installed: --screen is NOT tested here")
def test_a_screen_by_embeddings_adds_candidates_and_the_library_is_built_once(program: Program) -> None:
    first = program("detect", "note.txt", *MODEL, "--screen", "embeddings", "--method", "tree", "--json")
    assert first.code == 0, first.err
    assert "building the knowledge library: 73 of 73 biases" in first.err
    added = sorted(found["library"] for found in first.json["candidates"] if found["library"])
    assert added == list(range(1, 9))
    assert first.json["candidates"][0]["bias"] == "sunk-cost-fallacy"
    again = program("detect", "note.txt", *MODEL, "--labels", "ikea effect, loss aversion", "--json")
    assert again.code == 0, again.err
    assert "building" not in again.err
    assert again.json["decision"]["weights"]["name"] == "dqn-genetic"
    (row,) = [line for line in program("doctor").out.splitlines() if " library " in line]
    assert str(program.home / "library") in row
    assert "wordllama" in row


def test_a_screen_that_there_is_not_or_that_nobody_asks_is_refused(program: Program) -> None:
    for more in (("--screen", "magic"), ("--screen", "embeddings", "--method", "cot")):
        assert "--screen" in refused(program("detect", "note.txt", *MODEL, *more, "--json"))


def test_a_library_server_that_does_not_answer_is_told_before_anything_is_spent(program: Program) -> None:
    if find_spec("chromadb") is None:
        pytest.skip("chromadb is not installed: its server is NOT tested here")
    result = program("detect", "note.txt", *MODEL, "--json", env={"ELENCHUS_LIBRARY_SERVER": "http://127.0.0.1:9"})
    assert "ELENCHUS_LIBRARY_SERVER" in refused(result, 5)
    assert program.events("session_started") == []
