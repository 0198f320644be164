"""Judgements, comparisons and votes as blocks of a report. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import fmean

from elenchus.debate_engine.protocols.judging.agreement import Agreement
from elenchus.debate_engine.protocols.judging.marks import First, Mark
from elenchus.debate_engine.protocols.judging.rubric import RULING
from elenchus.debate_engine.protocols.judging.schemas import NO_REASONS, Comparison, Judgement
from elenchus.debate_engine.protocols.judging.strength import verdict
from elenchus.debate_engine.protocols.judging.tally import Tally, Total, by_chance
from elenchus.debate_engine.protocols.judging.votes import AudienceVote, Ballots, Swing
from elenchus.debate_engine.reports.document import bullets, table
from elenchus.debate_engine.reports.escape import inline

Name = Callable[[str], str]
"""What to call a judge's seat; not yet safe."""

UNREAD = "unread"


def of_judgement(j: Judgement, who: Name, *, question: bool = False) -> list[str]:
    """Tables by claimant (as the paper's tables 5 and 6), verdicts, swap effect, agreement, failures, rationales."""
    called = {"A": "A (pro)", "B": "B (con)", "tie": "a tie", "undecided": "undecided"}
    reasons = [
        f"{inline(who(c.judge))}, topic {c.topic}, {c.claimant} claiming, winner {c.ruling.winner}: "
        f"{inline(c.ruling.rationale)}"
        for c in j.cells
        if c.ruling and c.ruling.rationale != NO_REASONS
    ]
    silent = list(dict.fromkeys(c.judge for c in j.cells if c.ruling and c.ruling.rationale == NO_REASONS))
    reasons += [f"{inline(who(judge))}, all topics: {NO_REASONS}" for judge in silent]
    parts = [
        verdict_line(j, verdict(j, question=question), called),
        *(f"**{called['A']} claims** (points of A – B, 1–10 a topic)", points_table(j, "A", who)),
        *(f"**{called['B']} claims** (points of A – B, 1–10 a topic)", points_table(j, "B", who)),
        *criteria_table(j, who),
        votes_line(j, who, called),
        named_line(j),
        swap_line(j, "the claimant", "the change of roles"),
        agreement_line(j.agreement),
        *failed_lines(j, who),
        *(("**Rationales**", bullets(reasons)) if reasons else ()),
    ]
    return [part for part in parts if part]


def of_comparison(c: Comparison, who: Name) -> list[str]:
    """Debate (A) against plain answer (B): tables by order, words, verdicts, effect of the order, failures."""
    called = {"A": "the debate", "B": "the plain answer", "tie": "a tie", "undecided": "undecided"}
    parts = [
        f"There is no plain answer: {inline(c.no_answer)}." if c.no_answer else "",
        verdict_line(c, f"Better information: {called[c.winner]}", called),
        *("**Debate shown first** (points of debate – plain answer, 1–10)", points_table(c, "A", who)),
        *("**Plain answer shown first**", points_table(c, "B", who)),
        votes_line(c, who, called),
        words_table(c),
        inline(c.length_warning),
        swap_line(c, "the text shown first", "the change of order"),
        agreement_line(c.agreement),
        *failed_lines(c, who),
    ]
    return [part for part in parts if part]


def of_vote(v: AudienceVote) -> list[str]:
    """The room's vote before and after."""
    rows = [
        [choice, str(getattr(v.before, choice)), str(getattr(v.after, choice)), swung(swing)]
        for choice, swing in (("pro", v.swing_pro), ("con", v.swing_con), ("undecided", None))
    ]
    verdict = {"tie": "a tie", "undecided": "undecided: nobody voted both times"}.get(v.winner, v.winner)
    once = [f"{when} the debate only: {counted(b)}" for when, b in (("before", v.only_before), ("after", v.only_after))]
    parts = [f"**The room: {verdict}.**"]
    if v.voters:
        parts += [f"{v.voters} voted both times:", table(["", "before", "after", "swing"], rows, "-")]
    if v.only_before.total or v.only_after.total:
        parts.append(f"Voted once, so not counted in the swing: {'; '.join(once)}.")
    return parts


# ── pieces ───────────────────────────────────────────────────────────────────────────────────────────────────────


def points_table(t: Judgement | Comparison, first: First, who: Name) -> str:
    """Topics by judges, with a row of totals; `unread` where there is no score."""
    by_place = {(m.judge, m.topic): m for c in t.cells if (m := c.counted()).first == first}

    def shown(judge: str, topic: int) -> str:
        mark = by_place.get((judge, topic))
        return points(mark.a, mark.b) if isinstance(mark, Mark) else UNREAD

    totals = {total.judge: total for total in t.totals if total.first == first}
    rows = [
        [f"{n}. {inline(title)}", *(shown(judge, n) for judge in t.judges)] for n, title in enumerate(t.topics, start=1)
    ]
    sums = [summed(totals[judge]) for judge in t.judges]
    return table(["topic", *(inline(who(judge)) for judge in t.judges)], [*rows, ["**total**", *sums]], "-")


