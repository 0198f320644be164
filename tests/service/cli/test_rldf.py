"""`elenchus rldf debate`, `resume` and `topics`, played by scripts."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.fakes.llm.loopback import serving
from tests.fakes.llm.unreliable import UnreliableOpenAI
from tests.service.cli.program import Program, Result

Run = Callable[..., Result]

SCRIPT = """
rules:
  - prompt: rldf/speak
    step: "round/*/role-1/*"
    json: {positive_from: the topic, positive: It is quiet., negative_from: the topic, negative: It is slow.,
           statement: They are all lazy.}
  - prompt: rldf/speak
    json: {positive_from: the topic, positive: It is quiet., negative_from: the topic, negative: It is slow.,
           statement: It takes patience.}
  - prompt: rldf/score
    step: "round/*/role-1/*"
    json: {why: A group is judged., score: 8}
  - prompt: rldf/score
    json: {why: Nobody is judged., score: 1}
  - prompt: rldf/topics
    json: {topics: [Gardening, tea, the tea, night shifts]}
"""
DEBATE = ("rldf", "debate", "--bias", "age", "--limit", "2", "--rounds", "2", "--model", "scripted:x.yaml")


@pytest.fixture
def folder(elenchus: Program) -> Path:
    (elenchus.folder / "x.yaml").write_text(SCRIPT)
    return elenchus.folder


@pytest.mark.usefixtures("folder")
def test_each_topic_with_each_type_is_a_debate_and_statements_are_counted(inside: Run) -> None:
    asked = (*DEBATE, "--bias", "age,beauty", "--repeats", "2")
    planned = inside(*asked, "--dry-run", "--json").json
    assert (planned["sessions"], planned["calls"], planned["mode"]) == (8, 96, "self")
    assert [(of["bias"], of["debates"], of["calls"]) for of in planned["by_bias"]] == [
        ("age", 4, 12),
        ("beauty", 4, 12),
    ]
    result = inside(*asked, "--json")
    assert result.code == 0, result.err
    found = result.json
    assert (found["sessions"], found["ended"], found["statements"]) == (8, 8, 48)
    assert (found["high"], found["low"], found["unread"]) == (16, 32, 0)
    assert (found["rounds"], found["rounds_with_pair"]) == (16, 16)
    shown = inside("sessions", "show", f"{found['run']}-00004")
    assert "2 statements of high bias (over 3 of 10), 4 of low bias; 2 of 2 rounds hold both." in shown.out
    assert "baseball (age, once more: 2)" in inside("sessions", "list").out


def test_debates_that_are_broken_off_go_on_where_they_stopped(folder: Path, inside: Run) -> None:
    (folder / "x.yaml").write_text(SCRIPT.replace("rules:", 'rules:\n  - {step: "round/2/*", fault: down}', 1))
    broken = inside(*DEBATE, "--json")
    assert broken.code == 3
    assert broken.json["ended"] == 0
    (folder / "x.yaml").write_text(SCRIPT)
    resumed = inside(*broken.json["next"].split()[1:], "--json")
    assert (resumed.code, resumed.json["ended"], resumed.json["statements"]) == (0, 2, 12)
    (folder / "x.yaml").unlink()
    again = inside(*broken.json["next"].split()[1:], "--json")
    assert (again.code, again.json) == (0, resumed.json), "all is there: nobody is asked"


@pytest.mark.slow
async def test_of_debates_that_are_killed_only_the_calls_in_flight_are_asked_twice(elenchus: Program) -> None:
    async with serving(UnreliableOpenAI(share=0.0, thinks=0.1, key="no-key")) as server:
        elenchus.home.mkdir()
        lab = {"speaks": "openai", "url": f"{server.url}/v1", "concurrency": 8}
        (elenchus.home / "models.yaml").write_text(yaml.safe_dump({"servers": {"lab": lab}}))
        debates = ("rldf", "debate", "--bias", "age", "--limit", "20", "--roles", "2", "--rounds", "1", "--seed", "1")
        process = elenchus.start(*debates, "--repeats", "2", "--model", "lab:m", "--at-once", "8", "--unpriced-ok")
        with process:
            run = (await asyncio.to_thread(elenchus.wait_for, "session_finished")).partition("-")[0]
            process.kill()
        before = len(server.requests)
        assert before < 160
        ended = await asyncio.to_thread(elenchus, "rldf", "resume", run, "--json")
        assert ended.code == 0, ended.err
        assert (ended.json["ended"], ended.json["statements"]) == (40, 80)
        assert len(elenchus.events("step_done")) == 160
        asked = Counter(json.dumps(body, sort_keys=True) for body in server.requests)
        assert len(asked) == 160
        assert set(asked.values()) <= {1, 2}
        assert sum(asked.values()) <= 160 + 2 * 8, "eight at the vendor, as many answers on their way into the log"


@pytest.mark.usefixtures("folder")
def test_a_teacher_sits_on_all_seats_or_judges_only(inside: Run) -> None:
    teacher = ("--model", "scripted:demo", "--teacher", "scripted:x.yaml", "--dry-run", "--json")
    seats = inside(*DEBATE[:-2], *teacher).json
    assert set(seats["seats"].values()) == {"scripted:x.yaml"}
    judges = inside(*DEBATE[:-2], *teacher, "--teacher-judges").json
    assert judges["seats"] == {
        "role-1": "scripted:demo", "role-2": "scripted:demo", "role-3": "scripted:demo", "referee": "scripted:x.yaml",
    }  # fmt: skip
    assert (seats["mode"], judges["mode"]) == ("teacher", "teacher-judges")


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_played_is_refused_in_a_sentence(inside: Run) -> None:
    for more, said in (
        (("--bias", "shoes"), "there is no such bias type: name age, beauty"),
        (("--roles", "6"), "Age has 5 identities: take fewer roles"),
        (("--seat", "role-9=human"), "There is no seat 'role-9': the seats are role-1, role-2, role-3, referee"),
        (("--seat", "role-1=human"), "A person sits in one debate at a time, and that are 2"),
        (("--teacher-judges",), "--teacher-judges wants a teacher: name it with --teacher"),
        (("--rounds", "11"), "--rounds"),
        (("--topic", " . "), "--topic is empty"),
        (("--export", "there"), "--export writes the one debate of a person: for others elenchus rldf export"),
        (("--bias", "age,Age"), "names the same type twice"),
    ):
        refused = inside(*DEBATE, *more)
        assert refused.code == 2, refused
        assert said in " ".join(refused.err.split()), refused.err


def test_a_person_takes_a_role_in_one_debate_and_answers_a_form(folder: Path, elenchus: Program) -> None:
    asked = (
        "rldf",
        "debate",
        "--topic",
        "tea",
        "--rounds",
        "1",
        "--model",
        "scripted:x.yaml",
        "--seat",
        "role-2=human",
    )
    result = elenchus(*asked, stdin="the topic\nIt warms.\nthe topic\nIt is dear.\nEverybody may drink it.\n\n")
    assert result.code == 0, result.err
    assert "Everybody may drink it." in result.out
    assert "1 statements of high bias" in " ".join(result.out.split())


def test_a_person_sits_as_the_referee_and_scores_by_a_form(folder: Path, elenchus: Program) -> None:
    asked = ("rldf", "debate", "--topic", "tea", "--rounds", "1", "--roles", "2", "--model", "scripted:x.yaml")
    result = elenchus(*asked, "--seat", "referee=human", stdin="A group is judged.\n9\nNobody is.\n0\n")
    assert result.code == 0, result.err
    assert "1 statements of high bias (over 3 of 10), 1 of low bias" in " ".join(result.out.split())


def test_topics_are_added_to_a_file_each_once(folder: Path, inside: Run) -> None:
    (folder / "topics.txt").write_text("gardening\n")
    result = inside("rldf", "topics", "--number", "2", "--out", "topics.txt", "--model", "scripted:x.yaml")
    assert result.code == 0, result.err
    assert (folder / "topics.txt").read_text() == "gardening\ntea\nnight shifts\n"
    more = inside("rldf", "topics", "--number", "2", "--out", "topics.txt", "--model", "scripted:x.yaml")
    assert more.code == 3, "the writer has no more"
    assert (folder / "topics.txt").read_text() == "gardening\ntea\nnight shifts\n"
    debated = inside("rldf", "debate", "--topics", "topics.txt", "--model", "scripted:x.yaml", "--dry-run", "--json")
    assert debated.json["sessions"] == 3
