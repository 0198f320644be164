"""A session in plain sentences that can be read out to a class: facts from the log only, nothing added."""

from __future__ import annotations

from collections import Counter

from elenchus.debate_engine.protocols.crit.scoring import sources_of
from elenchus.debate_engine.protocols.judging.marks import Pick
from elenchus.debate_engine.protocols.judging.schemas import Judgement
from elenchus.debate_engine.protocols.judging.strength import verdict
from elenchus.debate_engine.protocols.judging.votes import AudienceVote, Swing
from elenchus.debate_engine.protocols.socrasynth.projection import DebateProjection, debate_of
from elenchus.debate_engine.protocols.socrasynth.results import Stage
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig, Proposal
from elenchus.debate_engine.reports import words
from elenchus.debate_engine.reports.seats import Speaker, model_in_words
from elenchus.debate_engine.reports.view import SessionView


def sentences(view: SessionView) -> list[str]:
    """The summary, in plain text (other people's words are not escaped). Only what the log holds."""
    if (debate := debate_of(view)) is None or debate.config is None:
        return []
    told = [
        _who(view, debate.config),
        _topics(debate),
        _heats(debate),
        _quality(debate.stages(), question=debate.question),
        _verdict(debate.verdict, question=debate.question) if debate.verdict else "",
        _proposal(debate),
        _comparison(debate),
        _room(view.moderation.audience()),
        _sources(debate),
        _stand_ins(view),
        _prepared(view),
        _troubles(view, debate),
    ]
    return [sentence for sentence in told if sentence]


def _who(view: SessionView, cfg: DebateConfig) -> str:
    by_seat = {s.seat: s for s in view.speakers}
    pro, con = (_player(by_seat[side]) if side in by_seat else "somebody" for side in ("pro", "con"))
    if cfg.open_question:
        return f"Two sides each answered the question “{cfg.motion}” and defended their answer: {pro}, and {con}."
    return f"The motion was “{cfg.motion}”. {pro} argued for it; {con} argued against it."


def _player(speaker: Speaker) -> str:
    what = {"simulated": "a script", "weak": f"the weak embedded model {speaker.model}", "person": "a person"}
    name = speaker.name if speaker.name != speaker.seat else f"“{speaker.seat}”"
    return f"{name} ({what.get(speaker.kind, model_in_words(speaker.model))})"


def _topics(debate: DebateProjection) -> str:
    agenda = debate.agenda
    if not agenda or (debate.config and debate.config.open_question):
        return ""
    titles = "; ".join(words.shortened(topic.title, 100) for topic in agenda)
    return f"They debated {words.count(len(agenda), 'topic')}: {titles}."


def _heats(debate: DebateProjection) -> str:
    stages = debate.stages()
    if not stages or stages[0].heat is None:
        return ""
    rounds = debate.rounds()
    start = f"They began at a heat of {stages[0].heat:.2f}, where 0 is full agreement and 1 is devil's advocate"
    if debate.ended is None:
        so_far = f"{words.count(len(rounds), 'round')} of refutation so far"
        return f"{start}; {so_far}, now at {words.heat(debate.heat)}."
    closed = f", and closed at {words.heat(debate.heat)} after {words.count(len(rounds), 'round')} of refutation"
    why = f"; the rounds ended because {debate.ended}" if debate.ended else ""
    return f"{start}{closed}{why}."


def _quality(stages: list[Stage], *, question: bool) -> str:
    scored = [s for s in stages if s.quality]
    if not scored:
        return ""
    course = ", ".join(f"{words.score(s.gamma)} {_after(s)}" for s in scored)
    last = scored[-1]
    text = f"A model scored the quality of all arguments so far from 1 to 10 (CRIT): {course}."
    if last.standing is None:
        return text
    lean = "for" if last.standing > 5.55 else "against" if last.standing < 5.45 else "for neither side"
    leaning = lean if lean == "for neither side" else f"{lean} {'the answer of pro' if question else 'the motion'}"
    standing = f"the claim stands at {last.standing:.1f} of 10 ({leaning})"
    return f"{text} With the reasons against counted as well, {standing}."


def _after(stage: Stage) -> str:
    return "after the closings" if stage.n is None else f"after {stage.name}"


