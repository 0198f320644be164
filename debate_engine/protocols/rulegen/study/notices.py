"""What a reader of a study must know before the numbers: who took part, how far it holds, what was chosen. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from elenchus.debate_engine.protocols.rulegen.study import words
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.cases import NO_OUTCOME
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, ROBOTS
from elenchus.debate_engine.protocols.rulegen.study.planning import empty_versions
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.words import count, listed


def notices(study: Study) -> list[str]:
    """Each as a quotation of its own, in Markdown."""
    return [*_who_took_part(study), *_how_far_it_holds(study), *_what_was_chosen(study)]


def _who_took_part(study: Study) -> Iterator[str]:
    if scripts := sum(run.cell.subject.startswith("scripted:") for run in study.observed):
        yield f"> **Simulated.** The subject is a script, whose words are written down, in {_of_all(study, scripts)}."
    if beside := sum(run.uses("scripted") and not run.cell.subject.startswith("scripted:") for run in study.observed):
        yield f"> **Simulated.** Scripts speak or judge beside the subject in {_of_all(study, beside)}."
    if robots := sum(run.cell.subject == ROBOTS for run in study.observed):
        yield f"> **Simulated.** Robots have filled in the forms by lot, and nobody else, in {_of_all(study, robots)}."
    if weak := sum(run.uses("local") for run in study.observed):
        yield (
            f"> **Weak model.** The small model that comes along speaks or judges in {_of_all(study, weak)}: "
            "a demonstration, no evidence."
        )
    if any(run.cell.subject == PEOPLE for run in study.observed):
        yield "> People took part; they stand under made-up names in all files."
    if study.unplayed:
        who = count(study.unplayed, "person", "people")
        yield f"> {who} did not agree to take part, or were too young: a count, and no part of anything here."
    yield from confounding(study)
    if study.mixed:
        yield (
            "> Runs of one row differ in who speaks or judges beside the subject, or in temperature: choose among "
            "them, as by grid."
        )


def confounding(study: Study) -> Iterator[str]:
    """Of each subject once: what else differs between its versions."""
    for subject, names in study.all_confounded.items():
        yield (
            f"> **Confounded.** Versions of {inline(subject)} were not played with the same "
            f"{inline(listed(names))}: the difference between them may come from that, and is no effect of the "
            "version. Choose among the runs, as by grid."
        )


def _how_far_it_holds(study: Study) -> Iterator[str]:
    analysed: dict[str, int] = {}
    for row in study.rows:
        analysed[row.cell.condition] = analysed.get(row.cell.condition, 0) + row.counted
    if study.observed:
        yield from (f"> {inline(told)}" for told in empty_versions(study.design.cells, analysed))
    if missing := sum(case.excluded.startswith(f"{NO_OUTCOME} at ") for case in study.cases):
        yield (
            f"> {count(missing, 'subject')} lacked the outcome at one of the levels that each was to meet, and "
            f"{'is' if missing == 1 else 'are'} in no comparison."
        )
    together = Counter((run.cell, run.hangs_with) for run in study.observed if run.record)
    if any(number > 1 for (cell, _), number in together.items() if cell.subject != PEOPLE):
        yield "> Some runs say the same, word for word: fewer observations than runs (see distinct records)."
    if short := sum(run.shortened > 0 for run in study.observed):
        some = _of_all(study, short)
        yield f"> In {some} a judge read a shortened record: its model was too small for the whole one."
    if unfounded := words.unfounded(study):
        yield f"> **Unfounded.** {unfounded}"


def _what_was_chosen(study: Study) -> Iterator[str]:
    if study.only:
        yield f"> Only {inline(study.only)}."
    if study.pilots:
        yield f"> {count(study.pilots, 'pilot')} left out; to count them: --pilots."
    if pilots := sum(run.pilot for run in study.observed):
        yield f"> **Pilot.** {_of_all(study, pilots)} {'was' if pilots == 1 else 'were'} started with --pilot."
    if study.left_out:
        left_out = count(study.left_out, "session")
        yield f"> {left_out} of another text of this scene {'was' if study.left_out == 1 else 'were'} left out."


def _of_all(study: Study, some: int) -> str:
    return f"{some} of {count(len(study.observed), 'run')}"
