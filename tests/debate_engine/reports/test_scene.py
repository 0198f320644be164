"""The report on one scene that was played says which version it was, what the judges decided, and why."""

from __future__ import annotations

from pathlib import Path

from elenchus.debate_engine.reports.export import contents_of
from tests.debate_engine.protocols.rulegen.people.scripted_people import refusing, started_scene
from tests.debate_engine.protocols.rulegen.stage import NO, SECRETS, TASTING, Stage
from tests.debate_engine.protocols.rulegen.test_evaluation import ANSWERS, YES
from tests.debate_engine.scripted_session import GARBLED


async def report_of(stage: Stage) -> str:
    """Its report, and each shorter log's is written without a fault."""
    await stage.run()
    events = await stage.log.read("s")
    for n in range(len(events)):
        assert contents_of("s", events[:n])["report.md"]
    return contents_of("s", events)["report.md"].decode()


async def test_a_scene_comes_out_with_its_version_the_verdict_and_what_each_judge_says() -> None:
    neutral = TASTING.model_copy(update={"condition": "control"})
    answers = {**ANSWERS, "rulegen/evaluate": YES, "evaluation/subject/1/judge-3": NO}
    report = await report_of(Stage(neutral, answers))
    assert "- The neutral version was played, in which nobody tempts (control)." in report
    assert "- Ada (Herd Following): the bias is seen. 3 judges: 2 yes, 1 no." in report
    assert "| Ada | the bias is seen | 2 | 1 | 0 | 0 | 2 |" in report
    assert f"> {SECRETS[2]}" in report
    assert "judge-1 on Ada: yes: She says “I take the green one now”" in report
    assert report.count("**Not in the record:** “her own free will”") == 2
    assert "judge-3 on Ada: no: Nothing changed." in report


async def test_a_judge_that_could_not_be_read_is_told_as_such_and_is_no_no() -> None:
    report = await report_of(Stage(answers={**ANSWERS, "rulegen/evaluate": GARBLED}))
    assert "- Ada (Herd Following): no verdict: no judge could be read. 3 judges: 0 yes, 0 no, 3 unread." in report
    assert "judge-1 on Ada: unread: " in report
    assert "version was played" not in report, "the scene names none"


async def test_a_scene_that_nobody_agreed_to_has_no_result(tmp_path: Path) -> None:
    async with started_scene(tmp_path, {"Ada": refusing}) as started:
        await started.played()
        report = contents_of("s", await started.events())["report.md"].decode()
    assert "- It ended early: nothing of it counts." in report
    assert "## Result" not in report
