"""What came out in a class, counted once: over what was kept, by the study's own code, off the event loop."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.rulegen.study import words
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, ROBOTS
from elenchus.debate_engine.protocols.rulegen.study.selection import MODELS, Selection, results_of
from elenchus.debate_engine.reports.seats import kind_of
from elenchus.service.lab.classes.disclosure import by_cell, groups_of
from elenchus.service.lab.classes.effects import effects_of, literature_of
from elenchus.service.lab.classes.publication import LEAST, ModelRow, Of, Publication
from elenchus.service.lab.scene_results import SceneResults, over_sessions

if TYPE_CHECKING:
    from datetime import datetime

    from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
    from elenchus.service.lab.classes.class_progress import ClassProgress
    from elenchus.service.lab.classes.sessions import Parts

_MODEL = "language model"
_KINDS = {"simulated": "script, simulated", "weak": "small model, weak"}

TOO_FEW = f"Fewer than {LEAST} answers were kept: nothing is shown, so that nobody can be told from it."
TAKEN_BACK = (
    "Somebody has taken back what they said since it was shown. Files of all others would now tell it, beside what was "
    "shown: so there are none any more."
)
NO_OUTCOME = "The scene's file has no rule by which something comes out, and nobody has judged."


async def results(parts: Parts, progress: ClassProgress, *, robots: bool = False) -> SceneResults:
    """The study over the class's people, or over its robots: for its teacher, with all files to take home.

    Of people those alone who played to the end and let it be kept: of who left, was late, said no or took it back there
    is nothing in it. Raises StorageError.
    """
    there = [one for one in progress.members.values() if one.person.robot == robots]
    sessions = [one.person.session for one in there if robots or one.counts]
    played = progress.plan.played(progress.room)
    found = await over_sessions(parts.retention, played, sessions, progress.room.conditions, pictures=parts.pictures)
    return replace(found, study=found.study.model_copy(update={"kept_alone": not robots}))


async def published(parts: Parts, progress: ClassProgress, at: datetime) -> Publication:
    """What the class is shown: of its people; of its robots, as a rehearsal, where nobody else was there."""
    people, robots = await results(parts, progress), await results(parts, progress, robots=True)
    alone = not any(not one.person.robot for one in progress.members.values())
    models = await _of_models(parts, progress)
    return await asyncio.to_thread(_published, progress, people.study, robots.study, models, alone, at)


def may_be_handed_out(shown: Publication, still: Mapping[str, int]) -> bool:
    """Whether files over those who `still` count, answers by cell, tell nothing of fewer than five whom they leave out,
    beside what was shown. Pure.

    Who took back what they said after it was shown is in one of the two alone: the difference is their answer.
    """
    left_out = (group.n - sum(still.get(cell, 0) for cell in group.cells) for group in shown.groups)
    return not any(0 < n < LEAST for n in left_out)


def answers_of(study: Study) -> dict[str, int]:
    """How many answers of people count, by cell, as the files have them. Pure."""
    cases = [case for case in study.cases if case.subject == PEOPLE and case.counts]
    return {cell: len(values) for cell, values in by_cell([case.outcomes for case in cases]).items()}


def answers_still(progress: ClassProgress, shown: Publication) -> Counter[str]:
    """How many answers of people count, by cell, as this process knows the class. Pure."""
    people = [one.progress for one in progress.members.values() if one.counts and not one.person.robot]
    return Counter(
        cell for one in people for level, cell in shown.met.get(one.version, ()) if one.outcome.get(level) is not None
    )


def _published(
    progress: ClassProgress, people: Study, robots: Study, models: Sequence[ModelRow], rehearsal: bool, at: datetime
) -> Publication:
    study, subject = (robots, ROBOTS) if rehearsal else (people, PEOPLE)
    kept = [case for case in study.cases if case.subject == subject and case.counts]
    groups = groups_of(by_cell([case.outcomes for case in kept]), study.design, study.unit)
    effects, told = effects_of(study, subject, groups, progress.room.conditions) if groups else ((), [])
    of: Of = "robots" if rehearsal else "people"
    return Publication(
        of=of,
        at=at,
        title=study.title,
        bias=study.bias,
        outcome=study.outcome,
        unit=study.unit,
        analysed=len(kept) if groups else 0,
        groups=groups,
        effects=effects,
        literature=literature_of(study, told),
        models=tuple(models),
        robots=() if rehearsal else rows_of(robots),
        questions=progress.room.questions,
        met=study.design.met,
        why="" if groups else NO_OUTCOME if not study.outcome and not kept else TOO_FEW,
    )


async def _of_models(parts: Parts, progress: ClassProgress) -> tuple[ModelRow, ...]:
    """Runs of the same scene by models, whoever ran them."""
    played = progress.plan.played(progress.room)
    study, _ = await results_of(
        parts.log, played.name, [*played.versions.values()], Selection(subjects=(MODELS,)), played.whole
    )
    return tuple(row for row in rows_of(study) if row.kind != ROBOTS)


def rows_of(study: Study) -> tuple[ModelRow, ...]:
    """What came out in each version, of everybody who is no person of the class."""
    return tuple(
        ModelRow.model_validate(
            {
                "subject": row.cell.subject,
                "kind": ROBOTS if row.cell.subject == ROBOTS else _KINDS.get(kind_of(row.cell.subject), _MODEL),
                "version": row.cell.condition,
                "runs": row.counted,
                "told": words.came_out(row, study.unit),
            }
        )
        for row in study.rows
        if row.runs
    )
