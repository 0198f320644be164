"""`run.json`: the study for programs. No key, no name of a machine or a person, ever. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.debate_engine.events import CallRecord, Recorded, SessionStarted
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.log import calls_of, state_of
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.reports import safe
from elenchus.debate_engine.reports.methods import NOTES, versions
from elenchus.debate_engine.reports.spending import CallUsage, used_in


def study_run(study: Study, logs: Mapping[str, Sequence[Recorded]], plan: Mapping[str, Any] | None) -> dict[str, Any]:
    """The study as JSON; `plan` is the grid's, None where the runs come from anywhere."""
    calls = [call for recorded in logs.values() for call in calls_of(recorded)]
    made: dict[str, Any] = safe.value({
        "scene": study.name,
        "title": study.title,
        "bias": study.bias,
        "plan": plan,
        "runs": [_run(session, recorded) for session, recorded in sorted(logs.items())],
        "models": _models(calls),
        "prompts": _prompts(calls),
        "usage": usage_document(used_in(logs.values())),
        "cells": [row.model_dump(mode="json") for row in study.rows],
        "contrasts": [contrast.model_dump(mode="json") for contrast in study.contrasts],
        "judges_agree": [one.model_dump(mode="json") for one in study.judges_agree],
        "left_out": study.left_out,
        "pilots_left_out": study.pilots,
        "only": study.only,
        "versions_at_export": versions(),
        "notes": list(NOTES),
    })  # fmt: skip
    return made


def usage_document(use: CallUsage) -> dict[str, Any]:
    """What was used, as JSON; `usd` is null where a call has no known price."""
    return {
        "calls": use.calls,
        "input_tokens": use.tokens.input_tokens,
        "output_tokens": use.tokens.output_tokens,
        "usd": None if use.unpriced else round(use.known_usd, 6),
        "calls_without_price": use.unpriced,
    }


def _run(session: str, recorded: Sequence[Recorded]) -> dict[str, Any]:
    started = recorded[0].event
    assert isinstance(started, SessionStarted), "a log begins with its start"
    return {
        "session": session,
        "state": state_of(recorded),
        "started": recorded[0].at.isoformat(),
        "last_event": recorded[-1].at.isoformat(),
        "seed": started.seed,
        "seed_passed_to_models": started.seed_models,
        "temperature": started.temperature,
        "version": started.version,
        "seats": {seat.name: PEOPLE if is_human(seat.spec) else safe.spec(seat.spec) for seat in started.seats},
    }


def _models(calls: Sequence[CallRecord]) -> list[dict[str, Any]]:
    """Each model as it was asked for, as it calls itself, and the temperatures it was asked with."""
    found = []
    for name in dict.fromkeys(call.model for call in calls):
        own = [call for call in calls if call.model == name]
        found.append({
            "asked_for": safe.spec(name),
            "reported": dict(Counter(safe.spec(call.reported_model) for call in own)),
            "calls": len(own),
            "calls_with_seed": sum(call.seed is not None for call in own),
            "temperatures": dict(Counter(str(call.temperature) for call in own)),
        })  # fmt: skip
    return found


def _prompts(calls: Sequence[CallRecord]) -> list[dict[str, Any]]:
    counted = Counter((call.prompt_id, call.prompt_hash) for call in calls)
    return [{"id": name, "hash": digest, "calls": count} for (name, digest), count in sorted(counted.items())]
