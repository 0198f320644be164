"""Devices, pipes, bombs and noise in every place where a command takes a file: a sentence each, and exit code 2."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from tests.config.test_json_and_yaml import BOMB
from tests.service.cli.program import ROOT, Program, Result, environment
from tests.warm import process as warm

pytestmark = pytest.mark.skipif(not warm.AVAILABLE, reason="only Linux has these devices and limits")

BOUNDED = """
import resource
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 1_000_000_000,) * 2)
from elenchus.service.cli import program
sys.argv[:] = ["elenchus", *sys.argv[2:]]
program.main()
"""
"""The program, which may take a gigabyte more than it has: a mistake here takes no machine with it."""

MOTION = "Homework should end"
TAKES: dict[str, tuple[str, ...]] = {
    "scene check": ("scene", "check", "FILE"),
    "scene parse": ("scene", "parse", "FILE"),
    "scene show": ("scene", "show", "FILE"),
    "scene run": ("scene", "run", "FILE", "--dry-run"),
    "agenda": ("debate", MOTION, "--dry-run", "--agenda", "FILE"),
    "sweep": ("sweep", MOTION, "--dry-run", "--agenda", "FILE"),
    "brief": ("debate", MOTION, "--dry-run", "--brief", "FILE"),
    "document": ("crit", "FILE", "--dry-run"),
    "source": ("crit", "GOOD", "--source", "FILE", "--dry-run"),
    "text": ("detect", "FILE", "--dry-run"),
    "weights": ("detect", "GOOD", "--weights", "FILE", "--dry-run"),
    "import": ("sessions", "import", "FILE"),
    "debates": ("decision", "evaluate", "--data", "FILE", "--learner", "genetic"),
    "records": ("bench", "evaluator", "FILE", "--dry-run"),
    "texts": ("bench", "unlabelled", "--texts", "FILE", "--dry-run"),
    "script": ("crit", "GOOD", "--model", "scripted:FILE", "--dry-run"),
    "model": ("crit", "GOOD", "--model", "local:FILE", "--dry-run"),
}
"""Every command that takes a file; FILE stands for it, GOOD for a file as it should be."""

ENDINGS = {"agenda": ".yaml", "sweep": ".json", "weights": ".yaml", "records": ".jsonl", "texts": ".csv",
           "script": ".yaml", "model": ".gguf", "import": ".jsonl", "scene run": ".md"}  # fmt: skip


def bounded(elenchus: Program, *arguments: str | Path, said: str = "", seconds: float = 60) -> Result:
    """A command within a gigabyte and a minute."""
    env = environment(elenchus.home, {"PYTHONPATH": str(ROOT)})
    given = [BOUNDED, *map(str, arguments)]
    done = warm.run("tests.warm.small", given, cwd=elenchus.folder, env=env, timeout=seconds, said=said)
    return Result(done.returncode, done.stdout, done.stderr)


def hand_in(elenchus: Program, what: str, file: Path) -> Result:
    (elenchus.folder / "good.txt").write_text("Everybody does it, so it must be right.")
    known = {"FILE": str(file), "GOOD": "good.txt"}
    return bounded(elenchus, *(known.get(a, a.replace("FILE", str(file))) for a in TAKES[what]))


def assert_a_sentence(result: Result) -> None:
    assert result.code == 2, result
    assert "Traceback" not in result.err
    assert "mistake in Elenchus" not in result.err
    assert result.err.startswith(("elenchus: ", "warning: ")), result.err


@contextmanager
def special(folder: Path, kind: str, ending: str) -> Iterator[Path]:
    """A path of this ending that is no regular file."""
    path = folder / f"given{ending}"
    with socket.socket(socket.AF_UNIX) as listening:
        match kind:
            case "pipe":
                os.mkfifo(path)
            case "folder":
                path.mkdir()
            case "socket":
                listening.bind(os.path.relpath(path))
            case device:
                path.symlink_to(device)
        yield path


@pytest.mark.parametrize("kind", ["/dev/zero", "pipe", "socket", "/proc/kmsg"])
@pytest.mark.parametrize("what", TAKES)
def test_no_command_reads_a_device_waits_for_a_pipe_or_reads_without_end(
    elenchus: Program, what: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(elenchus.folder)
    with special(elenchus.folder, kind, ENDINGS.get(what, ".txt")) as path:
        assert_a_sentence(hand_in(elenchus, what, path))


YAML = ("agenda", "weights", "script", "scene check", "scene parse", "scene show")


@pytest.mark.parametrize("what", YAML)
@pytest.mark.parametrize(
    "text",
    [BOMB, "a: !!timestamp x\n", "- !!timestamp x\n", "a: .inf\n", "[" * 50_000, "a: 1\na: 2\n", "a: 2026-99-99\n"],
)
def test_aliases_tags_and_whatever_else_yaml_can_hold_are_a_sentence(elenchus: Program, what: str, text: str) -> None:
    path = elenchus.folder / f"given{ENDINGS.get(what, '.md')}"
    path.write_text(f"---\nscene: 1\n{text}\n---\n" if what.startswith("scene") else text)
    result = hand_in(elenchus, what, path)
    if what == "scene parse" and result.code == 0:
        return  # the text may be read leniently
    if what in ("scene check", "scene parse", "scene show"):
        assert result.code in (1, 2)
        assert "Traceback" not in result.err + result.out
        assert "mistake in Elenchus" not in result.err
    else:
        assert_a_sentence(result)


@pytest.mark.parametrize("kind", ["/dev/zero", "pipe", "bomb", "tag", "noise"])
@pytest.mark.parametrize("name", ["models.yaml", ".env"])
def test_our_own_files_of_settings_are_no_exception(elenchus: Program, name: str, kind: str) -> None:
    path = elenchus.folder / ".env" if name == ".env" else elenchus.home / name
    path.parent.mkdir(exist_ok=True)
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "bomb" | "tag" | "noise":
            path.write_bytes({"bomb": BOMB.encode(), "tag": b"openai: !!set x", "noise": b"\xff\0"}[kind])
        case device:
            path.symlink_to(device)
    result = bounded(elenchus, "models", "list")
    if name == ".env" and kind in ("bomb", "tag"):
        assert result.code == 0, "lines that are no settings"
    else:
        assert_a_sentence(result)
        assert str(path.name) in result.err


def test_standard_input_without_an_end_is_read_to_its_bound(elenchus: Program) -> None:
    with Path("/dev/zero").open("rb") as endless:
        for command in (("crit", "-"), ("detect", "-")):
            env = environment(elenchus.home, {"PYTHONPATH": str(ROOT)})
            with (elenchus.folder / "err").open("w+") as err, warm.start(
                "tests.warm.small", [BOUNDED, *command, "--dry-run"], cwd=elenchus.folder, env=env,
                files=(endless.fileno(), err.fileno(), err.fileno()),
            ) as started:  # fmt: skip
                assert started.wait(60) == 2
                err.seek(0)
                assert "on standard input cannot be read (it is larger than 400,000 bytes" in err.read()


# ── workbooks ────────────────────────────────────────────────────────────────────────────────────────────────────


SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{}<sheetData>{}</sheetData></worksheet>'


def workbook(sheet: str, strings: str | None = None, cell: str = "x") -> bytes:
    """A workbook of one sheet with this XML."""
    from openpyxl import Workbook

    plain, made = BytesIO(), BytesIO()
    book = Workbook()
    assert book.active is not None
    book.active.append([cell])
    book.save(plain)
    with ZipFile(plain) as held, ZipFile(made, "w", ZIP_DEFLATED) as bomb:
        for name in held.namelist():
            data: str | bytes = held.read(name)
            if name.endswith("sheet1.xml"):
                data = sheet
            if name.endswith("sharedStrings.xml") and strings is not None:
                data = strings
            bomb.writestr(name, data)
    return made.getvalue()


def cell(place: str, text: str = "x") -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


WORKBOOKS = {
    "a billion laughs": lambda: workbook(
        SHEET.format("", ""),
        "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
            f"<!ENTITY {n} '{f'&{b};' * 10}'>" for b, n in zip("abcdefgh", "bcdefghi", strict=True)
        ) + "]><sst><si><t>&i;</t></si></sst>",
    ),
    "zeros that pack well": lambda: workbook(SHEET.format("", f'<row r="1">{cell("A1", "0" * 200_000_000)}</row>')),
    "a row far below": lambda: workbook(SHEET.format("", f'<row r="{10**15}">{cell("A1")}</row>')),
    "cells far to the right": lambda: workbook(
        SHEET.format("", "".join(f'<row r="{n}">{cell(f"ZZZ{n}")}</row>' for n in range(1, 100_000)))
    ),
    "a size that it has not": lambda: workbook(
        SHEET.format('<dimension ref="A1:XFD1048576"/>', f'<row r="1048576">{cell("XFD1048576")}</row>')
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", WORKBOOKS)
@pytest.mark.parametrize("what", ["records", "texts"])
def test_a_workbook_that_unpacks_to_more_than_it_seems_is_refused(elenchus: Program, what: str, kind: str) -> None:
    path = elenchus.folder / "bomb.xlsx"
    path.write_bytes(WORKBOOKS[kind]())
    assert path.stat().st_size < 3_000_000
    assert_a_sentence(hand_in(elenchus, what, path))
