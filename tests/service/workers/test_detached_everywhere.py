"""Every command that starts something can leave it to a worker, which runs it: each is tried over the real program."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from elenchus.debate_engine.protocols.registry import register
from elenchus.service.cli.program import whole_tree
from elenchus.service.lab.mind_options import mind_id
from elenchus.storage.sql_log import SqlLog
from tests.debate_engine.protocols.cognition.profiles import GRETA_AS_JSON
from tests.detectors.evaluation.cogbench.made_files import record, written
from tests.foreign.packages import known
from tests.foreign.turn_taking import SPEC
from tests.service.cli.program import Program, Result
from tests.service.workers.fleet import until
from tests.service.workers.parts import nothing_left, queue_in, working

ASKS_MODELS = {"--model", "--dry-run", "--budget-tokens", "--judge", "--teacher", "--assist", "--unpriced-ok"}
"""A command that has one of these may start something."""

LEAVES_NOTHING = {
    "bot": "serves until it is ended",
    "serve": "serves until it is ended",
    "up": "serves until it is ended",
    "class": "a server holds it, and the command returns",
    "scene parse": "--assist completes a text that is printed",
    "scene check": "--assist completes a text that is looked at",
    "sessions budget": "is for a session that was started",
    "models check": "tells how long each model took",
    "rldf base": "copies weights",
    "rldf experiment": "trains in this process, and goes on where it was broken off",
    "rldf train": "a process and a folder of its own",
    "rldf export": "writes what was scored",
    "scene register": "writes what is planned",
    "decision train": "learns here, of files",
}
"""Those that start nothing which a worker could run, and why."""


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, set[str]]]:
    """Each command below one, with its options."""
    below = getattr(command, "commands", {})
    for name, one in below.items():
        yield from commands(one, (*path, name))
    if not below:
        yield " ".join(path), {name for parameter in command.params for name in parameter.opts}


def test_every_command_that_asks_models_can_leave_it_to_a_worker() -> None:
    found = dict(commands(whole_tree()))
    assert set(LEAVES_NOTHING) <= set(found), "none of these is gone"
    asking = {name for name, options in found.items() if options & ASKS_MODELS} - set(LEAVES_NOTHING)
    leaving = {name for name, options in found.items() if "--detach" in options}
    assert asking <= leaving
    assert leaving == {name for names in STARTED for name in [names.partition(":")[0]]}, "each is tried below"
    assert not leaving & set(LEAVES_NOTHING)


ANSWER = {
    "id": "1", "name": "sft", "model": "local:x", "bias": "age", "about": "age", "topic": "tea", "sample": 1,
    "text": "It warms.",
}  # fmt: skip
DEMO = ("--model", "scripted:demo")
JUDGES = ("--judge", "scripted:demo")
STARTED: dict[str, tuple[str, ...]] = {
    "debate": ("Tea is better", *DEMO, "--max-rounds", "1", "--topics", "1"),
    "crit": ("text.txt", *DEMO),
    "sweep": ("Tea is better", *DEMO, "--heat", "0.9", "--heat", "0.1", "--topics", "1"),
    "run": ("turn-taking", "--set", "motion=Tea is better", *DEMO),
    "detect": ("text.txt", *DEMO, "--method", "zero-shot"),
    "mind create": ("greta", "--person", "invented", "--profile", "greta.json", *DEMO),
    "mind feed": ("greta", "text.txt"),
    "mind ask": ("greta", "How are you?"),
    "mind survey": ("greta", "Tea is better."),
    "scene new": ("--bias", "Concorde fallacy", *DEMO),
    "scene run": ("anchoring-effect", "--subject", "scripted:demo", "-n", "1", "--others", "scripted:demo", *JUDGES),
    "scene run:people": ("bandwagon", "--subject", "human:ada", "--others", "scripted:demo", *JUDGES),
    "scene resume": ("{scene run}",),
    "bench static": (*DEMO, "--bias", "anchoring", "--limit", "1"),
    "bench unlabelled": (*DEMO, "--limit", "1", "--method", "zero-shot"),
    "bench evaluator": ("labels.jsonl", *JUDGES),
    "bench questions": ("--bias", "unit bias", *DEMO, "-n", "1", "--out", "new"),
    "cogbench run": ("--method", "cot", *DEMO, "--topics", "pets", "--profiles", "ruth"),
    "cogbench resume": ("{cogbench run}",),
    "cogbench generate": ("--topic", "Night trains", "--opinions", "2", "--profiles", "1", *DEMO, "--out", "made"),
    "cogbench judge": ("eval.json", "--method", "CoT", *JUDGES, "--out", "judged.json"),
    "rldf debate": ("--limit", "1", "--rounds", "1", *DEMO),
    "rldf resume": ("{rldf debate}",),
    "rldf topics": ("--number", "2", "--out", "topics.txt", *DEMO),
    "rldf gate": (*JUDGES,),
    "rldf bbq": ("--data", "s.jsonl", "--rotations", "1", "--no-controls", *DEMO),
    "rldf answers": ("--limit", "1", "--bias", "age", *DEMO, "--out", "b.jsonl"),
    "rldf rate": ("a.jsonl", *JUDGES, "--ungated", "--out", "r.json"),
    "rldf rlaif": ("a.jsonl", *JUDGES, "--ungated", "--out", "pairs"),
    "rldf probe": ("--bias", "age", "--limit", "1", "--rotations", "1", *DEMO, "--out", "probe.json"),
    "rldf ablate": ("--axis", "rounds", "--values", "1,2", "--limit", "1", *DEMO, "--out", "o"),
    "debate:poor": ("Tea is better", *DEMO, "--max-rounds", "1", "--topics", "1", "--budget-tokens", "100"),
    "sessions resume": ("{debate:poor}",),
}
"""By command, and what is added to tell several of one apart: its arguments; `{command}` is the id that it printed."""


def files(program: Program) -> None:
    """What the commands read."""
    folder = program.folder
    (folder / "text.txt").write_text("Everybody does it, so it must be right. We have paid for it, so we go on.")
    (folder / "greta.json").write_text(json.dumps(GRETA_AS_JSON))
    (folder / "labels.jsonl").write_text(
        json.dumps({"answer": "We go on.", "bias": "sunk cost fallacy", "human": "no"}) + "\n"
    )
    written(folder, [record(1, [(-1, 4)], rationality=-1)], "eval.json")
    assert program("rldf", "sample", "--number", "8", "--out", "s.jsonl").code == 0
    made = program("rldf", "answers", "--limit", "1", "--bias", "age", *DEMO, "--out", "a.jsonl")
    assert made.code == 0, made.err


@pytest.mark.parametrize(
    "words",
    [
        ("rldf", "gate", "--judge", "linear:wordllama"),
        ("rldf", "rate", "a.jsonl", "--judge", "linear:wordllama", "--ungated", "--out", "r.json"),
        (
            "rldf",
            "rate",
            "a.jsonl",
            "--judge",
            "scripted:demo",
            "--judge",
            "scripted:x",
            "--ungated",
            "--out",
            "r.json",
        ),
        ("rldf", "rlaif", "a.jsonl", "--judge", "linear:wordllama", "--ungated", "--out", "pairs"),
        ("rldf", "ablate", "--data", "s.jsonl", "--out", "o"),
    ],
)
def test_what_no_worker_can_do_is_refused_with_detach_and_not_done_here(
    database_url: str, tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "folder").mkdir()
    program = Program(tmp_path / "home", tmp_path / "folder")
    (program.folder / "a.jsonl").write_text(json.dumps(ANSWER) + "\n")
    refused = program(*words, "--detach", env={"ELENCHUS_DATABASE_URL": database_url})
    assert (refused.code, refused.out) == (2, ""), refused
    assert "--detach" in refused.err
    assert [path.name for path in program.folder.iterdir()] == ["a.jsonl"]


@pytest.mark.slow
async def test_each_is_run_by_a_worker_and_its_id_is_all_that_is_said(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    program = Program(tmp_path / "home", tmp_path / "folder")
    await asyncio.to_thread(files, program)
    env = {"ELENCHUS_DATABASE_URL": database_url, "ELENCHUS_SCRIPTED_CONCURRENCY": "20"}

    turns = known(tmp_path, "turn-taking", "tests.foreign.turn_taking:SPEC")
    register(SPEC)

    async def said(command: str, *arguments: str) -> Result:
        words, more = command.partition(":")[0].split(), turns if command == "run" else {}
        return await asyncio.to_thread(program, *words, *arguments, "--detach", "--json", env=env | more)

    async with working(database_url, program.home) as worker:
        ids: dict[str, str] = {}
        for command, arguments in STARTED.items():
            left = await said(command, *(ids[word[1:-1]] if word[0] == "{" else word for word in arguments))
            assert left.code == 0, (command, left.err)
            assert list(left.json) == ["id"], command
            ids[command] = left.json["id"]
            if command in ("mind create", "scene run", "cogbench run", "rldf debate", "debate:poor"):
                await nothing_left(queue_in(worker))
        waiting = ids.pop("scene run:people")

        async def over() -> bool:
            return {info.id for info in await worker.log.sessions() if info.state == "running"} <= {waiting}

        await until(over)
        states = {info.id: info.state for info in await worker.log.sessions()}
        assert isinstance(worker.log, SqlLog)
        with psycopg.connect(database_url) as connection:
            ran = {session for (session,) in connection.execute(RAN_BY, (worker.log.origin,)).fetchall()}
            others = connection.execute(RAN_BY_OTHERS, (worker.log.origin,)).fetchall()
        assert others == [], "nothing was run where it was begun"
        gated = await asyncio.to_thread(program, "rldf", "rate", "a.jsonl", *JUDGES, "--out", "gated.json", env=env)
        assert "has failed the judge gate" in gated.err, "the worker's verdict counts"
        for command, id_ in ids.items():
            own = {session for session in states if session.startswith(id_)} or {mind_id("greta")}
            assert own & ran, (command, states)
            assert "running" not in {states[session] for session in own}, command


RAN_BY = "SELECT DISTINCT session FROM elenchus.events WHERE kind IN ('step_done', 'owner_started') AND origin = %s"
RAN_BY_OTHERS = "SELECT session FROM elenchus.events WHERE kind IN ('step_done', 'owner_started') AND origin <> %s"
