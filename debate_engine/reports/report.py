"""The report on a session: what stands above it, its protocol's sections, and those that say how it went.

How it went: the transcript, the moderator's hand, what went wrong, methods, costs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from elenchus.debate_engine.events import Redacted, SessionStarted
from elenchus.debate_engine.protocols.registry import BUILT_IN
from elenchus.debate_engine.reports import safe, words
from elenchus.debate_engine.reports.document import Report, ReportBlock, ReportSpeech, Section, bullets, table
from elenchus.debate_engine.reports.escape import inline, speech
from elenchus.debate_engine.reports.moderation import Intervention
from elenchus.debate_engine.reports.seats import Speaker, model_in_words
from elenchus.debate_engine.reports.view import SessionView, Spoken

_MOST = 40
"""Entries of a list of failures that are shown; the rest are counted (they all are in events.jsonl)."""


def report_of(view: SessionView) -> Report:
    """The report on whatever the log holds so far. Pure; imports nothing heavy."""
    present = view.spec.present
    found = [*present.sections(view)]
    if all(section.id != "participants" for section in found):
        found.append(participants(view))
    summary = tuple(inline(safe.text(sentence)) for sentence in present.summary(view))
    around = _sections(view)
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


# ── how it went ──────────────────────────────────────────────────────────────────────────────────────────────────


def _sections(view: SessionView) -> list[Section]:
    """How the session went; a section has no blocks where the log has nothing for it."""
    parts = {
        "transcript": _transcript(view),
        "moderator": _moderator(view),
        "beside": _beside(view),
        "failures": _failures(view),
        "methods": _methods(view),
        "costs": _costs(view),
    }
    return [Section(key, words.HEADINGS[key], tuple(blocks)) for key, blocks in parts.items()]


def participants(view: SessionView) -> Section:
    """Who sat where."""
    rows = [[inline(s.name), inline(s.seat), _model(s), words.KINDS[s.kind]] for s in view.speakers]
    blocks = (table(["who", "seat", "model", "kind"], rows),) if rows else ()
    return Section("participants", words.HEADINGS["participants"], blocks)


def _model(speaker: Speaker) -> str:
    return inline(model_in_words(speaker.model)) or "–"


def _transcript(view: SessionView) -> list[ReportBlock]:
    apart = view.spec.present.apart
    return [_speech(view, spoken) for spoken in view.transcript if spoken.said.about not in apart]


def _speech(view: SessionView, spoken: Spoken) -> ReportSpeech:
    said = spoken.said
    role: Literal["pro", "con", "moderator", "other"]
    match said.speaker:
        case "pro" | "con" | "moderator" as known:
            role = known
        case _:
            role = "other"
    to = "" if spoken.public else f" to {', '.join(view.name(seat) for seat in said.to)}"
    head = f"{view.voice(said)}{to}" + (f", {said.about}" if said.about else "")
    return ReportSpeech(role, inline(head), speech(said.text))


# ── the moderator ────────────────────────────────────────────────────────────────────────────────────────────────


_BESIDE = ("unscripted", "withdraw")
"""What those who take part in a scene send, and no moderator."""


def _moderator(view: SessionView) -> list[ReportBlock]:
    own = [i for i in view.moderation.interventions if i.command.kind not in _BESIDE]
    return [*_commands(view, own), *(_forgotten(r) for r in view.failures.redactions)]


def _beside(view: SessionView) -> list[ReportBlock]:
    return _commands(view, [i for i in view.moderation.interventions if i.command.kind in _BESIDE])


def _commands(view: SessionView, sent: Sequence[Intervention]) -> list[ReportBlock]:
    rows = [[f"{i.at:%H:%M:%S}", inline(i.stage) or "–", inline(i.command.by), _did(view, i)] for i in sent]
    return [table(["time (UTC)", "stage", "by", "what"], rows)] if rows else []


def _forgotten(redacted: Redacted) -> str:
    if redacted.name_only:
        return "Somebody who had been given a seat did not agree to take part: who that was has been removed."
    count = words.count(redacted.strings, "text")
    return f"The words of {inline(redacted.seat)} were replaced in {count} at that person's wish."


def _did(view: SessionView, i: Intervention) -> str:
    fields = i.command.model_dump()
    to = fields.get("to", "")
    fields["to"] = words.listed([view.name(seat) for seat in ([to] if isinstance(to, str) else to)])
    fields["limits"] = words.limits(fields.get("tokens"), fields.get("usd"))
    return inline(words.INTERVENTIONS[i.command.kind].format(**fields))


# ── what went wrong ──────────────────────────────────────────────────────────────────────────────────────────────


def _failures(view: SessionView) -> list[ReportBlock]:
    t = view.failures
    lists = [
        ("Failed calls", [_failure(f.step, f.model, f.error, f.message, f.retry_in) for f in t.failures]),
        ("Questions without a usable answer", [
            _line(n.step, unanswered(view, n.seat, n.step, n.reason)) for n in t.no_answers
        ]),
        ("Answers that were read with changes", [_line(a.step, "; ".join(a.notes)) for a in t.adjusted]),
        ("Prompts shortened to fit the model", [
            _line(p.step, f"{', '.join(p.left_out)}; {p.tokens_before} tokens became {p.tokens_after}")
            for p in t.trimmed
        ]),
        ("Answers of people that were not of the asked form", [_line(r.step, r.reason) for r in t.rejected]),
        ("Pauses", [_line(words.PAUSES.get(p.why, p.why), p.reason) for p in t.pauses]),
        *((title, [_line(where, what) for where, what in lines]) for title, lines in view.spec.present.failures(view)),
        ("Repaired or cut replies", _outcomes(view.spending.outcomes)),
    ]  # fmt: skip
    blocks: list[ReportBlock] = [f"**{title}**\n\n{bullets(_bounded(lines))}" for title, lines in lists if lines]
    if t.failed:
        blocks.insert(0, f"The session broke off: {inline(safe.text(f'{t.failed.error}: {t.failed.message}'))}.")
    if view.spending.total.calls:
        return blocks or [words.NOTHING_WRONG]
    return blocks or [words.NO_CALLS if view.ended else words.NOTHING_YET]


def unanswered(view: SessionView, seat: str, step: str, why: str) -> str:
    """A sentence on an answer that is lost: whose, to what, and why."""
    return f"{view.name(seat)} {view.spec.doing(step)}: no answer that can be used ({why})"


def _failure(step: str, model: str, error: str, message: str, retry_in: float | None) -> str:
    then = "not tried again" if retry_in is None else f"tried again after {retry_in:.1f} s"
    return _line(step, f"{safe.spec(model)}: {error}, {message} ({then})")


def _line(where: str, what: str) -> str:
    return f"{inline(where)}: {inline(safe.text(what))}"


def _outcomes(outcomes: Counter[str]) -> list[str]:
    told = {"unreadable": "not of the asked form: asked once more, or given up", "cut": "cut off at the longest reply"}
    return [f"{words.count(outcomes[k], 'reply', 'replies')} {what}" for k, what in told.items() if outcomes[k]]


def _bounded(lines: list[str]) -> list[str]:
    more = len(lines) - _MOST
    return lines if more <= 0 else [*lines[:_MOST], f"and {more} more (all are in events.jsonl)"]


# ── methods and costs ────────────────────────────────────────────────────────────────────────────────────────────


def _methods(view: SessionView) -> list[ReportBlock]:
    started = view.started
    if started is None:
        return []
    facts = [
        f"Elenchus {inline(started.version)}, {_protocol(started)}, session {inline(view.session_id)}.",
        *_releases(view),
        f"Temperature: {_temperature(started.temperature)}; a prompt may set its own (run.json lists them).",
        f"Seed {started.seed} for the program's own chance; "
        + ("passed on to models that take one." if started.seed_models else "models got no seed."),
        *map(inline, view.spec.present.settings(view)),
        f"{words.count(view.events, 'event')}, {words.count(view.runs, 'run')} of the program.",
        "run.json holds all models, versions, prompts with their hashes and dates"
        + ("; scores.csv every single score." if view.spec.present.scores else "."),
    ]
    return [bullets(facts)]


def _releases(view: SessionView) -> list[str]:
    """Of a session that went on under another release: which recorded how much of it."""
    if len(view.recorded_by) < 2:
        return []
    shares = [f"{count} by {release}" for release, count in view.by_release()]
    return [inline(f"Steps were recorded by more than one release ({', '.join(shares)}), whose prompts may differ.")]


def _protocol(started: SessionStarted) -> str:
    """Which it was; of one that is not ours, its package's version."""
    version = "" if started.protocol in BUILT_IN else f" {started.protocol_version or '(its version is not stated)'}"
    return inline(f"protocol {started.protocol}{version}")


def _temperature(value: float | None) -> str:
    return "each model's own default" if value is None else f"{value:g}"


def _costs(view: SessionView) -> list[ReportBlock]:
    spending = view.spending
    if not spending.total.calls:
        return []
    rows = [
        [inline(safe.spec(name)), inline(safe.text(", ".join(map(safe.spec, sorted(use.reported))))) or "–",
         str(use.calls), str(use.tokens.input_tokens), str(use.tokens.output_tokens), words.dollars(use.usd),
         words.seconds(use.seconds)]
        for name, use in spending.models.items()
    ]  # fmt: skip
    total = spending.total
    rows.append(
        ["**all**", "", str(total.calls), str(total.tokens.input_tokens), str(total.tokens.output_tokens),
         words.dollars(total.usd), words.seconds(total.seconds)]
    )  # fmt: skip
    head = ["model", "reported as", "calls", "tokens in", "tokens out", "cost", "time in calls"]
    unpriced = f"{words.count(total.unpriced, 'call')} without a known price: not in the sum."
    return [table(head, rows, "llrrrrr"), *([unpriced] if total.unpriced else [])]
