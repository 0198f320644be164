"""Rules of the house that no linter holds."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOT = TESTS.parent
PROGRAM = ("bot", "config", "debate_engine", "detectors", "service", "storage")
READS = {".read_text", ".read_bytes", ".open", "open", ".safe_load", ".full_load", ".unsafe_load", ".load_all"}
READERS = {
    "config/documents.py": "the one that opens what people hand in",
    "config/json_and_yaml.py": "the one that reads YAML",
    "debate_engine/llm/weights.py": "writes the weights that it fetched, and hashes them",
    "bot/strings/__init__.py": "our own catalogues, from the package",
    "debate_engine/prompts.py": "our own prompts, from the package",
    "debate_engine/protocols/rulegen/study/export/files.py": "our own scripts, from the package",
    "debate_engine/reports/files.py": "writes an export",
    "debate_engine/reports/html.py": "our own page, from the package",
    "debate_engine/scenes/picture_files.py": "a picture, whose bytes are read already",
    "detectors/alignment/bbq/items.py": "what is packed in a file, whose bytes are read already",
    "detectors/alignment/training/counterfactual.py": "our own questions, from the package",
    "detectors/alignment/training/folder.py": "what a training of ours has written",
    "detectors/alignment/training/memory.py": "the system's word on a container's memory",
    "detectors/alignment/training/process.py": "the log of a training's libraries",
    "detectors/evaluation/records.py": "the parts of a workbook, whose bytes are read already",
    "service/web/static_files.py": "our own stylesheet and scripts, from the package",
    "service/web/strings/__init__.py": "our own catalogues, from the package",
    "service/cli/program.py": "puts the null device where a standard stream is closed",
    "service/cli/rldf/stage_process.py": "the null device, where a stage has nothing to read",
    "storage/sqlite_errors.py": "the system's list of locks",
    "storage/database_file.py": "writes a database back where the disk is full",
    "service/cli/class_slips.py": "a new file of codes, which only its owner reads",
    "service/cli/served_at.py": "an address that a server of ours has written",
    "service/lab/leases.py": "what the system tells of a process",
    "service/cli/health.py": "the file by which the server tells that it is alive",
    "storage/pseudonyms.py": "overwrites the key to people's names",
    "storage/salvage.py": "a copy of a damaged database, page by page",
    "storage/vector_store.py": "an index that we have written",
}
"""Who else opens files, and which."""
PATCHING = {"mock", "mocker", ".setattr"}  # monkeypatch.setattr; its setenv and chdir replace nothing of ours


def names(path: Path) -> Iterator[str]:
    """Yield every name that a file's code imports, reads or takes as an argument; an attribute with its dot."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name):
                yield name
            case ast.Attribute(attr=name):
                yield f".{name}"
            case ast.alias(name=name):
                yield from name.split(".")


@pytest.mark.slow
def test_tests_use_real_parts_and_patch_nothing() -> None:
    patched = {str(path.relative_to(TESTS)): PATCHING & set(names(path)) for path in TESTS.rglob("*.py")}
    assert len(patched) > 100
    assert {path: found for path, found in patched.items() if found} == {}


def opened_in(path: Path) -> set[str]:
    """What in a file of the program opens or parses files: the calls by name, an attribute with its dot.

    `open` of what is no path (a log, a thread) takes no mode and is awaited: that is another one.
    """
    found: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    awaited = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Await)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and id(node) not in awaited:
            match node.func:
                case ast.Attribute(value=ast.Name(id="yaml"), attr=name) if not name.endswith("dump"):
                    found.add("yaml")
                case ast.Attribute(attr=name) if f".{name}" in READS:
                    found.add(name)
                case ast.Name(id=name) if name in READS:
                    found.add(name)
    return found


def test_one_module_opens_what_people_hand_in_and_one_reads_yaml() -> None:
    files = [path for package in PROGRAM for path in (ROOT / package).rglob("*.py")]
    openers = {str(path.relative_to(ROOT)) for path in files if opened_in(path)}
    assert openers == set(READERS)
    assert {name for name in openers if "yaml" in opened_in(ROOT / name)} == {"config/json_and_yaml.py"}


def packages_in(path: Path) -> set[str]:
    """The packages that a file imports."""
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=given):
                found |= {alias.name.partition(".")[0] for alias in given}
            case ast.ImportFrom(module=str(module), level=0):
                found.add(module.partition(".")[0])
    return found


def test_what_speaks_to_vendors_and_the_network_is_forbidden_to_the_rest_of_the_engine() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (forbidden,) = [c["forbidden_modules"] for c in contracts if "in debate_engine.llm alone" in c["name"]]
    imported = set[str]().union(*map(packages_in, (ROOT / "debate_engine/llm").rglob("*.py")))
    harmless = {*sys.stdlib_module_names, "elenchus", "pydantic", "pydantic_core", "regex", "yarl"}
    assert imported - harmless <= set(forbidden)


def is_there(name: str) -> bool:
    """Whether a dotted name that begins with one of our folders leads to a folder, a module or a name in one."""
    path, *rest = name.split(".")
    for n, part in enumerate(rest, 1):
        path = f"{path}/{part}"
        if (ROOT / f"{path}.py").exists():
            known = {one.lstrip(".") for one in names(ROOT / f"{path}.py")} | defined_in(ROOT / f"{path}.py")
            return set(rest[n:]) <= known
    return (ROOT / path).is_dir()


def defined_in(path: Path) -> set[str]:
    """The functions and classes of a file."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}


def test_what_the_program_names_in_its_folders_is_there() -> None:
    named = re.compile(rf"`((?:{'|'.join(PROGRAM)})(?:\.\w+)+)`")
    found = {
        (str(path.relative_to(ROOT)), name)
        for folder in PROGRAM
        for path in (ROOT / folder).rglob("*.py")
        for name in named.findall(path.read_text(encoding="utf-8"))
        if not name.endswith((".json", ".py"))
    }
    assert len(found) > 20
    assert [(path, name) for path, name in sorted(found) if not is_there(name)] == []


@pytest.mark.slow
def test_nothing_imports_our_folders_by_another_name_than_ours() -> None:
    """They would be found where the checkout is on the path, and be a second copy of each module."""
    files = [path for folder in (*PROGRAM, "tests", "benchmarks", "docs") for path in (ROOT / folder).rglob("*.py")]
    assert [str(path.relative_to(ROOT)) for path in files if packages_in(path) & set(PROGRAM)] == []
