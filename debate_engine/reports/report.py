"""The report on a session: which sections there are, in which order, and what stands above them."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.protocols.crit import report as crit_report
from elenchus.debate_engine.protocols.sweep import report as sweep_report
from elenchus.debate_engine.reports import account, findings, safe, words
from elenchus.debate_engine.reports.document import Figure, Report, Section
from elenchus.debate_engine.reports.escape import deeper, inline
from elenchus.debate_engine.reports.missing import missing
from elenchus.debate_engine.reports.others import document_of, sweep_of
from elenchus.debate_engine.reports.scene import scene_sections, scene_sentences
from elenchus.debate_engine.reports.summary import sentences
from elenchus.debate_engine.reports.view import DebateView


def report_of(view: DebateView, more: Sequence[Section] = ()) -> Report:
    """The report on whatever the log holds so far, with `more` after the findings. Pure; imports nothing heavy."""
    sections = [*findings.sections(view), *_other(view), *more, *account.sections(view)]
    return Report(
        title=inline(words.shortened(view.motion, 300)) or "A session",
        under=inline(_under(view)),
        notices=tuple(_notices(view)),
        summary=tuple(inline(safe.text(sentence)) for sentence in sentences(view) or scene_sentences(view)),
        sections=tuple(section for section in sections if section.blocks),
    )


def _under(view: DebateView) -> str:
    kind = "Debate" if view.is_debate else "Session"
    when = f", {view.created:%Y-%m-%d %H:%M} UTC" if view.created else ""
    return f"{kind} {view.session_id}{when}: {words.STATES[view.state]}"


def _notices(view: DebateView) -> list[str]:
    told = [words.SIMULATED] if view.simulated else []
    small = view.config.small if view.config else ()
    if weak := [s.name for s in view.speakers if s.kind == "weak" or s.seat in small]:
        told.append(words.WEAK.format(names=inline(words.listed(list(dict.fromkeys(weak))))))
    return told + [inline(safe.text(sentence)) for sentence in missing(view)]


def _other(view: DebateView) -> list[Section]:
    """What came of a session that is no debate."""
    if result := document_of(view):
        return [Section("crit", words.HEADINGS["crit"], (deeper(crit_report.of_document(result), 2),))]
    if sweep := sweep_of(view):
        from elenchus.debate_engine.protocols.sweep.plot import alt_text

        picture = Figure("sweep", alt_text(sweep), words.CAPTION.format(name="sweep"))
        return [Section("sweep", words.HEADINGS["sweep"], (picture, deeper(sweep_report.of_sweep(sweep), 2)))]
    return scene_sections(view)
