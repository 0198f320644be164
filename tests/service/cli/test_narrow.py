"""At a narrow terminal every word of a table is there whole, as it is in a pipe, which has room for any line."""

from __future__ import annotations

import re

import pytest

from tests.service.cli.program import Program
from tests.service.cli.test_debate import MOTION

CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
LONGEST = 36
"""Letters of a word that is looked for: a path or an address may be longer than a whole line."""
RUNS = ("--subject", "scripted:demo", "--others", "scripted:demo", "--judge", "scripted:demo", "-n", "2")
SEATS = ("--pro", "scripted:demo", "--con", "scripted:demo", "--judge", "scripted:demo")


def words(text: str) -> set[str]:
    found = (word.rstrip(":") for word in re.findall(r"[^\s│╭╮╰╯─━]+", text))
    return {word for word in found if 3 < len(word) <= LONGEST and word.isascii()}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A home with a debate and the runs of a scene, for all who only look."""
    elenchus = Program(tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("folder"))
    assert elenchus("debate", MOTION, *SEATS, "--topics", "1", "--max-rounds", "1", "--seed", "1").code == 0
    assert elenchus("scene", "run", "anchoring", *RUNS, "--seed", "1").code == 0
    return elenchus


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "models list", "biases list", "personas list", "scene list", "scene results anchoring", "cache", "doctor",
        "debate Homework --dry-run --seed 1 --pro scripted:demo --con scripted:demo --judge scripted:demo",
        "scene run anchoring --dry-run --subject scripted:demo --others scripted:demo --judge scripted:demo",
    ],
)  # fmt: skip
def test_no_table_breaks_a_word_or_loses_one(filled: Program, command: str) -> None:
    whole, again = filled(*command.split()), filled(*command.split())
    for columns in (60, 80):
        with filled.terminal(*command.split(), columns=columns) as terminal:
            assert terminal.wait() == whole.code
        shown = CODES.sub("", terminal.screen)
        assert all(len(line.rstrip()) <= columns or len(line.split()) == 1 for line in shown.splitlines())
        assert (words(whole.out) & words(again.out)) - words(shown) == set()  # free space on the disk changes


def test_a_path_that_is_longer_than_a_line_is_not_broken(elenchus: Program) -> None:
    home = elenchus.home / "a-folder-with-a-long-name" / "of-a-person-who-keeps-everything" / "in-one-place"
    home.mkdir(parents=True)
    program = Program(home, elenchus.folder, elenchus.cold)
    with program.terminal("doctor", columns=80) as terminal:
        assert terminal.wait() == 0
    shown = CODES.sub("", terminal.screen)
    assert str(home / "elenchus.db") in shown
    assert all(len(line.rstrip()) <= 80 or len(line.split()) == 1 for line in shown.splitlines())


def test_a_link_to_sign_in_is_whole_at_any_width(elenchus: Program) -> None:
    for columns in (40, 80):
        with elenchus.terminal("tokens", "create", columns=columns) as terminal:
            assert terminal.wait() == 0
        shown = CODES.sub("", terminal.screen)
        secret = next(line.strip() for line in shown.splitlines() if line.startswith("el_"))
        assert re.fullmatch(r"el_[\w-]{43}", secret)
        assert any(line.strip().endswith(f"/sign-in?link={secret}") for line in shown.splitlines()), shown
