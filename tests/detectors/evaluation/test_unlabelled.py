"""The methods of detection side by side: what counts as right, what is counted apart, what each uses."""

from __future__ import annotations

import csv
import io
from functools import partial
from typing import get_args

import pytest

from elenchus.debate_engine.dry_run.plan import Pace
from elenchus.debate_engine.dry_run.simulation import simulate
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from elenchus.debate_engine.protocols.rulegen.study.statistics import holm
from elenchus.debate_engine.reports.export import contents_of
from elenchus.detectors.dry_run import DetectorStub, DryRunLibrary, by_size
from elenchus.detectors.evaluation.schemas import MethodAnswer, Sample, UnlabelledConfig, UnlabelledResult
from elenchus.detectors.evaluation.spec import UNLABELLED
from elenchus.detectors.evaluation.tables import unlabelled_tables
from elenchus.detectors.evaluation.unlabelled import bench_unlabelled, pairs_of, right, unlabelled_seats
from elenchus.detectors.schemas import Detection, Method, Verdict
from tests.detectors.evaluation.stage import GARBLED, Bench, Says, Written, planned

SUNK = "sunk-cost-fallacy"
SAMPLES = (
    Sample(id="a/biased", text="We go on, or three years were for nothing.", bias=SUNK),
    Sample(id="b/biased", text="Everybody buys it, so shall I.", bias="bandwagon-effect"),
    Sample(id="a/sound", text="We stop, as it leads nowhere."),
    Sample(id="b/sound", text="Ask something unreadable."),
)
QUOTED = {"a/biased": "“three years were for nothing”", "b/biased": "“so shall I”"}
NAMED = {"a/biased": "Sunk cost fallacy", "b/biased": "Sunk cost fallacy", "a/sound": "none"}


def chosen(call: Call) -> Written:
    """Sunk cost of both biased texts, none of the first sound one; the last answer cannot be read."""
    sample = "/".join(call.step.split("/")[1:3])
    return {"bias": NAMED[sample], "reason": QUOTED.get(sample, "So.")} if sample in NAMED else GARBLED


def bench(answers: dict[str, Says], *methods: Method) -> Bench:
    cfg = UnlabelledConfig(samples=SAMPLES, methods=methods)
    return Bench(UNLABELLED.name, cfg, dict.fromkeys(unlabelled_seats(methods), "scripted:x"), answers)


async def result(of: Bench) -> UnlabelledResult:
    return UnlabelledResult.model_validate(await of.outcome())


async def test_where_a_bias_is_there_only_its_own_name_is_right_and_unreadable_answers_stand_apart() -> None:
    (row,) = (await result(bench({"detectors/choose": chosen}, "zero-shot"))).rows
    assert (row.all.count, row.all.of, row.unread, row.texts) == (2, 3, 1, 4)
    assert (row.present.count, row.present.of) == (1, 2)
    assert (row.none.count, row.none.of) == (1, 1)
    assert row.used.calls == 5, "four questions, and one repair of the unreadable answer"
    assert row.used.input_tokens > 1000


def inventing(call: Call) -> Written:
    """The same, by words that stand nowhere."""
    said = chosen(call)
    return {**said, "reason": "“nobody ever said this”"} if isinstance(said, dict) else said


async def test_a_name_by_words_that_do_not_stand_in_the_text_is_wrong_and_the_name_is_kept() -> None:
    """A "none" needs no words: were unfounded names left out, a method would be right wherever it names none."""
    run = bench({"detectors/choose": inventing}, "zero-shot")
    (row,) = (await result(run)).rows
    assert (row.unfounded, row.unread) == (2, 1)
    assert (row.all.count, row.all.of) == (1, 3), "over all texts that were answered"
    assert (row.present.count, row.present.of) == (0, 2), "also where the bias is there"
    assert (row.founded.count, row.founded.of) == (1, 1), "an extra"
    files = contents_of("s", await run.recorded())
    rows = list(csv.DictReader(io.StringIO(files["scores.csv"].decode())))
    unfounded = [row for row in rows if row["verdict"] == "unfounded"]
    assert [(row["bias"], row["right"]) for row in unfounded] == [(SUNK, "False")] * 2
    report = files["report.md"].decode()
    assert "| right, founded answers only | unread | unfounded |" in report
    told = [said.text for said in await run.said()]
    assert f"zero-shot, a/biased: {SUNK} (unfounded)" in told


