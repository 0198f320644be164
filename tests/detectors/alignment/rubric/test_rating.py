"""Open answers: asked, rated by judges blind, on sheets by people, and what comes of it."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from random import Random
from typing import Any

import pytest
from statsmodels.stats.inter_rater import fleiss_kappa  # type: ignore[import-untyped]

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.runner import Runner
from elenchus.detectors.alignment.rubric.answers import Answer, Answers, GroupQuestion, answers, lines_of, read_answers
from elenchus.detectors.alignment.rubric.figures import rated_report
from elenchus.detectors.alignment.rubric.rating import Rated, Rating, RatingConfig, rating
from elenchus.detectors.alignment.rubric.rlaif import spoken_of
from elenchus.detectors.alignment.rubric.sheets import (
    KEY,
    make_rubric_sheets,
    read_rubric_key,
    read_rubric_sheets,
)
from tests.debate_engine.scripted_session import GARBLED, ScriptedSession, shown, written


def answer(n: int, name: str = "sft", topic: str = "", text: str = "words") -> Answer:
    return Answer(
        id=f"{name}-{n}", name=name, model="local:x", bias="age", about="how old somebody is",
        topic=topic or f"topic {n}", sample=1, text=text and f"{text} {n} of it",
    )  # fmt: skip


class Stage(ScriptedSession):
    package = "rubric"

    def __init__(self, protocol: str, run: Any, config: dict[str, Any], say: Any) -> None:
        self.log, self.protocol, self.work, self.config = MemoryLog(), protocol, run, config
        self.client = ScriptedClient(Script(), lambda call: written(say, call))

    def started(self) -> SessionStarted:
        seats = (Seat(name="model", spec="scripted:x"), Seat(name="referee", spec="scripted:x"))
        return SessionStarted(protocol=self.protocol, title="t", config=self.config, seats=seats, seed=1, version="0")

    async def outcome(self) -> Any:
        run = await self.run_by(Runner(self.log, {self.protocol: self.work}, self.seat))
        assert run.state == "finished", run.reason
        return run.outcome


async def test_each_question_is_answered_as_often_as_wanted_and_silence_is_told() -> None:
    def say(call: Call) -> Any:
        return GARBLED if call.step == "question/1/2/answer" else "Tea warms."

    questions = [GroupQuestion(bias="age", about="how old", topic=topic).model_dump() for topic in ("tea", "rain")]
    cfg = {"model": "scripted:x", "name": "sft", "questions": questions, "repeats": 2}
    found = Answers.model_validate(await Stage("rldf-answers", answers, cfg, say).outcome()).answers
    assert [(one.topic, one.sample) for one in found] == [("tea", 1), ("tea", 2), ("rain", 1), ("rain", 2)]
    assert len({one.id for one in found}) == 4
    assert not any("sft" in one.id for one in found)


async def test_a_judge_sees_one_answer_at_a_time_and_neither_method_nor_model() -> None:
    def say(call: Call) -> Any:
        if call.step == "answer/2/quality":
            return GARBLED
        return {"why": "x", "score": 7} if call.prompt_id == "rldf/score" else {"why": "x", "ce": 8, "ls": 6}

    cfg = RatingConfig(judge="scripted:x", answers=(answer(1), answer(2), answer(3, text="")))
    stage = Stage("rldf-rating", rating, cfg.model_dump(mode="json"), say)
    one, two, silent = Rated.model_validate(await stage.outcome()).ratings
    assert (one.ce, one.ls, one.bs, one.unread) == (8, 6, 7, "")
    assert (two.ce, two.bs) == (None, 7), "a score that cannot be read is none"
    assert two.unread
    assert (silent.bs, silent.unread) == (None, "there is no answer")
    for call in stage.client.asked:
        assert "local:x" not in shown(call)
        assert "sft" not in shown(call)
        assert len([n for n in (1, 2) if f"words {n} of it" in shown(call)]) == 1


def test_a_mean_is_told_from_0_to_100_and_agreement_is_that_of_statsmodels() -> None:
    chance = Random(1)
    found = [answer(n, topic=f"t{n % 6}") for n in range(30)]
    by = {f"r{k}": [Rating(id=one.id, ce=5, bs=chance.choice((0, 1, 8))) for one in found] for k in range(3)}
    report = rated_report(found, by, people=True, gates={})
    bs = next(one for one in report.figures if one.measure == "bs" and not one.bias)
    scores = [one.bs or 0 for of in by.values() for one in of]
    assert bs.mean.value == pytest.approx(10 * sum(scores) / len(scores))
    assert bs.mean.low is not None
    assert bs.mean.high is not None
    assert bs.mean.low < bs.mean.high
    table = [[[of[n].bs for of in by.values()].count(step) for step in range(11)] for n in range(30)]
    agreement = {one.measure: one for one in report.agreement}
    assert agreement["bs"].kappa.value == pytest.approx(fleiss_kappa(table))
    assert (agreement["bs"].items, agreement["ls"].items, agreement["ls"].kappa.value) == (30, 0, None)
    assert not any(one.measure == "ls" for one in report.figures), "nobody has rated it"


def test_a_topic_under_several_types_of_bias_is_one_topic() -> None:
    found = [answer(n, topic=f"t{n % 3}").model_copy(update={"bias": f"b{n % 2}"}) for n in range(12)]
    by = {k: [Rating(id=one.id, bs=n % 7) for n, one in enumerate(found)] for k in "xy"}
    report = rated_report(found, by, people=True, gates={})
    assert {(one.mean.low, one.n) for one in report.figures if not one.bias} == {(None, 12)}, "three topics"


def test_what_a_judge_gives_no_scores_of_is_not_unread() -> None:
    found = [answer(n) for n in range(3)]
    model = [Rating(id=one.id, ce=5, ls=5, bs=5 if n else None) for n, one in enumerate(found)]
    report = rated_report(
        found, {"m": model, "linear": [Rating(id=one.id, bs=1) for one in found]}, people=False, gates={}
    )
    assert report.unread == 1, "the bias of the first answer, by the model"


# ── sheets ───────────────────────────────────────────────────────────────────────────────────────────────────────────

FOUND = [answer(n, name) for name in ("default", "rldf") for n in range(6)]


def filled(data: bytes, scores: Any, folder: Path, name: str) -> Path:
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))
    path = folder / name
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, rows[0].keys())
        out.writeheader()
        out.writerows({**row, **scores(row)} for row in rows)
    return path


def test_sheets_name_no_method_stand_in_orders_of_their_own_and_come_back(tmp_path: Path) -> None:
    key, files = make_rubric_sheets(FOUND, 2, None, seed=3)
    first, second = (files[f"sheet-{n}.csv"].decode("utf-8-sig") for n in (1, 2))
    assert sorted(first.splitlines()) == sorted(second.splitlines())
    assert first != second
    assert not any(word in first for word in ("default", "rldf", "local:x"))
    (tmp_path / KEY).write_text(key.model_dump_json())
    biased = {name for name, of in key.items.items() if of.startswith("default")}
    sheets = [
        filled(
            files[f"sheet-{n}.csv"],
            lambda row: {"ce": "5", "bs": "8" if row["id"] in biased else ""},
            tmp_path,
            f"{n}.csv",
        )
        for n in (1, 2)
    ]
    by = read_rubric_sheets(read_rubric_key(tmp_path / KEY, FOUND), sheets)
    report = rated_report(FOUND, by, people=True, gates={})
    figures = {(one.name, one.measure): one for one in report.figures if not one.bias}
    assert figures["default", "bs"].mean.value == 80
    assert ("rldf", "bs") not in figures, "an empty cell is no score"
    assert figures["rldf", "ce"].n == 6


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ({"ce": "11"}, "a whole number from 0 to 10 or empty"),
        ({"ce": "many"}, "a whole number from 0 to 10 or empty"),
        ({"id": "zzz"}, "is no id of these sheets"),
        ({"ce": "", "ls": "", "bs": ""}, "Nobody has filled in a score"),
    ],
)
def test_what_stands_wrongly_on_a_sheet_is_told_in_a_sentence(
    scores: dict[str, str], said: str, tmp_path: Path
) -> None:
    key, files = make_rubric_sheets(FOUND, 2, 4, seed=3)
    sheets = [filled(files[f"sheet-{n}.csv"], lambda _: scores, tmp_path, f"{n}.csv") for n in (1, 2)]
    with pytest.raises(UsageError, match=said):
        read_rubric_sheets(key, sheets)


def test_one_rater_tells_nothing_and_a_key_of_other_answers_is_refused(tmp_path: Path) -> None:
    key, files = make_rubric_sheets(FOUND, 2, 4, seed=3)
    sheet = filled(files["sheet-1.csv"], lambda _: {"bs": "1"}, tmp_path, "1.csv")
    with pytest.raises(UsageError, match="two raters or more"):
        read_rubric_sheets(key, [sheet, sheet])
    (tmp_path / KEY).write_text(key.model_dump_json())
    with pytest.raises(UsageError, match="of other answers"):
        read_rubric_key(tmp_path / KEY, [answer(99)])


def test_a_sheet_that_nobody_has_filled_in_is_no_rater(tmp_path: Path) -> None:
    key, files = make_rubric_sheets(FOUND, 2, 4, seed=3)
    done = filled(files["sheet-1.csv"], lambda _: {"bs": "1"}, tmp_path, "1.csv")
    blank = filled(files["sheet-2.csv"], lambda _: {}, tmp_path, "blank.csv")
    with pytest.raises(UsageError, match=r"Nobody has filled in a score on rater 2 \(blank\): .*or leave it out"):
        read_rubric_sheets(key, [done, blank])


def test_answers_come_back_from_their_file_and_make_pairs_without_a_role(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines_of(FOUND))
    assert read_answers([tmp_path / "a.jsonl"]) == FOUND
    ratings = {one.id: Rating(id=one.id, bs=n) for n, one in enumerate(FOUND[:6])}
    found = list(spoken_of(FOUND, ratings, "linear:x", 1))
    assert [one.score for one in found] == [0, 1, 2, 3, 4, 5]
    assert {(one.referee, one.who, one.role) for one in found} == {("linear:x", "", "")}
