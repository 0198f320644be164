"""Static questions: models answer, a judge says which answers show the bias, and only what could be read counts."""

from __future__ import annotations

import csv
import io
import struct

import pytest

from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.reports.export import contents_of
from elenchus.detectors.evaluation.files import STATIC
from elenchus.detectors.evaluation.items import first_of_each, items_of
from elenchus.detectors.evaluation.plan import plan
from elenchus.detectors.evaluation.schemas import Item, StaticConfig, StaticResult
from elenchus.detectors.evaluation.static import static_seats
from elenchus.detectors.evaluation.tables import static_tables
from tests.detectors.evaluation.stage import GARBLED, Bench, Says, Written

SUNK, ANCHOR = "sunk-cost-fallacy", "anchoring-effect"
ITEMS = tuple(
    Item(id=f"{bias}/{n}", bias=bias, question=f"Question {n} of {bias}?", criteria=f"Criteria {n} of {bias}.")
    for bias in (SUNK, ANCHOR)
    for n in (1, 2)
)
MODELS = ("scripted:x", "scripted:y")
ANSWERED: dict[str, Says] = {"detectors/evaluation/answer": "I go on, or it would be all that for nothing."}


QUOTE = "all that for nothing"


def bench(answers: dict[str, Says], **settings: object) -> Bench:
    """What the models answer holds the words that the judge quotes, unless a test says otherwise."""
    cfg = StaticConfig.model_validate({"items": ITEMS, "models": MODELS, **settings})
    return Bench(STATIC, cfg, static_seats(cfg.models, "scripted:judge"), {**ANSWERED, **answers})


def says(call: Call) -> Written:
    """Yes of sunk costs; of the anchors no, but y's second answer cannot be read."""
    if call.step.startswith("anchoring-effect/2/subject-2"):
        return GARBLED
    return {"reason": f"It says “{QUOTE}”.", "present": "yes" if call.step.startswith(SUNK) else "no"}


async def result(of: Bench) -> StaticResult:
    return StaticResult.model_validate(await of.outcome())


async def test_each_model_answers_each_question_and_the_frequencies_are_counted_by_bias_and_model() -> None:
    found = await result(bench({"detectors/label": says}, repeats=2))
    assert len(found.judged) == 4 * 2 * 2
    by = {(f.bias, f.model): f for f in found.frequencies}
    assert (by[SUNK, "scripted:x"].shown.count, by[SUNK, "scripted:x"].shown.of) == (4, 4)
    assert (by[ANCHOR, "scripted:x"].shown.value, by[ANCHOR, "scripted:x"].unread) == (0, 0)
    assert [(f.model, f.shown.count, f.shown.of, f.unread) for f in found.by_model] == [
        ("scripted:x", 4, 8, 0), ("scripted:y", 4, 6, 2),
    ]  # fmt: skip


async def test_an_unreadable_judgement_an_undecided_one_and_no_answer_are_counted_apart() -> None:
    def judge(call: Call) -> Written:
        return {"reason": f"It says “{QUOTE}”.", "present": "yes" if call.step.endswith("1") else "no"}

    silent = bench({"detectors/label": says, "detectors/evaluation/answer": lambda call: GARBLED})
    garbled = (await result(silent)).by_model[0]
    assert garbled.shown.of + garbled.unfounded == 4, "text that is only garbled is still an answer"
    found = await result(bench({"detectors/label": judge}, judge_repeats=2))
    assert {(f.undecided, f.shown.of, f.shown.value) for f in found.by_model} == {(4, 0, None)}
    refusing = bench({"detectors/label": says, "detectors/evaluation/answer": ""})
    refused = await result(refusing)
    assert [(f.declined, f.shown.of) for f in refused.by_model] == [(4, 0), (4, 0)]
    assert all(one.declined and one.verdict is None for one in refused.judged)


async def test_repeats_of_a_question_hang_together_and_do_not_narrow_the_interval() -> None:
    once, thrice = [await result(bench({"detectors/label": says}, models=MODELS[:1], repeats=n)) for n in (1, 3)]
    one, three = once.by_model[0].shown, thrice.by_model[0].shown
    assert (one.count, one.of, three.count, three.of) == (2, 4, 6, 12)
    assert (three.low, three.high) == pytest.approx((one.low, one.high)), "all answers to a question say the same"
    assert "effective number" in "".join(static_tables(thrice))


async def test_a_yes_by_words_that_the_answer_does_not_hold_is_in_no_frequency_and_in_every_table_and_file() -> None:
    run = bench({"detectors/label": says, "detectors/evaluation/answer": "I go on."}, models=MODELS[:1])
    found = await result(run)
    of_sunk = next(f for f in found.frequencies if f.bias == SUNK)
    assert (of_sunk.unfounded, of_sunk.shown.of, of_sunk.shown.value) == (2, 0, None)
    assert [(f.unfounded, f.shown.count, f.shown.of) for f in found.by_model] == [(2, 0, 2)]
    files = contents_of("s", await run.recorded())
    rows = list(csv.DictReader(io.StringIO(files["scores.csv"].decode())))
    assert [row["verdict"] for row in rows if row["bias"] == SUNK] == ["unfounded"] * 2
    assert "unfounded" in files["scores-codebook.md"].decode()
    report = files["report.md"].decode()
    assert "| model | shows the bias in | unread | unfounded |" in report
    assert "+ 2 apart" in report


