"""`run.json`: what a methods section needs. No key, no name of a machine, no home folder, ever."""

from __future__ import annotations

import platform
from collections import Counter
from importlib import metadata
from typing import Any

from elenchus.debate_engine.protocols.registry import BUILT_IN
from elenchus.debate_engine.reports import safe
from elenchus.debate_engine.reports.spending import CallUsage, ModelUse
from elenchus.debate_engine.reports.view import SessionView

PACKAGES = (
    "elenchus", "openai", "anthropic", "google-genai", "xllamacpp", "aiohttp", "pydantic", "jinja2", "nltk",
    "numpy", "matplotlib", "scipy",
)  # fmt: skip
NOTES = (
    "`seed` governs the program's own chance; models repeat only as far as their vendors do.",
    "`versions_at_export` are those of the machine that wrote this file, `version` is the one that began the session.",
    "`steps_recorded_by` counts its steps by the release that recorded them: another one may ask in other words.",
    "Costs come from a table of prices; `usd` is null where no price is known.",
    "Every prompt's hash is the SHA-256 of its file, first 16 hex digits; events.jsonl holds the rendered prompts.",
)


def run_of(view: SessionView) -> dict[str, Any]:
    """The run as JSON. Times are UTC, ISO 8601; money is US dollars; spans are seconds."""
    started = view.started
    run = {
        "session": view.session_id,
        "protocol": started.protocol if started else None,
        "title": started.title if started else None,
        "version": started.version if started else None,
        **(
            {"protocol_version": started.protocol_version or None}
            if started and started.protocol not in BUILT_IN
            else {}
        ),
        "steps_recorded_by": dict(view.by_release()),
        "state": view.state,
        "reason": view.reason,
        "started": view.created.isoformat() if view.created else None,
        "last_event": view.updated.isoformat() if view.updated else None,
        "simulated": view.simulated,
        "settings": started.config if started else None,
        "chance": _chance(view),
        **view.spec.present.run_facts(view),
        "budget": {"tokens": started.budget_tokens, "usd": started.budget_usd} if started else None,
        "seats": [{"seat": s.seat, "name": s.name, "model": s.model or None, "kind": s.kind} for s in view.speakers],
        "models": [_model(name, use) for name, use in view.spending.models.items()],
        "prompts": [
            {"id": prompt, "hash": digest, "calls": use.calls, "temperatures": _temperatures(use.temperatures)}
            for (prompt, digest), use in sorted(view.spending.prompts.items())
        ],
        "counts": _counts(view),
        "usage": _use(view.spending.total),
        "versions_at_export": versions(),
        "notes": list(NOTES),
    }
    made: dict[str, Any] = safe.value(run)
    return made


def _chance(view: SessionView) -> dict[str, Any] | None:
    if (s := view.started) is None:
        return None
    return {"seed": s.seed, "seed_passed_to_models": s.seed_models, "temperature": s.temperature}


def _model(name: str, use: ModelUse) -> dict[str, Any]:
    return {
        "asked_for": safe.spec(name),
        "reported": {safe.spec(reported): calls for reported, calls in sorted(use.reported.items())},
        "seats": dict(sorted(use.seats.items())),
        "temperatures": _temperatures(use.temperatures),
        "calls_with_seed": use.seeded,
        **_use(use),
    }


def _use(use: CallUsage) -> dict[str, Any]:
    return {
        "calls": use.calls,
        "input_tokens": use.tokens.input_tokens,
        "output_tokens": use.tokens.output_tokens,
        "cached_input_tokens": use.tokens.cached_tokens,
        "usd": None if use.usd is None else round(use.usd, 6),
        "calls_without_price": use.unpriced,
        "seconds_in_calls": round(use.seconds, 3),
    }


def _temperatures(counted: Counter[float | None]) -> list[dict[str, Any]]:
    """Temperatures with their calls; null is the vendor's default."""
    in_order = sorted(counted.items(), key=lambda item: (item[0] is not None, item[0] or 0.0))
    return [{"temperature": value, "calls": calls} for value, calls in in_order]


def _counts(view: SessionView) -> dict[str, int]:
    t = view.failures
    return {
        "events": view.events,
        "events_lost": t.lost_events,
        "runs": view.runs,
        "speeches_and_messages": len(view.transcript),
        "failed_calls": len(t.failures),
        "questions_without_usable_answer": len(t.no_answers),
        "replies_not_of_asked_form": view.spending.outcomes["unreadable"],
        "replies_cut": view.spending.outcomes["cut"],
        "prompts_shortened": len(t.trimmed),
        "interventions": len(view.moderation.interventions),
        "votes": len(view.moderation.votes),
        "redactions": len(t.redactions),
    }


def versions() -> dict[str, str]:
    """Python, the system, and the packages that numbers depend on, as they are on this machine."""
    found = {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}".strip()}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found