async def test_all_that_detectors_say_yes_to_by_words_that_nobody_wrote_is_named() -> None:
    run = bench(
        {
            "detectors/screen": {"biases": ["Sunk cost fallacy", "IKEA effect"]},
            "detectors/check": {"quotes": ["nobody ever said this"], "reason": "So.", "present": "yes"},
        },
        "tree",
    )
    found = await result(run)
    assert {(one.verdict, one.bias, one.right) for one in found.named} == {("unfounded", f"{SUNK}; ikea-effect", False)}
    assert found.rows[0].none.count == 0, "also where none is"


async def test_methods_are_compared_over_unfounded_answers_as_well() -> None:
    found = await result(bench({"detectors/choose": chosen, "detectors/reason": inventing}, "zero-shot", "cot"))
    (pair,) = found.pairs
    assert pair.both + pair.only_first + pair.only_second + pair.neither == 3, "all but the unreadable one"


def test_two_methods_on_the_same_texts_are_compared_by_mcnemars_test_with_holms_correction() -> None:
    """`cot` alone is right on six texts, `zero-shot` alone on none, `group` is right where `cot` is, but on one."""

    def named(method: str, rights: str) -> list[MethodAnswer]:
        known = {"y": True, "n": False, "-": None}
        return [
            MethodAnswer(sample=str(n), truth="", method=method, verdict="none", right=known[right])
            for n, right in enumerate(rights)
        ]

    methods = ("zero-shot", "cot", "group")
    given = [*named("zero-shot", "nnnnnny-"), *named("cot", "yyyyyyyy"), *named("group", "yyyyyyn-")]
    found = {(one.first, one.second): one for one in pairs_of(methods, given)}
    one = found["zero-shot", "cot"]
    assert (one.both, one.only_first, one.only_second, one.neither) == (1, 0, 6, 0), "the unread text is left out"
    assert one.p == pytest.approx(2 * 0.5**6), "the binomial test of 0 of 6"
    assert found["cot", "group"].p == 1
    ps = [of.p for of in found.values()]
    assert [of.adjusted for of in found.values()] == holm(ps)
    assert one.adjusted == pytest.approx(3 * 2 * 0.5**6)
    assert pairs_of(("cot",), named("cot", "yn")) == []


async def test_a_bench_of_several_methods_shows_how_they_differ_on_the_same_texts() -> None:
    run = bench({"detectors/choose": chosen}, "zero-shot", "cot")
    await run.outcome()
    report = contents_of("s", await run.recorded())["report.md"].decode()
    assert "| one method | the other | both right | only the one | only the other | neither | p | p (Holm) |" in report
    assert "McNemar's exact test" in report


async def test_no_method_is_shown_the_label_of_a_text_or_the_id_that_tells_it() -> None:
    run = bench({"detectors/choose": chosen}, "zero-shot", "cot")
    await run.outcome()
    for call in run.client.asked:
        shown = "\n".join(message.content for message in call.messages)
        assert "biased" not in shown
        assert "a/sound" not in shown


async def test_all_seven_methods_run_side_by_side_over_the_same_texts() -> None:
    methods: tuple[Method, ...] = get_args(Method)
    run = bench({"detectors/choose": chosen}, *methods)
    found = await result(run)
    assert [row.method for row in found.rows] == list(methods)
    assert {row.texts for row in found.rows} == {4}
    calls = {row.method: row.used.calls for row in found.rows}
    assert sum(calls.values()) == len(run.client.asked)
    assert calls["dialogue"] > calls["zero-shot"] >= 4
    assert calls["tree"] > calls["zero-shot"]


