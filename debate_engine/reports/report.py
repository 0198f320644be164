"""The report on a session: which sections there are, in which order, and what stands above them."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.reports import account, safe, words
from elenchus.debate_engine.reports.document import Report, Section, table
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.said import facts
from elenchus.debate_engine.reports.view import SessionView


def report_of(view: SessionView) -> Report:
    """The report on whatever the log holds so far. Pure; imports nothing heavy."""
    present = view.spec.present
    found = [*(present.sections(view) if present.sections else outcome_sections(view))]
    if all(section.id != "participants" for section in found):
        found.append(account.participants(view))
    return Report(
        title=inline(words.shortened(view.title, 300)) or "A session",
        under=inline(_under(view)),
        notices=tuple(_notices(view)),
        summary=tuple(inline(safe.text(sentence)) for sentence in present.summary(view)),
        sections=tuple(section for section in [*found, *account.sections(view)] if section.blocks),
    )


def _under(view: SessionView) -> str:
    when = f", {view.created:%Y-%m-%d %H:%M} UTC" if view.created else ""
    kind = view.spec.noun or "session"
    return f"{kind.capitalize()} {view.session_id}{when}: {words.STATES[view.state]}"


def _notices(view: SessionView) -> list[str]:
    told = [words.SIMULATED] if view.simulated else []
    if weak := [s.name for s in view.speakers if s.kind == "weak" or s.seat in view.spec.present.small(view)]:
        told.append(words.WEAK.format(names=inline(words.listed(list(dict.fromkeys(weak))))))
    lacking = [*lost(view), *view.spec.present.missing(view)]
    return told + [inline(safe.text(sentence)) for sentence in lacking]


def lost(view: SessionView) -> list[str]:
    """What any session lacks, each in a sentence (plain text): its end, events, or settings of a known form."""
    why = f": {view.reason}" if view.reason else ""
    told = [] if view.state == "finished" else [f"This session is {words.STATES[view.state]}{why}."]
    if view.failures.lost_events:
        told.append(f"{words.count(view.failures.lost_events, 'event')} of the log could not be read.")
    return told


def outcome_sections(view: SessionView) -> Sequence[Section]:
    """The outcome as it was returned, where the protocol does not say how to show it."""
    rows = [[inline(name), inline(safe.text(value))] for name, value in facts(view.outcome or {})]
    return [Section("result", words.HEADINGS["result"], (table(["", ""], rows),))] if rows else []
