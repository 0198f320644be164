"""methods.md: what the file and the log say of a study, in sentences for a paper, and nothing that they do not say."""

from __future__ import annotations

import re

from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.config import Terms
from elenchus.debate_engine.protocols.rulegen.study.analysis import StudiedScene, study_of
from elenchus.debate_engine.protocols.rulegen.study.export.files import study_files
from elenchus.debate_engine.protocols.rulegen.study.export.methods import methods_markdown
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import sessions_of
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import Removed
from elenchus.debate_engine.scenes.versions import versions
from tests.debate_engine.protocols.rulegen.stage import NAMES, TELLS, Stage, scene
from tests.debate_engine.protocols.rulegen.study.export.experiment import (
    YES_NO,
    Logs,
    Subject,
    experiment,
    played,
    states,
    study_over,
)

HEADINGS = ["Participants", "Design", "Procedure", "Measures", "Exclusions", "Analysis", "To be added by hand"]


def section(text: str, heading: str) -> str:
    return text.partition(f"## {heading}\n\n")[2].partition("\n\n## ")[0]


async def test_it_tells_who_took_part_what_was_varied_asked_left_out_and_how_it_was_counted() -> None:
    written = experiment()
    low = versions(written)["low/cue"]
    logs = await played(written, 1)
    logs |= {f"p{n}": await Subject(low, states(90 + n, age=20 + n), "people").log_of() for n in range(3)}
    logs["p9"] = await Subject(low, states(90, known=True), "people").log_of()
    text = methods_markdown(
        await study_over(written, logs), sessions_of(await study_over(written, logs), logs), written, 2
    )
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == HEADINGS
    who = section(text, "Participants")
    assert "4 people took part, of whom 4 finished." in who
    assert "Asked for age, 3 of 4 answered: M = 21.0, SD = 1.0, from 20 to 22." in who
    assert "openai:robot (n = 6)" in who
    assert "2 people withdrew; nothing of them is part of the data." in who
    design = section(text, "Design")
    assert "anchor (low, high, none; between subjects) and pressure (cue, quiet; between subjects)" in design
    assert "60 subjects had been planned. The stopping rule, said beforehand: after 60 subjects." in design
    assert "What it was about was told only afterwards" in section(text, "Procedure")
    assert "Its file names as its sources: Klein and others (2014) (the same paradigm)." in section(text, "Procedure")
    assert "They had to be 18 years old or more." in who, "no board allowed the deception"
    assert "Of 6 who began, 2 withdrew, 1 finished and was left out of the analysis (see Exclusions) and 3 are" in who
    assert "The words of Ben were fixed beforehand, the same for everybody." in section(text, "Procedure")
    measures = section(text, "Measures")
    assert "*price* (a number of euros from 0 to 5,000): “How much?”" in measures
    assert "*colour* (attention check, one of blue, red)" in measures
    assert "What came out was said by a rule over these: price." in measures
    assert "Of 4 people 3 were analysed (left out: excluded: known: 1)." in section(text, "Exclusions")
    analysis = section(text, "Analysis")
    assert "Welch" not in analysis, "one number in a cell: nothing was tested by it"
    assert "Wilson" not in analysis
    logs = await played(written, 3)
    study = await study_over(written, logs)
    analysis = section(methods_markdown(study, sessions_of(study, logs), written, 2), "Analysis")
    assert "Means were compared by Welch's test, within strata with Satterthwaite's degrees of freedom." in analysis
    assert "two one-sided tests" in analysis


async def test_shares_are_told_with_their_own_tests() -> None:
    written = experiment(YES_NO)
    logs = await played(written, 2)
    study = await study_over(written, logs)
    analysis = section(methods_markdown(study, sessions_of(study, logs), written, 0), "Analysis")
    assert "Fisher's exact test" in analysis
    assert "Welch" not in analysis


async def test_a_scene_that_is_only_judged_is_told_as_such_and_words_of_the_file_do_nothing() -> None:
    stage = Stage(scene(NAMES, TELLS).model_copy(update={"condition": "treatment", "title": "# <b>*Tea*</b>"}))
    await stage.played()
    logs: Logs = {"s": await stage.log.read("s")}
    study = await study_over(stage.cfg.scene, logs)
    text = methods_markdown(study, sessions_of(study, logs), stage.cfg.scene, 0)
    assert "said by judges, who read the record" in text
    assert "There was one version of the scene, treatment: nothing was varied." in text
    assert "# Method: \\# \\<b\\>\\*Tea\\*\\</b\\>\n" in text


def test_a_study_that_nobody_has_played_has_no_numbers() -> None:
    text = methods_markdown(study_of(StudiedScene(name="price", title="A price"), []), [], experiment(), 0)
    assert "Nobody has taken part yet." in text
    assert "M = " not in text
    assert "analysed (left out" not in text


class Unkept(Subject):
    """A person who does not let it be kept, once told of the deception."""

    def _decided(self, asked: Ask) -> dict[str, str]:
        return {"agreed": "no"} if asked.prompt_id == "rulegen/keep" else super()._decided(asked)