async def test_the_library_adds_candidates_where_it_is_asked_to_and_the_report_says_so() -> None:
    nothing: dict[str, Says] = {
        "detectors/screen": {"biases": []},
        "detectors/check": {"quotes": [], "reason": "So.", "present": "no"},
    }
    found = await result(bench(nothing, "tree"))
    assert [row.used.calls for row in found.rows] == [8], "two screeners a text, who suspect nothing"
    assert "knowledge library" not in "".join(unlabelled_tables(found))
    run = bench(nothing, "tree")
    run.cfg = UnlabelledConfig(samples=SAMPLES, methods=("tree",), near=3)
    found = await result(run)
    assert [row.used.calls for row in found.rows] == [8 + 3 * 4], "and a detector for each that the library adds"
    assert "up to 3 candidates more" in "".join(unlabelled_tables(found))


async def test_the_time_of_a_method_is_that_of_its_calls_one_by_one() -> None:
    run = bench({"detectors/choose": chosen}, "zero-shot")
    run.client = ScriptedClient(Script(latency=0.02), chosen)
    (row,) = (await result(run)).rows
    assert row.used.seconds >= row.used.calls * 0.02


async def test_an_export_has_the_table_a_row_a_text_and_the_picture() -> None:
    run = bench({"detectors/choose": chosen}, "zero-shot", "cot")
    await run.outcome()
    files = contents_of("s", await run.recorded())
    assert len(files["scores.csv"].decode().splitlines()) == 1 + 2 * 4
    assert "zero-shot,unread,,\n" in files["scores.csv"].decode()
    assert "67% (21–94, 2 of 3)" in files["report.md"].decode()
    assert files["methods.png"].startswith(b"\x89PNG")
    assert b"zero-shot: all 67%" in files["methods.svg"]
    assert b"seconds_in_calls" in files["run.json"]


@pytest.mark.parametrize(
    ("verdict", "bias", "truth", "says"),
    [
        ("found", SUNK, SUNK, True),
        ("found", "reactance", SUNK, False),
        ("none", None, SUNK, False),
        ("none", None, "", True),
        ("found", SUNK, "", False),
        ("unread", None, "", None),
        ("undecided", SUNK, SUNK, None),
    ],
)
def test_what_is_right(verdict: Verdict, bias: str | None, truth: str, says: bool | None) -> None:
    found = Detection(verdict=verdict, bias=bias, method="cot")
    assert right(found, Sample(id="x", text="t", bias=truth)) is says


def test_a_plan_counts_the_calls_of_every_method() -> None:
    cfg = UnlabelledConfig(samples=SAMPLES, methods=("zero-shot", "dialogue"))
    made = planned(UNLABELLED.name, cfg, unlabelled_seats(cfg.methods))
    assert made.count == 4 * (2 + 6), "each name is asked about once more"


def test_a_bench_that_is_planned_by_classes_of_size_costs_no_less_than_one_that_is_played_whole() -> None:
    texts = tuple(Sample(id=f"t/{n}", text="We stop, as it leads nowhere. " * (3 * n + 1)) for n in range(12))
    cfg = UnlabelledConfig(samples=texts, methods=("zero-shot", "dialogue"))
    names = unlabelled_seats(cfg.methods)
    made = planned(UNLABELLED.name, cfg, names)
    seats = [Seat(name=name, spec="scripted:x") for name in names]
    given = cfg.model_dump(mode="json")
    started = SessionStarted(protocol="whole", title="", config=given, seats=tuple(seats), seed=0, version="")
    whole = simulate(started, partial(bench_unlabelled, library=DryRunLibrary()), DetectorStub(), lambda _: Pace())
    assert (made.count, made.chain) == (whole.count, 6) == (12 * (2 + 6), 6)
    assert {(c.seat, c.what, c.count) for c in made.calls} == {(c.seat, c.what, c.count) for c in whole.calls}
    assert whole.tokens[0] < made.tokens[0] < 1.2 * whole.tokens[0]
    assert whole.seconds < made.seconds < 2 * whole.seconds


def test_texts_fall_into_classes_of_like_size_each_with_its_longest() -> None:
    texts = [Sample(id=str(n), text="word " * n) for n in (5, 1, 9, 3, 7, 2, 8, 4, 6)]
    assert [(longest.id, times) for longest, times in by_size(texts)] == [("2", 2), ("4", 2), ("6", 2), ("9", 3)]
