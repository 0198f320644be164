"""In what a study was done otherwise than it was registered. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.cases import MODELS
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.protocols.rulegen.study.participant_flow import BEFORE_THE_LOT
from elenchus.debate_engine.protocols.rulegen.study.registration import Hypothesis, Registration
from elenchus.debate_engine.reports.words import count, listed
from elenchus.debate_engine.scenes.contrasts import Contrast, by_default


def compared_with(study: Study, one: Registration, begun: datetime | None = None, unlike: str = "") -> Study:
    """The study with all that differs from what was registered; `begun` is when its first session began.

    `unlike` is what is to be said of the registration itself, first.
    """
    return study.model_copy(
        update={
            "registered": f"{one.written:%Y-%m-%d %H:%M:%S %Z}",
            "departures": (*filter(None, [unlike]), *_departures(study, one, begun)),
        }
    )


def _departures(study: Study, one: Registration, begun: datetime | None) -> Iterator[str]:
    if begun is not None and begun < one.written:
        yield f"The first session began {begun:%Y-%m-%d %H:%M:%S %Z}, before the registration was written."
    if study.sha256 and study.sha256 != one.sha256:
        yield f"The scene is another than the registered one (SHA-256 {study.sha256[:12]}…, not {one.sha256[:12]}…)."
    yield from _other_hypotheses(study, one)
    if study.outcome != one.outcome:
        yield f"What came out is told by “{study.outcome or 'judges'}”, not by “{one.outcome or 'judges'}”."
    yield from _other_lists("exclusion", study.plan.exclusions, one.exclusions)
    yield from _other_lists("stratum", study.plan.strata, one.strata)
    yield from _other_versions(study, one)
    yield from _other_numbers(study, one)


def _other_hypotheses(study: Study, one: Registration) -> Iterator[str]:
    contrasts: Sequence[Contrast] = study.plan.contrasts or by_default(study.design.cells)
    now = [str(Hypothesis(compare=c.compare, expect=c.expect, margin=c.margin)) for c in contrasts]
    yield from _other_lists("hypothesis", now, [str(hypothesis) for hypothesis in one.hypotheses])


def _other_lists(what: str, now: Sequence[str], then: Sequence[str]) -> Iterator[str]:
    yield from (f"This {what} was not registered: “{text}”." for text in now if text not in then)
    gone = (text for text in then if text not in now)
    yield from (f"This {what} was registered, and is not the file's any more: “{text}”." for text in gone)


def _other_versions(study: Study, one: Registration) -> Iterator[str]:
    played = dict.fromkeys(run.cell.condition for run in study.observed if run.cell.condition)
    if missing := [version for version in one.versions if version not in played]:
        yield f"Nobody played {listed(missing)}."
    if more := [version for version in played if version not in one.versions]:
        yield f"{listed(more)} was played, and not registered."
    if study.left_out:
        yield f"{count(study.left_out, 'session')} of another text of the scene left out."
    if study.only and not _is_grid(study.only, one):
        yield f"Only some runs are analysed: {study.only}."
    if pilots := sum(run.pilot for run in study.observed):
        yield f"{count(pilots, 'pilot')} counted."
    people = [run for run in study.observed if run.cell.subject == PEOPLE]
    chosen = sum(run.chosen for run in people)
    if chosen and one.factors and len(one.versions) > 1:
        yield f"The version of {chosen} of {count(len(people), 'person', 'people')} was set, and not drawn by lot."


def _is_grid(only: str, one: Registration) -> bool:
    """Whether what was chosen are the very runs that were registered."""
    return one.runs is not None and one.runs.grid.startswith(only.removeprefix("runs of "))


def _other_numbers(study: Study, one: Registration) -> Iterator[str]:
    by_kind = {
        kind: sum(row.assigned for row in study.flow if row.kind == kind and row.version != BEFORE_THE_LOT)
        for kind in (PEOPLE, MODELS)
    }
    assigned = sum(by_kind.values())
    if one.runs is not None:
        planned = len(one.runs.subjects) * len(one.runs.styles) * len(one.runs.versions) * one.runs.each
        finished = sum(row.finished for row in study.flow)
        if (assigned, finished) != (planned, planned):
            yield f"{count(planned, 'run')} were planned; {assigned} began, {finished} finished."
    elif one.n is not None and (by_kind[PEOPLE] or assigned) != one.n:
        yield f"{count(one.n, 'subject')} were planned; {_who_took_part(by_kind)} took part."


def _who_took_part(by_kind: Mapping[str, int]) -> str:
    """People and models apart: a run of a model is no person of a plan."""
    people = [count(by_kind[PEOPLE], "person", "people")] if by_kind[PEOPLE] else []
    models = [f"{count(by_kind[MODELS], 'run')} by models"] if by_kind[MODELS] else []
    return listed([*people, *models]) if people or models else "nobody"
