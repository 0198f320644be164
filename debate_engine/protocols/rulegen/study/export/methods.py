"""methods.md: a methods section as the APA has them, of what the scene's file and the log say and nothing else. Pure.

What neither of them says (how people were recruited, who approved it) is named at its end, to be added by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from types import MappingProxyType

from elenchus.debate_engine.protocols.rulegen.casting import with_fixed_lines
from elenchus.debate_engine.protocols.rulegen.people.retention import RenewedConsent
from elenchus.debate_engine.protocols.rulegen.study import words
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.cases import excluded_by
from elenchus.debate_engine.protocols.rulegen.study.export.columns import measures_of
from elenchus.debate_engine.protocols.rulegen.study.export.participants import kept_of, participants
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import PlayedSession
from elenchus.debate_engine.protocols.rulegen.study.judge_agreement import JudgeAgreement
from elenchus.debate_engine.protocols.rulegen.study.methods import analysis_sentences
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import WITHDRAWN
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.words import count, listed
from elenchus.debate_engine.scenes.measures import Choice, Measure, Number, Rating, Scale, YesNo, number as figure
from elenchus.debate_engine.scenes.pictures import READ_IN_WORDS
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.versions import versions as versions_of

_DECEPTION = {
    "none": "Nobody was deceived.",
    "omission": "What it was about was told only afterwards (deception by omission).",
    "active": "Some of what was told was not true, which was said afterwards (active deception).",
}
_SERVES = {
    "": "", "attention": "attention check", "manipulation": "manipulation check",
    "met-before": "whether one had met it before", "suspicion": "suspicion probe", "demographic": "demographic",
}  # fmt: skip


def methods_markdown(
    study: Study,
    sessions: Sequence[PlayedSession],
    scene: Scene | None,
    withdrawn: int,
    renewed: Mapping[RenewedConsent, int] = MappingProxyType({}),
) -> str:
    """The section; `withdrawn` sessions are left out of all else.

    `renewed` says how many answered what when they were asked, after deception, whether it may be kept: who did not
    say yes is among the withdrawn.
    """
    whole = scene or (sessions[-1].cfg.scene if sessions else None)
    parts = [
        ("Participants", participants(study, sessions, withdrawn, renewed)),
        ("Design", _design(study, sessions, whole)),
        ("Procedure", [*_procedure(sessions, whole), *kept_of(sessions, renewed, kept_alone=study.kept_alone)]),
        ("Measures", _measures(study, sessions, scene)),
        ("Exclusions", _exclusions(study, sessions, scene)),
        ("Analysis", analysis_sentences(study)),
        ("To be added by hand", [f"Neither the scene's file nor the log says: {'; '.join(_unsaid(sessions, whole))}."]),
    ]
    told = [f"## {heading}\n\n{' '.join(sentences)}" for heading, of in parts if (sentences := list(of))]
    return "\n\n".join([f"# Method: {inline(study.title)}", *told]) + "\n"


def _unsaid(sessions: Sequence[PlayedSession], scene: Scene | None) -> Iterator[str]:
    """What has to be added by hand."""
    terms = [one.cfg.terms for one in sessions]
    if any(_has_people(one) for one in sessions) or not sessions:
        yield (
            "how and where people were recruited"
            if all(terms) and terms
            else ("how and where people were recruited, and what they were paid")
        )
        if not any(one.cfg.ethics_approval or one.cfg.terms for one in sessions):
            yield "the approval of an ethics board"
        yield "how people sat at their screens"
    yield "who wrote the scene"
    if scene is None or not scene.plan.literature:
        yield "on which literature it rests"
    yield "why so many subjects were planned"


# ── design ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _design(study: Study, sessions: Sequence[PlayedSession], scene: Scene | None) -> Iterator[str]:
    if scene and scene.factors:
        factors = [
            f"{inline(one.name)} ({', '.join(inline(level.name) for level in one.levels)}; "
            f"{'within' if one.within else 'between'} subjects)"
            for one in scene.factors
        ]
        yield f"The design had {count(len(factors), 'factor')}: {listed(factors)}."
    versions = [inline(version) for version in study.versions]
    if len(versions) > 1:
        yield f"There were {len(versions)} versions of the scene: {listed(versions)}."
        drawn_among = {of for one in sessions if one.cfg.assignment for of in one.cfg.assignment.of}
        if (among := [inline(of) for of in study.versions if of in drawn_among]) and len(among) < len(versions):
            yield f"Drawn was among these alone: {listed(among)}."
    elif versions:
        yield f"There was one version of the scene, {versions[0]}: nothing was varied."
    drawn = [one.cfg.assignment for one in sessions if one.cfg.assignment]
    if drawn:
        sizes = sorted({len(lot.of) for lot in drawn})
        blocks = listed([str(size) for size in sizes])
        yield (
            f"In {count(len(drawn), 'session')} the version was drawn by lot, in permuted blocks of {blocks}; "
            f"in {len(sessions) - len(drawn)} it was set beforehand."
        )
    elif sessions:
        yield "Which version was played was set beforehand for each session, and not drawn."
    plan = study.plan
    if plan.n:
        yield f"{count(plan.n, 'subject')} had been planned."
    if plan.stop:
        yield f"The stopping rule, said beforehand: {inline(plan.stop)}."
    if plan.contrasts:
        yield f"Compared, as planned: {listed([inline(str(one)) for one in plan.contrasts])}."
    yield from _registered(study)


def _registered(study: Study) -> Iterator[str]:
    if study.registered:
        yield f"The study was registered on {inline(study.registered)}."
        departures = (
            listed([inline(one.rstrip(".")) for one in study.departures]) if study.departures else "none was found"
        )
        yield f"Departures from the registration: {departures}."


# ── procedure ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _procedure(sessions: Sequence[PlayedSession], scene: Scene | None) -> Iterator[str]:
    if scene is None:
        return
    yield f"Subjects took part in a written scene, “{inline(scene.title)}”."
    if sources := [f"{inline(one.citation)} (the same {one.same})" for one in scene.plan.literature]:
        yield f"Its file names as its sources: {listed(sources)}."
    if told := _DECEPTION.get(scene.plan.deception):
        yield told
    if fixed := with_fixed_lines(scene):
        yield f"The words of {listed([inline(name) for name in fixed])} were fixed beforehand, the same for everybody."
    if scene.pictures:
        yield f"{count(len(scene.pictures), 'picture')} could be shown. {READ_IN_WORDS}"
    seats = {
        (seat, spec) for one in sessions for of in one.observed for seat, spec in of.others if seat not in fixed
    }  # fmt: skip
    if played := _seats(sorted(seats), scene):
        yield f"Beside the subject sat: {played}."
    of_people = [one for one in sessions if _has_people(one)]
    if of_people:
        yield from _with_people(of_people)
    temperatures = {run.temperature for one in sessions for run in one.observed if run.cell.subject != PEOPLE}
    if temperatures:
        each = ["the vendor's default" if x is None else f"{x:g}" for x in sorted(temperatures, key=lambda x: x or 0)]
        yield f"Models were asked at a temperature of {listed(each)}."
    programs = sorted({one.started.version for one in sessions})
    if programs:
        yield f"Sessions were run by Elenchus {listed(programs)}."


def _seats(seats: Sequence[tuple[str, str]], scene: Scene) -> str:
    kinds = {role.name: f"the {role.kind}" for role in scene.roles}
    kinds |= {"system": "an agent that looks at models' replies", "judges": "judges"}
    return listed([f"{inline(kinds.get(seat, seat))} ({inline(spec)})" for seat, spec in seats])


def _has_people(session: PlayedSession) -> bool:
    return any(run.cell.subject == PEOPLE for run in session.observed)


def _ethics(sessions: Sequence[PlayedSession]) -> Iterator[str]:
    """What was said of an ethics board, and of payment: by whoever ran it, and to people in their consent."""
    for said, n in Counter(one.cfg.ethics_approval for one in sessions if one.cfg.ethics_approval).items():
        yield f"As its approval was named, in {n} of {count(len(sessions), 'session')}: “{inline(said)}”."
    for terms in {one.cfg.terms.version: one.cfg.terms for one in sessions if one.cfg.terms}.values():
        yield f"The study's own consent said: “{inline(terms.board)}” “{inline(terms.compensation)}”"


def _with_people(sessions: Sequence[PlayedSession]) -> Iterator[str]:
    yield from _ethics(sessions)
    yield "People agreed to a consent text before the first word, and were debriefed at the end."
    lasted = [(one.ended - one.begun).total_seconds() / 60 for one in sessions if one.ended and _is_finished(one)]
    if lasted:
        yield (
            f"From consent to the end it took them {median(lasted):.1f} minutes (median; {min(lasted):.1f} to "
            f"{max(lasted):.1f})."
        )
    if via := sorted({page.via for one in sessions for page in one.pages if page.via}):
        yield f"They answered at: {listed([inline(name) for name in via])}."


def _is_finished(session: PlayedSession) -> bool:
    return session.played is not None and not session.played.ended


# ── measures ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _measures(study: Study, sessions: Sequence[PlayedSession], scene: Scene | None) -> Iterator[str]:
    known = measures_of(sessions, scene)
    for one in known.values():
        serves = _SERVES[one.serves]
        asked = f": “{inline(one.ask)}”" if one.ask else ""
        skipped = "; it could be left out" if one.optional else ""
        purpose = f"{serves}, " if serves else ""
        stop = "" if asked and asked[-2] in ".?!…" else "."
        yield f"*{inline(one.name)}* ({purpose}{_scale(one)}{skipped}){asked}{stop}"
    if study.outcome:
        yield f"What came out was said by a rule over these: {inline(study.outcome)}."
    else:
        yield "What came out was said by judges, who read the record of the scene; a majority of them counted."
    judged = sum(bool(one.opinions) for one in study.observed)
    if judged:
        yield f"{count(judged, 'run')} had been judged; {'; '.join(_agreements(study))}."


def _agreements(study: Study) -> Iterator[str]:
    """How far judges agree with one another: of each subject over its versions, or in its only one."""
    several = {one.subject for one in study.judges_agree if not one.version}
    own = [one for one in study.judges_agree if not one.version or one.subject not in several]
    if told := [f"{words.alpha(one)} for {_whom(one)}" for one in own if one.alpha is not None]:
        yield f"Krippendorff's α of the judges was {listed(told)}"
    if untold := [_whom(one) for one in own if one.alpha is None]:
        yield f"for {listed(untold)} α cannot be told"


def _whom(one: JudgeAgreement) -> str:
    return f"{inline(one.subject)} {f'in {inline(one.version)}' if one.version else words.WITHIN}"


def _scale(measure: Measure) -> str:
    match measure:
        case Number(unit=unit, low=low, high=high, whole=whole):
            bounds = [
                f"from {figure(low)}" if low is not None else "",
                f"to {figure(high)}" if high is not None else "",
            ]
            kind = "a whole number" if whole else "a number"
            return " ".join(filter(None, [kind, f"of {inline(unit)}" if unit else "", *bounds]))
        case Choice(options=options):
            return f"one of {', '.join(map(inline, options))}"
        case Scale(points=points):
            return f"{len(points)} points from 1, {inline(points[0])}, to {len(points)}, {inline(points[-1])}"
        case Rating(low=low, high=high):
            return f"from {low}, {inline(measure.low_means)}, to {high}, {inline(measure.high_means)}"
        case YesNo():
            return "yes or no"
    return f"in at most {measure.words} words"


# ── exclusions ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _exclusions(study: Study, sessions: Sequence[PlayedSession], scene: Scene | None) -> Iterator[str]:
    """By the rules of the file as each session had it when it began: later ones exclude nobody."""
    applied = Counter(rule for one in sessions for rule in one.cfg.scene.plan.exclusions)
    if applied:
        of = count(len(sessions), "session")
        told = listed(
            [inline(rule) if n == len(sessions) else f"{inline(rule)} (in {n} of {of})" for rule, n in applied.items()]
        )
        yield f"Excluded, as the scene's file had said when the session began, was for whom one of these held: {told}."
    now = [rule for rule in _present_rules(scene, sessions) if rule not in applied] if sessions else []
    if now:
        yield f"The file now names others, by which nobody was excluded: {listed([inline(rule) for rule in now])}."
    cases = [case for run, case in zip(study.observed, study.cases, strict=True) if run.why != WITHDRAWN]
    left = dict(excluded_by(cases))
    for kind, is_kind in (("people", True), ("runs of models", False)):
        own = [case for case in cases if (case.subject == PEOPLE) is is_kind]
        if own:
            apart = ", ".join(f"{inline(why)}: {n}" for why, n in excluded_by(own).items())
            counted = sum(case.counts for case in own)
            yield f"Of {len(own)} {kind} {counted} were analysed{f' (left out: {apart})' if apart else ''}."
    if not left and study.observed:
        yield "Nobody was left out."


def _present_rules(scene: Scene | None, sessions: Sequence[PlayedSession]) -> list[str]:
    """The exclusions of the file as it is now, in the versions that were played."""
    played = {one.cfg.scene.condition or "" for one in sessions}
    found = versions_of(scene).items() if scene else ()
    return list(dict.fromkeys(rule for name, of in found if name in played for rule in of.plan.exclusions))