def _verdict(j: Judgement, *, question: bool) -> str:
    read = [v for v in j.votes if v.vote is not None]
    named = Counter(v.vote for v in read)
    seen: dict[Pick, str] = {"A": "the side for the motion ahead", "B": "the side against ahead", "tie": "a tie"}
    if question:
        seen = {"A": "the answer of pro ahead", "B": "the answer of con ahead", "tie": "a tie"}
    votes = [f"{_so_many(named[pick], len(j.judges))} saw {what}" for pick, what in seen.items() if named[pick]]
    judges = f"{words.count(len(j.judges), 'judge')} read every topic twice, once with each side claiming"
    result = f"The judges' verdict: {words.inside(verdict(j, question=question))}"
    pro, con = ("for pro", "for con") if question else ("for", "against")
    points = f" ({j.a:g} points {pro}, {j.b:g} {con})" if read else ""
    many = len(j.failed)
    counts = "counts" if many == 1 else "count"
    left_out = f" {words.count(many, 'judge')} could not be read and {counts} in no sum." if many else ""
    swap = f" Changing who claims turned {j.swap.flipped} of {j.swap.pairs} named winners." if j.swap.pairs else ""
    return f"{judges}{': ' if votes else ''}{words.listed(votes)}. {result}{points}.{left_out}{swap}"


def _so_many(some: int, every: int) -> str:
    return {1: "it", 2: "both"}.get(some, "all") if some == every else str(some)


def _proposal(debate: DebateProjection) -> str:
    proposal = debate.proposal
    if proposal is None:
        return ""
    if proposal.missing:
        return f"There is no joint proposal: {proposal.missing}."
    if proposal.recommendations:
        outcome = debate.outcome.open_outcome if debate.outcome else ""
        signed = " and ".join(sorted(set(proposal.signed_by), reverse=True)) or "nobody"
        what = f"the joint recommendation, signed by {signed}: {proposal.recommendations.answer}"
        return f"The question ended {outcome or 'open'}; {what}."
    return _signed(proposal)


def _signed(proposal: Proposal) -> str:
    both = sum(len(set(t.signed_by)) == 2 for t in proposal.topics)
    topics = f"{both} of {words.count(len(proposal.topics), 'topic')}" if both else "no topic"
    return f"At the end both sides signed a joint proposal on {topics}."


def _comparison(debate: DebateProjection) -> str:
    c = debate.comparison
    if c is None:
        return ""
    if c.no_answer:
        return f"The debate could not be compared with a plain answer: {c.no_answer}."
    said = f"{sum(c.debate_words)} words of debate, {sum(c.plain_words)} of plain answer"
    return f"Asked which informs better, the debate or one model's plain answer, the judges said: {c.better} ({said})."


def _room(vote: AudienceVote | None) -> str:
    if vote is None:
        return ""
    if vote.swing_pro is None or vote.swing_con is None:
        if not vote.only_after.total:
            members = words.count(vote.only_before.total, "member")
            return f"{members} of the audience voted before the debate, none after it yet."
        once = vote.only_before.total + vote.only_after.total
        return f"{words.count(once, 'member')} of the audience voted only once, so the room's vote is undecided."
    verdict = {"pro": "the side for the motion", "con": "the side against the motion"}.get(vote.winner, "nobody")
    return (
        f"{words.count(vote.voters, 'member')} of the audience voted before and after: for {_moved(vote.swing_pro)}, "
        f"against {_moved(vote.swing_con)}; {verdict} won the room."
    )


def _moved(swing: Swing) -> str:
    return f"{swing.votes:+d} {'vote' if abs(swing.votes) == 1 else 'votes'}".replace("-", "−")


def _sources(debate: DebateProjection) -> str:
    quality = debate.quality
    named = sources_of(quality.reasons) if quality else []
    return f"The debaters named {words.count(len(named), 'source')}; nobody has checked them." if named else ""


def _stand_ins(view: SessionView) -> str:
    turns = Counter(view.name(seat) for seat in view.stood_in.values())
    told = [f"for {name} in {words.count(n, 'turn')}" for name, n in turns.items()]
    return f"A model stood in {words.listed(told)}." if told else ""


def _prepared(view: SessionView) -> str:
    if not view.moderation.prepared:
        return ""
    forms = words.count(view.moderation.prepared, "form")
    return f"A model drafted {forms} for people on seats, who sent {view.moderation.approved} of them unchanged."


def _troubles(view: SessionView, debate: DebateProjection) -> str:
    t, quality = view.failures, debate.quality
    counts = [
        (len(t.failures), "failed call"),
        (len(t.no_answers), "question without a usable answer"),
        (quality.unreadable if quality else 0, "reason without a readable score"),
        (len(t.trimmed), "prompt shortened to fit the model"),
    ]
    many = {"question without a usable answer": "questions without a usable answer",
            "reason without a readable score": "reasons without a readable score",
            "prompt shortened to fit the model": "prompts shortened to fit the model"}  # fmt: skip
    told = [words.count(n, one, many.get(one, "")) for n, one in counts if n]
    return f"Not everything worked: {words.listed(told)}." if told else ""
