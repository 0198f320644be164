"""How a session ended, as the last thing in the scrollback: verdict, quality, joint proposal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from elenchus.debate_engine.protocols.judging.schemas import Judgement
from elenchus.debate_engine.protocols.judging.strength import verdict
from elenchus.service.cli.output import clean
from elenchus.service.cli.show.items import Ended
from elenchus.service.cli.show.render import colour_of, headline, number, table, words

_SIDE = {"A": "pro", "B": "con", "tie": "a tie", "undecided": "undecided"}


def ended(item: Ended) -> RenderableType:
    """The end of any session."""
    if item.outcome is None:
        style = "yellow" if item.state == "stopped" else "red"
        return headline(f"{item.state.upper()}: {item.reason}", style)
    match item.protocol:
        case "socrasynth":
            return Group(*_debate(item.outcome), *_in_short(item.told))
        case "crit":
            return Group(*_document(item.outcome))
        case "sweep":
            return Group(*_sweep(item.outcome))
        case "detect":
            return Group(*_detection(item.outcome))
        case "rulegen" if item.outcome:
            return Group(*_scene(item.outcome))
        case bench if bench.startswith("bench-"):
            return Group(*_bench(bench, item.outcome))
    return headline("FINISHED", "green")


def _scene(outcome: Mapping[str, Any]) -> Iterator[RenderableType]:
    from elenchus.service.cli.show.played import played_lines

    yield headline("WHAT THE JUDGES SAY", colour_of("judge"))
    yield from (_indented(Text(clean(line))) for line in played_lines(outcome))


# ── a debate ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _debate(outcome: Mapping[str, Any]) -> Iterator[RenderableType]:
    if analysis := outcome.get("analysis"):
        yield headline("HOW THE SCORE CAME ABOUT", colour_of("crit"))
        yield _indented(words(str(analysis.get("how", ""))))
    if (proposal := outcome.get("proposal")) is not None:
        yield from _proposal(proposal)
    if comparison := outcome.get("comparison"):
        yield from _comparison(comparison)
    if judgement := outcome.get("judgement"):
        yield from _verdict(judgement, question=bool(outcome.get("open_outcome")))
    if open_outcome := outcome.get("open_outcome"):
        yield headline(f"THE QUESTION: {open_outcome.upper()}", "green")
    quality = outcome.get("quality") or {}
    yield _quality(quality.get("gamma"), quality.get("standing"))
    yield _indented(Text(f"{rounds(outcome)}: {clean(outcome['ended'])}", style="dim"))


def _in_short(told: tuple[str, ...]) -> Iterator[RenderableType]:
    """The debate in sentences that need no knowledge of the scores' names."""
    if told:
        yield headline("IN SHORT", "green")
        yield _indented(Text(clean("\n".join(told))))


def _quality(gamma: float | None, standing: float | None) -> RenderableType:
    """Γ of the whole, and how the claim stands."""
    said = Text.assemble(
        (f"argument quality Γ {number(gamma)}", "bold blue"),
        (f" · the claim's standing {number(standing)} (1–10, 5.5 is even)", "blue"),
    )
    return Padding(said, (1, 0, 0, 3))


def rounds(outcome: Mapping[str, Any]) -> str:
    """1 round, 2 rounds."""
    count = len(outcome["rounds"])
    return f"{count} round{'' if count == 1 else 's'}"


def _verdict(judgement: Mapping[str, Any], *, question: bool) -> Iterator[RenderableType]:
    style = {"A": "cyan", "B": "magenta"}.get(judgement["winner"], "yellow")
    yield headline("VERDICT", style)
    yield _indented(Text(verdict(Judgement.model_validate(judgement), question=question), style=f"bold {style}"))
    yield _indented(judges_table(judgement))
    by_majority, by_points = _SIDE[judgement["winner_by_majority"]], _SIDE[judgement["winner_by_total"]]
    yield _indented(Text(f"by majority {by_majority}, by points {by_points} ({points(judgement)})"))
    yield from _swap(judgement["swap"])
    for failed in judgement["failed"]:
        yield Text(f" ! {failed['judge']} could not be counted: {clean(failed['reason'])}", style="yellow")


def judges_table(judgement: Mapping[str, Any]) -> Table:
    """Points of pro and con by each judge, once with each side claiming."""
    made = table("judge", "pro claims", "con claims", "both", "vote")
    totals = {(t["judge"], t["first"]): t for t in judgement["totals"]}
    for vote in judgement["votes"]:
        cells = [_points(totals.get((vote["judge"], first))) for first in ("A", "B")]
        choice = _SIDE.get(vote["vote"] or "", "unread")
        made.add_row(vote["judge"], *cells, points(vote), Text(choice, style=colour_of(choice)))
    return made


def points(counted: Mapping[str, Any]) -> str:
    """Points of A and B."""
    return "unread" if counted["a"] is None else f"{counted['a']:g}–{counted['b']:g}"


def _points(total: Mapping[str, Any] | None) -> str:
    if not total or not total["read"]:
        return "unread"
    short = "" if total["read"] == total["asked"] else f" ({total['read']}/{total['asked']} read)"
    return points(total) + short


