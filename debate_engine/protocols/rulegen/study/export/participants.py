"""Who took part in a study, and what of it may be kept, in sentences for its methods section. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import mean, stdev

from elenchus.debate_engine.protocols.rulegen.people.retention import RenewedConsent
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.export.columns import measures_of
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import PlayedSession
from elenchus.debate_engine.protocols.rulegen.study.methods import KEPT_ALONE
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import WITHDRAWN
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.words import count, listed
from elenchus.debate_engine.scenes.measures import FreeText, Number, number as figure


def participants(
    study: Study, sessions: Sequence[PlayedSession], withdrawn: int, renewed: Mapping[RenewedConsent, int]
) -> Iterator[str]:
    """Who took part: people with what they said of themselves, models, pilots; and who is no part of the data.

    Among the `withdrawn` are those who, once told of the deception, did not let it be kept (`renewed`).
    """
    unkept = renewed.get("no", 0) + renewed.get("silent", 0)
    runs = [one for one in study.observed if one.why != WITHDRAWN]
    if not runs:
        yield "Nobody has taken part yet."
    if sessions:
        days = sorted(f"{one.begun:%Y-%m-%d}" for one in sessions)
        yield f"The sessions were begun {_span(days)} (UTC)."
    people = [one for one in runs if one.cell.subject == PEOPLE]
    if people:
        finished = sum(one.finished for one in people)
        if study.kept_alone:
            yield f"{count(len(people), 'person is', 'people are')} described. {KEPT_ALONE}"
        else:
            yield f"{count(len(people), 'person', 'people')} took part, of whom {finished} finished."
            yield from _added_up(study, withdrawn - unkept, unkept)
        if ages := sorted({age for one in sessions if one.cfg.people and (age := one.cfg.age)}):
            yield f"They had to be {listed([str(age) for age in ages])} years old or more."
        yield from _demographics(people, sessions)
    models = Counter(one.cell.subject for one in runs if one.cell.subject != PEOPLE)
    if models:
        each = listed([f"{inline(name)} (n = {n})" for name, n in sorted(models.items())])
        yield f"{count(sum(models.values()), 'run')} had a language model as the subject: {each}."
    if pilots := sum(one.pilot for one in runs):
        yield f"{count(pilots, 'of these was a pilot', 'of these were pilots')}."
    if study.pilots:
        yield f"{count(study.pilots, 'pilot')} had been left out."
    yield from _no_part(study, withdrawn - unkept)
    if study.only:
        yield f"Only these are described here: {inline(study.only)}."


def _added_up(study: Study, withdrew: int, unkept: int) -> Iterator[str]:
    """From who was asked to who is analysed, so that all numbers of people add up."""
    own = [(run, case) for run, case in zip(study.observed, study.cases, strict=True)
           if run.cell.subject == PEOPLE and run.why != WITHDRAWN]  # fmt: skip
    early = sum(not run.finished for run, _ in own)
    excluded = sum(run.finished and not case.counts for run, case in own)
    analysed = sum(case.counts for _, case in own)
    began = len(own) + withdrew + unkept
    gone = [
        (withdrew, "withdrew"),
        (unkept, "did not let it be kept once they were told of the deception"),
        (early, "did not finish"),
        (excluded, f"finished and {'was' if excluded == 1 else 'were'} left out of the analysis (see Exclusions)"),
        (analysed, f"{'is' if analysed == 1 else 'are'} analysed"),
    ]
    told = listed([f"{n} {what}" for n, what in gone if n])
    asked = f"Of {began + study.unplayed} who were asked, {study.unplayed} did not agree, or were not of the age. "
    yield f"{asked if study.unplayed else ''}Of {began} who began, {told}."


def _no_part(study: Study, withdrawn: int) -> Iterator[str]:
    """Of whom there is nothing but that they were there."""
    if study.unplayed:
        one, several = (
            "person who did not agree, or was not of the age, is",
            "people who did not agree, or were not of the age, are",
        )
        yield f"{count(study.unplayed, one, several)} no part of the data."
    if withdrawn:
        yield f"{count(withdrawn, 'person', 'people')} withdrew; nothing of them is part of the data."


def _span(days: Sequence[str]) -> str:
    return f"on {days[0]}" if days[0] == days[-1] else f"from {days[0]} to {days[-1]}"


def _demographics(people: Sequence[Observation], sessions: Sequence[PlayedSession]) -> Iterator[str]:
    """What people said of themselves: numbers by their mean, choices by their counts; free text is not told."""
    asked = [one for one in measures_of(sessions, None).values() if one.serves == "demographic"]
    for measure in asked:
        given = [value for one in people if (value := one.stated.get(measure.name)) is not None]
        if not given or isinstance(measure, FreeText):
            continue
        told = _of_numbers(measure, [float(x) for x in given]) if isinstance(measure, Number) else _of_choices(given)
        yield f"Asked for {inline(measure.name)}, {len(given)} of {len(people)} answered: {told}."


def _of_numbers(measure: Number, given: Sequence[float]) -> str:
    spread = f", SD = {stdev(given):.1f}" if len(given) > 1 else ""
    unit = f" {inline(measure.unit)}" if measure.unit else ""
    return f"M = {mean(given):.1f}{spread}, from {figure(min(given))} to {figure(max(given))}{unit}"


def _of_choices(given: Iterable[object]) -> str:
    counted = Counter("yes" if value is True else "no" if value is False else inline(str(value)) for value in given)
    return listed([f"{value} ({n})" for value, n in counted.most_common()])


def kept_of(
    sessions: Sequence[PlayedSession], renewed: Mapping[RenewedConsent, int], *, kept_alone: bool = False
) -> Iterator[str]:
    """Who was asked once more after deception, and for how long all of it is kept."""
    if kept_alone and renewed:
        yield (
            "People were told of the deception and asked once more whether what they said may be kept; without a yes "
            "nothing is part of the data, and how many gave none is not in it."
        )
    elif asked := sum(renewed.values()):
        yield (
            f"Told of the deception, {count(asked, 'person was', 'people were')} asked once more whether what they "
            f"said may be kept: {renewed.get('yes', 0)} said yes, {renewed.get('no', 0)} said no, "
            f"{renewed.get('silent', 0)} did not answer; without a yes nothing is part of the data."
        )
    if demonstrations := sum(one.cfg.mode == "demonstration" for one in sessions):
        yield (
            f"{count(demonstrations, 'session was a demonstration', 'sessions were demonstrations')}: by rule all of "
            "it is removed 24 hours after its end, and later exports have counts of it alone."
        )