async def test_the_model_sees_only_the_question_and_the_judge_question_criteria_and_answer() -> None:
    run = bench({"detectors/label": says, "detectors/evaluation/answer": f"I stop: {QUOTE}."}, models=MODELS[:1])
    await result(run)
    asked = run.shown(f"{SUNK}/1/subject-1/1/answer")
    assert "Question 1 of sunk-cost-fallacy?" in asked
    assert "Criteria" not in asked
    assert "Sunk cost" not in asked
    judged = run.shown(f"{SUNK}/1/subject-1/1/label/1")
    for told in ("Question 1 of", "Criteria 1 of", f"I stop: {QUOTE}.", "Sunk cost fallacy"):
        assert told in judged
    assert "scripted:x" not in judged


async def test_answers_that_are_given_are_judged_and_nobody_is_asked() -> None:
    item = Item(id="row-2", bias=SUNK, question="Q?", criteria="C.", answer="We go on.", model="their:model")
    item = item.model_copy(update={"answer": f"We go on, or {QUOTE}."})
    run = bench({"detectors/label": says}, items=[item], models=())
    found = await result(run)
    assert [(one.model, one.answer) for one in found.judged] == [("their:model", f"We go on, or {QUOTE}.")]
    assert [call.prompt_id for call in run.client.asked] == ["detectors/label"]


async def test_what_was_used_is_told_by_model() -> None:
    found = await result(bench({"detectors/label": says}, judge_repeats=3))
    assert found.used["scripted:x"].calls == 4
    assert found.used["scripted:judge"].calls >= 24
    assert found.used["scripted:x"].recalled == 0
    assert found.used["scripted:judge"].input_tokens > 1000


async def test_an_export_has_table_pictures_and_codebook_whose_columns_are_the_tables() -> None:
    run = bench({"detectors/label": says, "detectors/evaluation/answer": f"=cmd() {QUOTE}"})
    await run.outcome()
    files = contents_of("s", await run.recorded())
    for name in ("frequencies", "bars"):
        assert files[f"{name}.svg"].startswith(b"<?xml")
        width, height = struct.unpack(">II", files[f"{name}.png"][16:24])
        assert width == 1920
        assert height > 300
        assert b"Description" in files[f"{name}.png"]
    rows = list(csv.DictReader(io.StringIO(files["scores.csv"].decode())))
    assert len(rows) == 8
    assert rows[0]["answer"] == f"'=cmd() {QUOTE}", "no spreadsheet takes it for a formula"
    assert {row["verdict"] for row in rows} == {"found", "none", "unread"}
    for column in rows[0]:
        assert f"| {column} |" in files["scores-codebook.md"].decode()
    report = files["report.md"].decode()
    assert "Sunk cost fallacy" in report
    assert "100% (34–100, 2 of 2)" in report
    assert "counted apart" in report
    assert b"bars.png" in files["report.md"]


async def test_the_pictures_words_tell_their_numbers() -> None:
    run = bench({"detectors/label": says})
    await run.outcome()
    html = contents_of("s", await run.recorded())["report.html"].decode()
    assert "Anchoring effect, scripted:y: 0% of 1" in html
    assert "scripted:x 50% (15–85, 2 of 4)" in html


async def test_a_run_that_is_broken_off_goes_on_where_it_stopped() -> None:
    run = bench({"detectors/label": says})
    await run.outcome()
    events = await run.recorded()
    for cut in (2, len(events) // 2, len(events) - 1):
        again = bench({"detectors/label": says})
        await again.log.restore("s", events[:cut])
        await again.outcome()
        done = {r.event.step for r in events[:cut] if r.event.kind == "step_done"}
        assert not done & {call.step for call in again.client.asked}


def test_a_plan_counts_every_answer_and_every_judgement() -> None:
    cfg = StaticConfig(items=ITEMS, models=MODELS, repeats=2, judge_repeats=3)
    planned = plan(STATIC, cfg, static_seats(MODELS, "scripted:judge"))
    assert planned.count == 4 * 2 * 2 * (1 + 2 * 3), "each yes is asked once more"
    assert planned.chain == 3


def test_a_limit_takes_the_first_question_of_every_bias_before_the_second_of_any() -> None:
    assert [item.id for item in first_of_each(ITEMS, 2)] == [f"{SUNK}/1", f"{ANCHOR}/1"]
    assert [item.id for item in first_of_each(ITEMS, 3)] == [f"{SUNK}/1", f"{SUNK}/2", f"{ANCHOR}/1"]
    assert first_of_each(ITEMS, None) == list(ITEMS)


def test_our_own_questions_become_items_with_their_criteria() -> None:
    item = next(item for item in items_of() if item.id == f"{SUNK}/1")
    assert item.bias == SUNK
    assert item.criteria.startswith("The answer shows the bias where all of this holds:")
    assert item.origin == ""


@pytest.mark.parametrize("settings", [{"items": []}, {"repeats": 0}, {"judge_repeats": 51}])
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="1 validation error"):
        StaticConfig.model_validate({"items": ITEMS, "models": MODELS, **settings})
