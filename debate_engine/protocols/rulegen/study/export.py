"""All files of a study, `run.json` for a methods section among them. No key, no name of a machine or a person, ever."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.debate_engine.events import CallRecord, Recorded, SessionStarted
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.log import calls_of, state_of
from elenchus.debate_engine.printable import csv_cell
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, RESULTS, Observation
from elenchus.debate_engine.protocols.rulegen.study.plot import study_plot
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from elenchus.debate_engine.protocols.spec import Column
from elenchus.debate_engine.reports import safe
from elenchus.debate_engine.reports.document import table
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.events_jsonl import jsonl
from elenchus.debate_engine.reports.methods import NOTES, versions
from elenchus.debate_engine.reports.pseudonymous import pseudonymous
from elenchus.debate_engine.reports.spending import Use, used_in


def study_files(
    study: Study, logs: Mapping[str, Sequence[Recorded]], plan: Mapping[str, Any] | None = None
) -> dict[str, bytes]:
    """The files by name: report, data with codebook, picture, run.json, and every session's events. Draws a picture:
    call it off the event loop.

    People stand under made-up names everywhere.
    """
    picture = study_plot(study)
    run = study_run(study, logs, plan)
    texts = {
        "report.md": study_markdown(study, f"{picture.name}.png", picture.alt, used_in(logs.values())),
        "runs.csv": runs_csv(study),
        "runs-codebook.md": runs_codebook(),
        "run.json": f"{json.dumps(run, indent=2, ensure_ascii=False)}\n",
        **{f"events-{session}.jsonl": jsonl(pseudonymous(recorded)) for session, recorded in logs.items()},
    }
    drawn = {f"{picture.name}.png": picture.png, f"{picture.name}.svg": picture.svg}
    return {name: text.encode() for name, text in texts.items()} | drawn


# ── run.json ─────────────────────────────────────────────────────────────────────────────────────────────────────────


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
        "alpha": study.alpha,
        "alpha_reason": study.alpha_reason,
        "left_out": study.left_out,
        "pilots_left_out": study.pilots,
        "only": study.only,
        "versions_at_export": versions(),
        "notes": list(NOTES),
    })  # fmt: skip
    return made


def usage_document(use: Use) -> dict[str, Any]:
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


# ── runs.csv and its codebook: one run (and subject) a row ───────────────────────────────────────────────────────────

COLUMNS = (
    Column("session", "the run's session", "text"),
    Column("scene", "the scene's name", "text"),
    Column("subject", "the subject's model as it was asked for; people are taken together", "provider:model, people"),
    Column("role", "the subject's name in the scene", "text"),
    Column("style", "how the subject was told to decide", "text", "as the scene has it"),
    Column("condition", "which version of the scene was played", "treatment, control"),
    Column("result", "what became of the run", ", ".join(RESULTS)),
    Column("bias", "the same as a number: 1 the bias is seen, 0 it is not", "0, 1", "any other result"),
    Column("judges_yes", "judges that see the bias", "whole number"),
    Column("judges_no", "judges that do not", "whole number"),
    Column("judges_unread", "judges without a readable answer", "whole number"),
    Column("judges_unfounded", "judges whose yes quotes none of the subject's own words, also when asked once more: "
           "neither yes nor no", "whole number"),
    Column("judges_asked_again", "judges whose first yes was unfounded", "whole number"),
    Column("judges_misquoted", "judges that count, although they also quote words that nobody said", "whole number"),
    Column("judges_shortened", "judges whose model was too small for the whole record: they read a shortened one",
           "whole number"),
    Column("agreement", "share of the counted judges (yes or no) with the verdict", "0 to 1", "no verdict"),
    Column("record", "fingerprint of all that was said: equal where two runs say the same", "16 hex digits",
           "not played to the end"),
    Column("pilot", "1 for a run that was started as a pilot", "0, 1"),
    Column("seed", "the run's seed", "whole number"),
    Column("temperature", "as it was asked for", "number", "the vendor's default"),
    Column("others", "who sat beside the subject, the judges together", "seat: provider:model or people; …", "nobody"),
    Column("confounded", "what differs between the two conditions of this subject and style beside the condition "
           "itself: their difference is then no effect", "seat, judges, temperature; …", "nothing"),
    Column("why", "why a run ended early or is not finished", "text", "any other result"),
)  # fmt: skip


def runs_csv(study: Study) -> str:
    """The rows, UTF-8, with a header."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.name for column in COLUMNS])
    rows = (_row(study.name, one, study.confounded(one.cell)) for one in study.observed)
    writer.writerows([csv_cell(each) if isinstance(each, str) else each for each in row] for row in rows)
    return out.getvalue()


def _row(name: str, one: Observation, confounded: tuple[str, ...]) -> list[object]:
    bias = {"present": 1, "absent": 0}.get(one.result)
    agreement, temperature = one.agreement, one.temperature
    return [
        one.session, name, one.cell.subject, one.role, one.cell.style, one.cell.condition, one.result,
        "" if bias is None else bias, one.yes, one.no, one.unread, one.unfounded,
        one.asked_again, one.misquoted, one.shortened,
        "" if agreement is None else agreement, one.record, int(one.pilot), one.seed,
        "" if temperature is None else temperature, "; ".join(f"{seat}: {spec}" for seat, spec in one.others),
        "; ".join(confounded), one.why,
    ]  # fmt: skip


def runs_codebook() -> str:
    """What each column means, as Markdown."""
    rows = [[f"`{c.name}`", inline(c.meaning), inline(c.values), inline(c.empty)] for c in COLUMNS]
    return f"# Codebook of runs.csv\n\n{table(['column', 'meaning', 'values', 'empty where'], rows)}\n"
