"""The report on a session: which sections there are, in which order, and what stands above them."""

from __future__ import annotations

from elenchus.debate_engine.reports import account, safe, words
from elenchus.debate_engine.reports.document import Report
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.view import SessionView


def report_of(view: SessionView) -> Report:
    """The report on whatever the log holds so far. Pure; imports nothing heavy."""
    present = view.spec.present
    found = [*present.sections(view)]
    if all(section.id != "participants" for section in found):
        found.append(account.participants(view))
    summary = tuple(inline(safe.text(sentence)) for sentence in present.summary(view))
    around = account.sections(view)
    return Report(
        title=inline(words.shortened(view.title, 300)) or "A session",
        under=inline(_under(view)),
        notices=tuple(_notices(view)),
        summary=summary,
        sections=tuple(section for section in [*found, *around] if section.blocks),
    )


def _under(view: SessionView) -> str:
    when = f", {view.created:%Y-%m-%d %H:%M} UTC" if view.created else ""
    kind = view.spec.noun or "session"
    return f"{kind.capitalize()} {view.session_id}{when}: {_state(view)}"


def _state(view: SessionView) -> str:
    return words.NOT_BEGUN if view.state == "running" and not view.runs else words.STATES[view.state]


def _notices(view: SessionView) -> list[str]:
    told = [words.SIMULATED] if view.simulated else []
    if weak := [s.name for s in view.speakers if s.kind == "weak" or s.seat in view.spec.present.small(view)]:
        told.append(words.WEAK.format(names=inline(words.listed(list(dict.fromkeys(weak))))))
    lacking = [*lost(view), *view.spec.present.missing(view)]
    return told + [inline(safe.text(sentence)) for sentence in [*lacking, *view.faults]]


def lost(view: SessionView) -> list[str]:
    """What any session lacks, each in a sentence (plain text): its end, events, or settings of a known form."""
    why = f": {view.reason}" if view.reason else ""
    told = [] if view.state == "finished" else [f"This session is {_state(view)}{why}."]
    if view.failures.lost_events:
        told.append(f"{words.count(view.failures.lost_events, 'event')} of the log could not be read.")
    return told
