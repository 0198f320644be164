"""Judgements, comparisons and votes as Markdown. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from elenchus.debate_engine.protocols.judging.agreement import Agreement
from elenchus.debate_engine.protocols.judging.marks import First, Mark
from elenchus.debate_engine.protocols.judging.rubric import RULING
from elenchus.debate_engine.protocols.judging.schemas import NO_REASONS, Comparison, Judgement
from elenchus.debate_engine.protocols.judging.strength import verdict
from elenchus.debate_engine.protocols.judging.tally import Tally, Total, by_chance
from elenchus.debate_engine.protocols.judging.votes import AudienceVote, Ballots, Swing
from elenchus.debate_engine.protocols.markdown import flat, table

Names = Mapping[str, str]
"""What to call a judge's seat, where it should be called otherwise; a seat that is not in it keeps its name."""

UNREAD = "unread"


def judgement_markdown(j: Judgement, names: Names | None = None, *, question: bool = False) -> str:
    """Tables by claimant (as the paper's tables 5 and 6), verdicts, swap effect, agreement, failures, rationales."""
    who = names or {}
    orders: tuple[First, ...] = ("A", "B")
    called = {"A": "A (pro)", "B": "B (con)", "tie": "a tie", "undecided": "undecided"}
    tables = [
        f"**{called[first]} claims** (points of A – B, 1–10 a topic)\n\n{points_table(j, first, who)}"
        for first in orders
    ]
    reasons = [
        f"- {name_of(c.judge, who)}, topic {c.topic}, {c.claimant} claiming, winner {c.ruling.winner}: "
        f"{flat(c.ruling.rationale)}"
        for c in j.cells
        if c.ruling and c.ruling.rationale != NO_REASONS
    ]
    silent = list(dict.fromkeys(c.judge for c in j.cells if c.ruling and c.ruling.rationale == NO_REASONS))
    reasons += [f"- {name_of(judge, who)}, all topics: {NO_REASONS}" for judge in silent]
    parts = [
        verdict_line(j, verdict(j, question=question), called),
        *tables,
        criteria_table(j, who),
        votes_line(j, who, called),
        named_line(j),
        swap_line(j, "the claimant", "the change of roles"),
        agreement_line(j.agreement),
        *failed_lines(j, who),
        "**Rationales**\n\n" + "\n".join(reasons) if reasons else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def comparison_markdown(c: Comparison, names: Names | None = None) -> str:
    """Debate (A) against plain answer (B): tables by order, words, verdicts, effect of the order, failures."""
    who = names or {}
    called = {"A": "the debate", "B": "the plain answer", "tie": "a tie", "undecided": "undecided"}
    parts = [
        f"There is no plain answer: {flat(c.no_answer)}." if c.no_answer else "",
        verdict_line(c, f"Better information: {called[c.winner]}", called),
        f"**Debate shown first** (points of debate – plain answer, 1–10)\n\n{points_table(c, 'A', who)}",
        f"**Plain answer shown first**\n\n{points_table(c, 'B', who)}",
        votes_line(c, who, called),
        f"{words_table(c)}\n\n{c.length_warning}",
        swap_line(c, "the text shown first", "the change of order"),
        agreement_line(c.agreement),
        *failed_lines(c, who),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def vote_markdown(v: AudienceVote) -> str:
    """The room's vote before and after."""
    rows = [
        [choice, str(getattr(v.before, choice)), str(getattr(v.after, choice)), swung(swing)]
        for choice, swing in (("pro", v.swing_pro), ("con", v.swing_con), ("undecided", None))
    ]
    verdict = {"tie": "a tie", "undecided": "undecided: nobody voted both times"}.get(v.winner, v.winner)
    once = [f"{when} the debate only: {counted(b)}" for when, b in (("before", v.only_before), ("after", v.only_after))]
    parts = [f"**The room: {verdict}.**"]
    if v.voters:
        parts.append(f"{v.voters} voted both times:\n\n" + table(["", "before", "after", "swing"], rows))
    if v.only_before.total or v.only_after.total:
        parts.append(f"Voted once, so not counted in the swing: {'; '.join(once)}.")
    return "\n\n".join(parts) + "\n"


# ── pieces ───────────────────────────────────────────────────────────────────────────────────────────────────────


def points_table(t: Judgement | Comparison, first: First, who: Names) -> str:
    """Topics by judges, with a row of totals; `unread` where there is no score."""
    by_place = {(m.judge, m.topic): m for c in t.cells if (m := c.counted()).first == first}

    def shown(judge: str, topic: int) -> str:
        mark = by_place.get((judge, topic))
        return points(mark.a, mark.b) if isinstance(mark, Mark) else UNREAD

    totals = {total.judge: total for total in t.totals if total.first == first}
    rows = [
        [f"{n}. {cell(title)}", *(shown(judge, n) for judge in t.judges)] for n, title in enumerate(t.topics, start=1)
    ]
    sums = [summed(totals[judge]) for judge in t.judges]
    return table(["topic", *(name_of(judge, who) for judge in t.judges)], [*rows, ["**total**", *sums]])


def criteria_table(j: Judgement, who: Names) -> str:
    """Each judge's mean scores of both sides by criterion, over all its readable rulings; "" without any."""
    rows = []
    for judge in j.judges:
        rulings = [c.ruling for c in j.cells if c.judge == judge and c.ruling]
        for criterion in RULING.criteria if rulings else ():
            given = [[RULING.scores(r, side)[criterion.name] for r in rulings] for side in ("a", "b")]
            rows.append([name_of(judge, who), criterion.name, *(f"{fmean(scores):.1f}" for scores in given)])
    head = ["judge", "criterion", "A (pro)", "B (con)"]
    return f"**Mean scores by criterion** (1–10)\n\n{table(head, rows)}" if rows else ""


def words_table(c: Comparison) -> str:
    """The length of both texts by topic."""
    lengths = enumerate(zip(c.topics, c.debate_words, c.plain_words, strict=True), start=1)
    rows = [[f"{n}. {cell(title)}", str(debate), str(plain)] for n, (title, debate, plain) in lengths]
    return table(["topic", "words of the debate", "words of the plain answer"], rows)


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


def votes_line(t: Tally, who: Names, called: Mapping[str, str]) -> str:
    """Each judge's own total over both orders, which is its vote."""
    votes = [f"{name_of(v.judge, who)} {called[v.vote]} ({points(v.a, v.b)})" for v in t.votes if v.vote is not None]
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
        return f"{value:.2f}" if value is not None else f"not known ({reason})"

    known = a.scores is not None or a.winners is not None
    caution = " Judges that are the same model agree by themselves." if known else ""
    return (
        f"Agreement of the judges (Krippendorff's α): scores {told(a.scores, a.scores_reason)}, "
        f"winners {told(a.winners, a.winners_reason)}.{caution}"
    )


def failed_lines(t: Tally, who: Names) -> list[str]:
    """Judges that could not be read, with the reasons."""
    lines = [f"- {name_of(f.judge, who)}: {f.read} of {f.asked} readable; {flat(f.reason)}" for f in t.failed]
    return ["**Judges left out of the verdict**\n\n" + "\n".join(lines)] if lines else []


def name_of(judge: str, who: Names) -> str:
    """What a judge is called, fit for a table."""
    return cell(who.get(judge, judge))


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


def cell(text: str) -> str:
    """A text fit for a table's cell."""
    return flat(text).replace("|", "\\|")