def criteria_table(j: Judgement, who: Name) -> list[str]:
    """Each judge's mean scores of both sides by criterion, over all its readable rulings."""
    rows = []
    for judge in j.judges:
        rulings = [c.ruling for c in j.cells if c.judge == judge and c.ruling]
        for criterion in RULING.criteria if rulings else ():
            given = [[RULING.scores(r, side)[criterion.name] for r in rulings] for side in ("a", "b")]
            rows.append([inline(who(judge)), criterion.name, *(f"{fmean(scores):.1f}" for scores in given)])
    head = ["judge", "criterion", "A (pro)", "B (con)"]
    return ["**Mean scores by criterion** (1–10)", table(head, rows, "-")] if rows else []


def words_table(c: Comparison) -> str:
    """The length of both texts by topic."""
    lengths = enumerate(zip(c.topics, c.debate_words, c.plain_words, strict=True), start=1)
    rows = [[f"{n}. {inline(title)}", str(debate), str(plain)] for n, (title, debate, plain) in lengths]
    return table(["topic", "words of the debate", "words of the plain answer"], rows, "-")


def summed(total: Total) -> str:
    """A sum of points, with how many topics are in it where some are missing."""
    if total.a is None:
        return UNREAD
    missing = "" if total.read == total.asked else f" ({total.read} of {total.asked} topics)"
    return points(total.a, total.b) + missing


def verdict_line(t: Tally, told: str, called: Mapping[str, str]) -> str:
    """What came out as it is `told`, by majority and by total."""
    return (
        f"**{told}.** By majority of judges: {called[t.winner_by_majority]}; "
        f"by total: {called[t.winner_by_total]} ({points(t.a, t.b)})."
    )


def named_line(t: Tally) -> str:
    """The winners that the judges named, how often that contradicts their own points, and how often chance would name
    one side as often.
    """
    against = f" ({t.against_scores} of them against the judge's own points)" if t.against_scores else ""
    chance = by_chance(t)
    told = f" Tossed coins would name one side so often, or more, in {chance:.1%} of debates." if chance else ""
    return f"Winners named on single topics: A {t.named['A']}, B {t.named['B']}, tie {t.named['tie']}{against}.{told}"


def votes_line(t: Tally, who: Name, called: Mapping[str, str]) -> str:
    """Each judge's own total over both orders, which is its vote."""
    votes = [f"{inline(who(v.judge))} {called[v.vote]} ({points(v.a, v.b)})" for v in t.votes if v.vote is not None]
    return f"Votes of the judges: {', '.join(votes)}." if votes else ""


def swap_line(t: Tally, first: str, change: str) -> str:
    """The effect of the order in a sentence."""
    s = t.swap
    if s.mean is None or s.mean_size is None:
        return "Effect of the swap: not known, since no topic could be read in both orders."
    return (
        f"Effect of the swap: {change} moved the margin by {s.mean_size:.2f} points on average; {first} gained "
        f"{s.mean / 2:+.2f} points of margin by it. {s.flipped} of {s.pairs} named winners changed sides."
    )


def agreement_line(a: Agreement) -> str:
    """Krippendorff's alpha of scores and winners."""

    def told(value: float | None, reason: str) -> str:
        return f"{value:.2f}" if value is not None else f"not known ({inline(reason)})"

    known = a.scores is not None or a.winners is not None
    caution = " Judges that are the same model agree by themselves." if known else ""
    return (
        f"Agreement of the judges (Krippendorff's α): scores {told(a.scores, a.scores_reason)}, "
        f"winners {told(a.winners, a.winners_reason)}.{caution}"
    )


def failed_lines(t: Tally, who: Name) -> list[str]:
    """Judges that could not be read, with the reasons."""
    lines = [f"{inline(who(f.judge))}: {f.read} of {f.asked} readable; {inline(f.reason)}" for f in t.failed]
    return ["**Judges left out of the verdict**", bullets(lines)] if lines else []


def points(a: float | None, b: float | None) -> str:
    """Points of A and B without needless zeros."""
    if a is None or b is None:
        return UNREAD
    return f"{round(a, 2):g} – {round(b, 2):g}"


def swung(swing: Swing | None) -> str:
    """A swing in votes and percentage points."""
    return f"{swing.votes:+d} ({swing.points:+g} points)" if swing else ""


def counted(b: Ballots) -> str:
    """Ballots in words."""
    return f"pro {b.pro}, con {b.con}, undecided {b.undecided}"
