"""The sections that say what came of a debate: result, participants, agenda, course, judges, CRIT, proposal, votes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from elenchus.debate_engine.protocols.crit import report as crit_report
from elenchus.debate_engine.protocols.judging import plot as judges_plot, report as judging_report
from elenchus.debate_engine.protocols.judging.strength import verdict
from elenchus.debate_engine.protocols.socrasynth import plot
from elenchus.debate_engine.protocols.socrasynth.projection import DebateProjection, debate_of
from elenchus.debate_engine.protocols.socrasynth.schemas import Agreement, Proposal, Recommendations
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.debate_engine.reports import words
from elenchus.debate_engine.reports.document import Figure, ReportBlock, Section, bullets, table
from elenchus.debate_engine.reports.escape import inline, quoted, speech
from elenchus.debate_engine.reports.report import participants
from elenchus.debate_engine.reports.view import SessionView

_TITLES: Final[Mapping[str, str]] = {
    "agenda": "Agenda",
    "answers": "First answers",
    "course": "Heat and quality by round",
    "judges": "The judges",
    "crit": crit_report.TITLE,
    "proposal": "Joint proposal",
    "recommendations": "Joint recommendations",
    "comparison": "Debate against a plain answer",
    "audience": "The audience's vote",
}
_WINNERS: Final[Mapping[str, str]] = {
    "pro": "for the motion (pro)",
    "con": "against the motion (con)",
    "tie": "a tie",
    "undecided": "undecided",
}
_COURSE_LEGEND: Final = (
    "Heat (Δ, contentiousness) runs from 0, full agreement, to 1, devil's advocate. Γ is the quality of all arguments "
    "so far and runs from 1 to 10; the standing of the claim counts the reasons against it as well, and 5.5 is even. "
    "Its noise is how far Γ may have fallen by chance since the round before (one-sided 95 %, from the spread of the "
    "reasons' scores, which it takes as independent of each other; where a round's scores hang together it is larger). "
    f"“{words.NO_SCORE}” means that a score could not be read: it is left out and never counts as 0."
)
_JUDGES_LEGEND: Final = (
    "A is the side for the motion (pro), B the side against (con); judges read them under these letters, without "
    "names. Each judge reads every topic twice, once with each side as the one that claims."
)
_ANSWERS_LEGEND: Final = (
    "A is pro with its answer, B con with its own; judges read them under these letters, without names. Each judge "
    "reads the exchange twice, once with each side as the one that claims."
)


def sections(view: SessionView) -> list[Section]:
    """The sections, each without blocks where the log has nothing for it."""
    if (debate := debate_of(view)) is None:
        return []
    parts = {
        "result": _result(view, debate),
        "participants": participants(view).blocks,
        "agenda": _agenda(view, debate),
        "answers": _answers(view, debate),
        "course": _course(view, debate),
        "judges": _judges(view, debate),
        "crit": _crit(view, debate),
        **_proposal(view, debate),
        "comparison": _comparison(view, debate),
        "audience": _audience(view, debate),
    }
    return [Section(key, _TITLES.get(key) or words.HEADINGS[key], tuple(blocks)) for key, blocks in parts.items()]


def _result(view: SessionView, debate: DebateProjection) -> list[ReportBlock]:
    course, rows = debate, []
    if course.verdict:
        rows.append(["Judges' verdict", f"**{verdict(course.verdict, question=debate.question)}**"])
    if (vote := view.moderation.audience()) and vote.voters:
        rows.append(["The room", _WINNERS[vote.winner]])
    if course.outcome and course.outcome.open_outcome:
        rows.append(["The question ended", inline(course.outcome.open_outcome)])
    if course.claim:
        rows.append(["The claim that stands for the question", inline(course.claim)])
    if quality := course.quality:
        when = "after the closings" if course.final else "so far"
        rows.append([f"Quality of the arguments (Γ), {when}", words.score(quality.gamma)])
        rows.append(["Standing of the claim (5.5 is even)", words.score(quality.standing)])
    if course.ended:
        rows.append(["The rounds ended because", inline(course.ended)])
    if drawn := _drawn(view, debate):
        rows.append(["Drawn by lot", drawn])
    return [table(["", ""], rows)] if rows else []


def _drawn(view: SessionView, debate: DebateProjection) -> str:
    """Who merged the agenda and who drafted the joint document, which may favour that side."""
    merged = debate.outcome.merged_by if debate.outcome else ""
    drafted = debate.proposal.drafted_by if debate.proposal else ""
    what = "joint recommendation" if debate.question else "joint proposal"
    told = [f"{side} {did}" for side, did in ((merged, "merged the agenda"), (drafted, f"drafted the {what}")) if side]
    return "; ".join(told)


def _agenda(view: SessionView, debate: DebateProjection) -> list[ReportBlock]:
    topics = debate.agenda or ()
    if debate.config and debate.config.brief:
        brief = ["What both sides were given to know:", quoted(speech(debate.config.brief))]
    else:
        brief = []
    return [*(["\n".join(f"{n}. {_topic(t)}" for n, t in enumerate(topics, 1))] if topics else []), *brief]


def _topic(topic: Topic) -> str:
    return f"**{inline(topic.title)}**" + (f": {inline(topic.scope)}" if topic.scope.strip() else "")


def _answers(view: SessionView, debate: DebateProjection) -> list[ReportBlock]:
    blocks: list[ReportBlock] = []
    for side, answer in debate.answers.items():
        lists = {"Reasons": answer.reasons, "Would ask": answer.questions, "Would test": answer.tests}
        head = f"**{side}:** {inline(answer.answer)} (confidence {answer.confidence} %)"
        blocks.append(head)
        blocks += [f"{name}:\n\n{bullets([inline(item) for item in items])}" for name, items in lists.items() if items]
    return blocks


def _course(view: SessionView, debate: DebateProjection) -> list[ReportBlock]:
    stages = debate.stages()
    if not stages:
        return []
    rows = [
        [
            s.name,
            words.heat(s.heat) + (" (set by the moderator)" if s.set_by_moderator else ""),
            words.score(s.gamma) if s.quality else "–",
            "–" if s.noise is None else f"{s.noise:.2f}",
            words.score(s.standing) if s.quality else "–",
            str(s.quality.unreadable) if s.quality else "–",
        ]
        for s in stages
    ]
    head = ["stage", "heat Δ", "quality Γ", "its noise", "standing", "reasons without a score"]
    figure = Figure(plot.NAME, plot.alt_text(stages))
    return [figure, table(head, rows, "lrrrrr"), _COURSE_LEGEND]


def _judges(view: SessionView, debate: DebateProjection) -> list[ReportBlock]:
    verdict = debate.verdict
    if verdict is None:
        return []
    names = {judge: view.name(judge) for judge in verdict.judges}
    figure = Figure(judges_plot.NAME, judges_plot.alt_text(verdict, names, question=debate.question))
    legend = _ANSWERS_LEGEND if debate.question else _JUDGES_LEGEND
    return [figure, legend, *judging_report.of_judgement(verdict, view.name, question=debate.question)]


def _crit(view: SessionView, debate: DebateProjection) -> list[ReportBlock]:
    quality = debate.quality
    if quality is None:
        return []
    topics = list(debate.agenda or ())
    most = max((t.number for t in quality.by_topic), default=0)
    topics += [Topic(pro_concern=f"topic {n}", con_concern="?", scope="") for n in range(len(topics) + 1, most + 1)]
    analysis = debate.outcome.analysis if debate.outcome else None
    weighed = debate.config.weighed(debate.claim, debate.answers.get("pro")) if debate.config else ""
    told = crit_report.of_quality(weighed, topics, quality, analysis)
    when = "" if debate.final else "After the last scored round; the closings are not scored yet."
    return [*([when] if when else []), *told]


def _proposal(view: SessionView, debate: DebateProjection) -> dict[str, list[ReportBlock]]:
    proposal = debate.proposal
    if proposal is None:
        return {}
    if proposal.missing:
        return {"proposal": [f"There is none: {inline(proposal.missing)}."]}
    if proposal.recommendations:
        return {"recommendations": [*_recommendations(proposal.recommendations), *_signatures(proposal)]}
    about = f"Made at a heat of {proposal.heat:.2f}."
    return {"proposal": [about, *(_agreement(row) for row in proposal.topics)]}


def _agreement(row: Agreement) -> str:
    signed = sorted(set(row.signed_by), reverse=True)
    by = {2: "signed by both sides", 1: f"signed by {signed[0]} only" if signed else "", 0: "signed by nobody"}
    head = f"**{row.number}. {inline(row.title)}** ({by[len(signed)]})"
    text = quoted(speech(row.proposal)) if row.proposal else "> (no text was proposed)"
    offers = [f"{side} offered: {inline(text)}" for side, text in row.amendments]
    return "\n\n".join([head, text, *([bullets(offers)] if offers else [])])


def _recommendations(r: Recommendations) -> list[ReportBlock]:
    lists = {"Next questions": r.next_questions, "Next tests": r.next_tests}
    return [
        f"**{inline(r.answer)}**",
        *(f"{name}:\n\n{bullets([inline(item) for item in items])}" for name, items in lists.items() if items),
        *([f"Reservations: {inline(r.reservations)}"] if r.reservations.strip() else []),
    ]


def _signatures(proposal: Proposal) -> list[ReportBlock]:
    by = " and ".join(sorted(set(proposal.signed_by), reverse=True)) or "nobody"
    offers = [f"{side} offered: {inline(text.answer)}" for side, text in proposal.amendments]
    return [f"Drafted by {proposal.drafted_by or 'nobody'}, signed by {by}.", *([bullets(offers)] if offers else [])]


def _comparison(view: SessionView, debate: DebateProjection) -> list[ReportBlock]:
    if (c := debate.comparison) is None:
        return []
    answer = ["The plain answer:", quoted(speech(c.answer))] if c.answer.strip() else []
    return [*judging_report.of_comparison(c, view.name), *answer]


def _audience(view: SessionView, debate: DebateProjection) -> list[ReportBlock]:
    vote = view.moderation.audience()
    return [*judging_report.of_vote(vote)] if vote else []
