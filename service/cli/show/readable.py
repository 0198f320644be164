"""Whether an outcome has the form that its protocol gives it: an imported session may hold anything in its place."""

from __future__ import annotations

from elenchus.debate_engine.reports.view import DebateView

UNREADABLE = "the record of its result is of another form than this version writes: it is not shown"


def is_readable(view: DebateView) -> bool:
    """Whether a finished session's outcome can be shown; True where there is none, or its protocol is not known."""
    protocol = view.started.protocol if view.started else ""
    if view.outcome is None:
        return True
    if protocol == "socrasynth":
        return view.course.outcome is not None
    if protocol in ("crit", "sweep", "rulegen"):
        from elenchus.debate_engine.reports import others

        return any((others.document_of(view), others.sweep_of(view), others.played_of(view)))
    if protocol == "detect":
        from elenchus.detectors import spec

        return spec.outcome_of(view) is not None
    if protocol.startswith("bench-"):
        from elenchus.detectors.evaluation.spec import BENCHES

        return protocol not in BENCHES or BENCHES[protocol].read(view.outcome) is not None
    return True
