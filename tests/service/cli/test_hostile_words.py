"""Words of models and people that would drive a terminal, in every place where the program shows or writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.debate_engine.test_printable import harmful_in
from tests.service.cli.program import Program
from tests.service.cli.test_debate import MOTION, SHORT

ATTACK = "\x1b]0;PWNED\x07\x1b[2J\x9b31m\x9d0;PWNED\x9c\u202etxt\u2066\u200b\nforged: line\r=1+1"


def attacked(value: Any) -> Any:
    """The value with the attack in all its free texts."""
    match value:
        case str() if " " in value:
            return f"{value} {ATTACK}"
        case list():
            return [attacked(each) for each in value]
        case dict():
            return {key: attacked(each) for key, each in value.items()}
    return value


@pytest.fixture
def hostile(elenchus: Program, tmp_path: Path) -> str:
    """The id of an imported debate in which whoever speaks attacks."""
    debate = elenchus("debate", MOTION, *SHORT, "--coach", "--export", tmp_path / "made", "--json").json["id"]
    lines = (tmp_path / "made" / "events.jsonl").read_text().splitlines()
    spoilt = "".join(f"{json.dumps(attacked(json.loads(line)))}\n" for line in lines)
    (tmp_path / "events.jsonl").write_text(spoilt)
    assert elenchus("sessions", "import", tmp_path / "events.jsonl", "--id", f"hostile-{debate}").code == 0
    return f"hostile-{debate}"


@pytest.mark.slow
def test_nothing_of_it_is_in_any_file_of_an_export(elenchus: Program, hostile: str, tmp_path: Path) -> None:
    assert elenchus("sessions", "export", hostile, "--export", tmp_path / "out").code == 0
    texts = {path.name: path.read_text() for path in (tmp_path / "out").iterdir() if path.suffix != ".png"}
    assert {name: harmful_in(text) for name, text in texts.items() if harmful_in(text)} == {}
    for name in ("report.md", "report.html", "events.jsonl", "run.json"):
        assert "PWNED" in texts[name], f"the words themselves stay in {name}"
    again = json.loads(texts["events.jsonl"].splitlines()[0])
    assert again["title"].endswith(ATTACK), "what the log holds is kept as it is"


def test_nothing_of_it_reaches_a_pipe(elenchus: Program, hostile: str) -> None:
    for arguments in (["sessions", "list"], ["sessions", "show", hostile], ["doctor"]):
        for more in ([], ["--json"]):
            result = elenchus(*arguments, *more)
            assert result.code == 0
            assert not harmful_in(result.out + result.err)
    rows = elenchus("sessions", "list").out.splitlines()
    assert len(rows) == 2, "a title is one line, whatever is in it"
    assert len({row.count("\t") for row in rows}) == 1
    assert not harmful_in(elenchus("sessions", "delete", hostile, "--json").out)


def test_nothing_of_it_reaches_a_terminal(elenchus: Program, hostile: str) -> None:
    for arguments in (["sessions", "list"], ["sessions", "show", hostile]):
        with elenchus.terminal(*arguments) as terminal:
            assert terminal.wait() == 0
            for part in ("\x1b]", "\x9b", "\x9d", "\x1b[2J", "\x07", "\u202e", "\u2066", "\u200b"):
                assert part not in terminal.screen, repr(part)
            assert "forged: line" in " ".join(terminal.screen.split())


def test_nothing_of_it_reaches_the_live_view_of_a_debate(elenchus: Program) -> None:
    script = elenchus.folder / "attack.yaml"
    script.write_text(f"latency: 0.05\nrules:\n- step: '*opening*'\n  text: {json.dumps('Words. ' + ATTACK)}\n")
    with elenchus.terminal("debate", MOTION, *SHORT, "--pro", f"scripted:{script}") as terminal:
        assert terminal.wait() == 0
        assert "PWNED" in terminal.screen
        for part in ("\x1b]", "\x9b", "\x9d", "\x1b[2J", "\u202e", "\u2066", "\u200b"):
            assert part not in terminal.screen, repr(part)


def test_an_error_of_ours_that_quotes_them_is_told_without(elenchus: Program) -> None:
    for arguments in (
        ["sessions", "show", ATTACK],
        ["scene", "show", ATTACK],
        ["crit", ATTACK],
        ["biases", "show", ATTACK],
    ):
        for more in ([], ["--json"]):
            result = elenchus(*arguments, *more)
            assert result.code == 2
            assert not harmful_in(result.out + result.err)
