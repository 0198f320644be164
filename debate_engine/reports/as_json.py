"""A session as the one JSON document that programs read. Pure."""

from __future__ import annotations

from typing import Any

from elenchus.debate_engine.reports.view import SessionView


def session_json(view: SessionView, state: str | None = None) -> dict[str, Any]:
    """Any session; `state` overrides that of the log (`interrupted`, where nobody runs it).

    `faults` are there where its protocol could not do what it should for whoever reads it.
    """
    told = view.spec.present.as_json(view)
    return {
        "id": view.session_id,
        "state": state or view.state,
        "protocol": view.spec.name,
        "title": view.title,
        "reason": view.reason,
        **told,
        **failures(view),
        **({"faults": [*view.faults]} if view.faults else {}),
        "usage": usage(view),
    }


def failures(view: SessionView) -> dict[str, Any]:
    """Which answers are lost and why, and which were read with changes."""
    t = view.failures
    return {
        "no_answers": [{"step": n.step, "seat": n.seat, "reason": n.reason} for n in t.no_answers],
        "adjusted": [{"step": a.step, "model": a.model, "notes": list(a.notes)} for a in t.adjusted],
    }


def usage(view: SessionView) -> dict[str, Any]:
    """Calls, tokens and money; `usd` is null where no price is known, `unpriced_calls` says how many add nothing."""
    total = view.spending.total
    return {
        "calls": total.calls,
        "input_tokens": total.tokens.input_tokens,
        "output_tokens": total.tokens.output_tokens,
        "cached_tokens": total.tokens.cached_tokens,
        "usd": total.usd,
        "unpriced_calls": total.unpriced,
        "by_model": {
            model: {
                "calls": use.calls,
                "input_tokens": use.tokens.input_tokens,
                "output_tokens": use.tokens.output_tokens,
                "usd": use.usd,
            }
            for model, use in view.spending.models.items()
        },
    }