def _swap(swap: Mapping[str, Any]) -> Iterator[RenderableType]:
    if swap["mean_size"] is not None:
        moved = f"swapping the roles moved the margin by {swap['mean_size']:.1f} points on average"
        yield _indented(Text(moved, style="dim"))


def _proposal(proposal: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield headline(f"JOINT PROPOSAL · heat {proposal['heat']:.2f}", "green")
    if proposal["missing"]:
        yield Text(f" ! {clean(proposal['missing'])}", style="yellow")
    for row in proposal["topics"]:
        signed = " and ".join(row["signed_by"]) or "nobody"
        yield _indented(
            Text.assemble(
                (f"{row['number']}. {clean(row['title'])}", "bold"),
                (f"  signed by {signed}\n", "green" if len(row["signed_by"]) == 2 else "yellow"),
                clean(row["proposal"]) or "(no text)",
            )
        )
    if made := proposal["recommendations"]:
        signed = " and ".join(sorted(set(proposal.get("signed_by", ())), reverse=True)) or "nobody"
        yield _indented(Text.assemble((clean(made["answer"]), "bold"), (f"  signed by {signed}", "dim")))
        for title, key in (("ask next", "next_questions"), ("test next", "next_tests")):
            if made[key]:
                yield _indented(Text(f"{title}: {clean('; '.join(made[key]))}"))
        if made["reservations"]:
            yield _indented(Text(f"reservations: {clean(made['reservations'])}", style="dim"))


def _comparison(comparison: Mapping[str, Any]) -> Iterator[RenderableType]:
    better = {"A": "the debate", "B": "the plain answer"}.get(comparison["winner"], comparison["winner"])
    yield headline("DEBATE OR PLAIN ANSWER", "green")
    if comparison["no_answer"]:
        yield Text(f" ! there is no plain answer: {clean(comparison['no_answer'])}", style="yellow")
    yield _indented(
        Text(
            f"better information: {better} ({points(comparison)}); words: debate "
            f"{sum(comparison['debate_words'])}, plain answer {sum(comparison['plain_words'])}"
        )
    )
    yield _indented(Text(comparison["length_warning"], style="dim"))


# ── a document ───────────────────────────────────────────────────────────────────────────────────────────────────


def _document(outcome: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield headline(f"CRIT · {outcome['title']}", colour_of("crit"))
    yield _indented(Text.assemble(("claim: ", "dim"), (clean(outcome["claim"]) or "none was found", "bold")))
    for title, key in (("reasons", "reasons"), ("rival reasons", "rivals")):
        if outcome[key]:
            made = table(title, "validity", "credibility")
            for reason in outcome[key]:
                unsaid = " (left unsaid)" if reason["unsaid"] else ""
                made.add_row(Text(clean(reason["reason"]) + unsaid), number(reason["gamma"]), number(reason["theta"]))
            yield Padding(made, (1, 0, 0, 2))
    for source in outcome["consulted"]:
        stands, theta = number(source["quality"]["standing"]), number(source["theta"])
        told = f"consulted: {clean(source['name'])}, its claim stands at {stands}, credibility {theta}"
        yield _indented(Text(told, style="dim"))
    yield _quality(outcome["gamma"], outcome["standing"])
    if outcome["unreadable"]:
        yield Text(f" ! {outcome['unreadable']} reasons could not be scored; they count for nothing", style="yellow")
    if analysis := outcome["analysis"]:
        for title, key in (("how", "how"), ("would hold", "holds"), ("would fail", "fails")):
            yield _indented(Text.assemble((f"{title}: ", "dim"), clean(analysis[key])))


# ── a sweep ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _sweep(outcome: Mapping[str, Any]) -> Iterator[RenderableType]:
    from elenchus.debate_engine.protocols.sweep.report import numbers_table, phrases_table, trends_table
    from elenchus.debate_engine.protocols.sweep.schemas import Sweep

    sweep = Sweep.model_validate(outcome)
    for title, text in (
        ("HEARD AT EACH HEAT", phrases_table(sweep)),
        ("MEASURED", numbers_table(sweep)),
        ("CHANGE WITH THE HEAT", trends_table(sweep)),
    ):
        yield headline(title, "green")
        yield words(text)


# ── a detection ──────────────────────────────────────────────────────────────────────────────────────────────────


def _detection(outcome: Mapping[str, Any]) -> Iterator[RenderableType]:
    from elenchus.detectors.report import of_detection
    from elenchus.detectors.schemas import Detection

    yield headline("THE BIAS LOOKED FOR", "green")
    yield _indented(words(of_detection(Detection.model_validate(outcome))))


def _bench(protocol: str, outcome: Mapping[str, Any]) -> Iterator[RenderableType]:
    from elenchus.detectors.evaluation.spec import markdown_of

    yield headline("MEASURED", "green")
    for block in markdown_of(protocol, outcome):
        yield words(block)


def _indented(what: RenderableType) -> RenderableType:
    return Padding(what, (0, 0, 0, 3))