async def test_it_counts_who_agreed_anew_after_deception_who_said_no_and_who_kept_silent() -> None:
    written = experiment()
    low = versions(written)["low/cue"]
    logs = {f"p{n}": await Subject(low, states(), "people", mode="demonstration").log_of() for n in range(2)}
    logs["no"] = await Unkept(low, states(), "people", mode="demonstration").log_of()
    removed = Removed({"gone": "2026-02-03", "silent": "2026-02-03", "back": "2026-02-04"}, declined=1, silent=1)
    text = study_files(await study_over(written, logs), logs, None, written, removed)["methods.md"].decode()
    told = section(text, "Procedure")
    assert "5 people were asked once more whether what they said may be kept" in told
    assert "2 said yes, 2 said no, 1 did not answer" in told
    assert "2 sessions were demonstrations: by rule all of it is removed 24 hours after its end" in told
    assert "1 person withdrew; nothing of them is part of the data." in section(text, "Participants")
    assert "2 people took part" in section(text, "Participants")


class Declining(Subject):
    """A person who says no to the consent."""

    consenting = "no"


async def test_all_numbers_of_people_add_up_from_who_was_asked_to_who_is_analysed() -> None:
    written = experiment()
    low = versions(written)["low/cue"]
    logs = {f"p{n}": await Subject(low, states(known=n == 2), "people").log_of() for n in range(3)}
    logs["no"] = await Declining(low, {}, "people").log_of()
    logs["unkept"] = await Unkept(low, states(), "people").log_of()
    removed = Removed({"silent": "2026-02-03", "back": "2026-02-04"}, declined=0, silent=1)
    text = study_files(await study_over(written, logs), logs, None, written, removed)["methods.md"].decode()
    assert (
        "Of 7 who were asked, 1 did not agree, or were not of the age. Of 6 who began, 1 withdrew, 2 did not let it be "
        "kept once they were told of the deception, 1 finished and was left out of the analysis (see Exclusions) and "
        "2 are analysed."
    ) in section(text, "Participants")
    assert "Of 3 people 2 were analysed (left out: excluded: known: 1)." in section(text, "Exclusions")


async def test_the_approval_and_the_terms_that_were_given_are_told_and_only_what_is_missing_is_asked_for() -> None:
    written = experiment()
    low = versions(written)["low/cue"]
    terms = Terms(
        contact="grace@example.org", responsible="Grace Hopper", purpose="How people arrive at a price.",
        retention_days=30, age=14, board="The board of the school agreed.", compensation="You get 5 euros.",
    )  # fmt: skip
    more = {"mode": "study", "terms": terms, "ethics_approval": "the board, 12/26"}
    logs = {"p": await Subject(low, states(), "people", **more).log_of()}
    text = study_files(await study_over(written, logs), logs, None, written)["methods.md"].decode()
    told, by_hand = section(text, "Procedure"), section(text, "To be added by hand")
    assert "As its approval was named, in 1 of 1 session: “the board, 12/26”." in told
    assert "The study's own consent said: “The board of the school agreed.” “You get 5 euros.”" in told
    assert "They had to be 14 years old or more." in section(text, "Participants")
    assert "ethics board" not in by_hand
    assert "paid" not in by_hand
    bare = {"p": await Subject(low, states(), "people").log_of()}
    text = study_files(await study_over(written, bare), bare, None, written)["methods.md"].decode()
    assert "what they were paid; the approval of an ethics board" in section(text, "To be added by hand")


async def test_only_tests_that_were_computed_are_named() -> None:
    written = experiment()
    low = versions(written)["low/cue"]
    logs: Logs = {"p": await Subject(low, states(), "people").log_of()}
    study = await study_over(written, logs)
    analysis = section(methods_markdown(study, sessions_of(study, logs), written, 0), "Analysis")
    assert "What was planned could not be tested with those who are analysed." in analysis
    assert not re.search("Welch|Hedges|Holm|permutation|Student|hang together", analysis)


async def test_where_nobody_was_deceived_nothing_is_said_of_a_second_question() -> None:
    written = experiment()
    logs = await played(written, 1)
    text = study_files(await study_over(written, logs), logs, None, written)["methods.md"].decode()
    assert "once more" not in text
    assert "demonstration" not in text


async def test_of_who_declines_there_is_a_count_and_no_row_and_no_event() -> None:
    written = experiment()
    low = versions(written)["low/cue"]
    logs = {"kept": await Subject(low, states(), "people").log_of(), "no": await Declining(low, {}, "people").log_of()}
    files = study_files(await study_over(written, logs), logs, None, written)
    who = section(files["methods.md"].decode(), "Participants")
    assert "1 person took part, of whom 1 finished." in who
    assert "1 person who did not agree, or was not of the age, is no part of the data." in who
    assert "events-no.jsonl" not in files
    assert not [name for name, content in files.items() if name.endswith(".csv") and b"\nno," in content]
    assert b"no consent" not in files["runs.csv"]


async def test_it_tells_the_exclusion_that_was_applied_and_not_the_one_that_the_file_has_since() -> None:
    written = experiment()
    logs = {"p": await Subject(versions(written)["low/cue"], states(known=True), "people").log_of()}
    later = written.model_copy(update={"plan": written.plan.model_copy(update={"exclusions": ("sure < 2",)})})
    given = await study_over(later, logs)
    told = section(methods_markdown(given, sessions_of(given, logs), later, 0), "Exclusions")
    assert "when the session began, was for whom one of these held: known." in told
    assert "The file now names others, by which nobody was excluded: sure < 2." in told.replace("\\", "")
    before = section(methods_markdown(given, sessions_of(given, logs), written, 0), "Exclusions")
    assert "names others" not in before
