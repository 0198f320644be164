"""Finished things as plain lines, for a pipe or a file: no colours, no wrapping, each line to be found by grep.

What begins at the margin is ours: speeches are set in, and so is every further line of a text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from elenchus.debate_engine.protocols.judging.schemas import Judgement
from elenchus.debate_engine.protocols.judging.strength import verdict
from elenchus.service.cli.output import clean
from elenchus.service.cli.show.items import Ended, Item, Note, Scored, Spoken, Topics
from elenchus.service.cli.show.outcome import points, rounds
from elenchus.service.cli.show.render import change, number


def lines(item: Item) -> Iterator[str]:
    """The lines of an item."""
    return (clean(line).replace("\n", "\n  ") for line in _lines(item))


def _lines(item: Item) -> Iterator[str]:
    match item:
        case Spoken():
            heat = f", heat {item.heat:.2f}" if item.heat is not None else ""
            model = f", {item.model}" if item.model else ""
            yield f"[{item.seat}, {item.about}{heat}{model}]"
            yield f"  {item.text}"
            yield ""
        case Topics(topics=topics):
            yield "[agenda]"
            for n, topic in enumerate(topics, 1):
                yield f"{n}. {topic['pro_concern']} vs. {topic['con_concern']}: {topic['scope']}"
            yield ""
        case Scored():
            yield _scored(item)
            yield ""
        case Note(text=text):
            yield f"- {text}"
        case Ended():
            yield from _ended(item)


def _scored(item: Scored) -> str:
    q = item.quality
    unread = f", {q.unreadable} unreadable" if q.unreadable else ""
    moved = change(item.before, q.gamma)
    return (
        f"[quality after {item.about}] gamma {number(q.gamma)}{' ' + moved if moved else ''}, "
        f"standing {number(q.standing)}, {len(q.reasons)} reasons{unread}"
    )


def _ended(item: Ended) -> Iterator[str]:
    outcome = item.outcome
    if outcome is None:
        yield f"[{item.state}] {item.reason}"
    elif item.protocol == "socrasynth":
        yield from _debate(outcome)
        yield from _in_short(item.told)
    elif item.protocol == "crit":
        yield f"[crit] {outcome['title']}: {outcome['claim'] or 'no claim was found'}"
        for side, key in (("reason", "reasons"), ("rival", "rivals")):
            for r in outcome[key]:
                yield f"- {side}: {r['reason']} (validity {number(r['gamma'])}, credibility {number(r['theta'])})"
        yield f"[score] gamma {number(outcome['gamma'])}, standing {number(outcome['standing'])}"
    elif item.protocol == "sweep":
        from elenchus.debate_engine.protocols.sweep.report import of_sweep
        from elenchus.debate_engine.protocols.sweep.schemas import Sweep

        yield from clean(of_sweep(Sweep.model_validate(outcome))).split("\n")
    elif item.protocol == "detect":
        from elenchus.detectors.report import of_detection
        from elenchus.detectors.schemas import Detection

        yield from clean(of_detection(Detection.model_validate(outcome))).split("\n")
    elif item.protocol == "rulegen" and outcome:
        from elenchus.service.cli.show.played import played_lines

        yield from played_lines(outcome)
    elif item.protocol.startswith("bench-"):
        from elenchus.detectors.evaluation.spec import markdown_of

        yield from clean("\n\n".join(markdown_of(item.protocol, outcome))).split("\n")
    else:
        yield f"[{item.state}]"


def _in_short(told: Sequence[str]) -> Iterator[str]:
    if told:
        yield from ("", "[in short]", *told)


def _debate(outcome: Any) -> Iterator[str]:
    if proposal := outcome.get("proposal"):
        yield "[joint proposal]"
        for row in proposal["topics"]:
            signed = ", ".join(row["signed_by"]) or "nobody"
            yield f"{row['number']}. {row['title']} (signed by {signed}): {row['proposal']}"
        if made := proposal["recommendations"]:
            signed = " and ".join(sorted(set(proposal.get("signed_by", ())), reverse=True)) or "nobody"
            yield f"(signed by {signed})"
            yield from _recommended(made)
        if proposal["missing"]:
            yield proposal["missing"]
        yield ""
    if comparison := outcome.get("comparison"):
        yield from _compared(comparison)
    if judgement := outcome.get("judgement"):
        for vote in judgement["votes"]:
            read = f"{vote['read']} of {vote['asked']} read"
            scores = "no score" if vote["a"] is None else f"pro {vote['a']:g}, con {vote['b']:g}"
            yield f"[judge] {vote['judge']}: {scores}, {read}"
    quality = outcome.get("quality") or {}
    yield f"[score] gamma {number(quality.get('gamma'))}, standing {number(quality.get('standing'))}"
    yield f"[ended] {rounds(outcome)}: {outcome['ended']}"
    if open_outcome := outcome.get("open_outcome"):
        yield f"[question] {open_outcome}"
    told = verdict(Judgement.model_validate(judgement), question=bool(open_outcome)) if judgement else "not judged"
    yield f"[verdict] {told}"


def _recommended(made: Any) -> Iterator[str]:
    yield made["answer"]
    for title, key in (("ask next", "next_questions"), ("test next", "next_tests")):
        if made[key]:
            yield f"{title}: {'; '.join(made[key])}"
    if made["reservations"]:
        yield f"reservations: {made['reservations']}"


def _compared(comparison: Any) -> Iterator[str]:
    if comparison["no_answer"]:
        yield f"[compared] there is no plain answer: {comparison['no_answer']}"
        return
    better = {"A": "the debate", "B": "the plain answer"}.get(comparison["winner"], comparison["winner"])
    said = f"words: debate {sum(comparison['debate_words'])}, plain answer {sum(comparison['plain_words'])}"
    yield f"[compared] better information: {better} ({points(comparison)}); {said}"
