"""`posts_for`: what one event of a session adds to its thread. Pure; the same log gives the same posts.

Where a person sits on a seat, whatever could sway somebody (scores, verdicts, proposals, the moderator's words to one
side) is held back until the session has ended, and comes then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from elenchus.bot.people.who import called, people_sit
from elenchus.bot.rendering import audience, detection, notes, tables, turns
from elenchus.bot.rendering.embeds import packed
from elenchus.bot.rendering.post import Button, Embed, Making, Mark, Post
from elenchus.bot.rendering.safe import inline, persona_name, shortened, speech
from elenchus.bot.rendering.split import LIMIT, split
from elenchus.bot.strings import audience as audience_words, detecting as detecting_words, thread as words
from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import EVERYONE, Recorded
from elenchus.debate_engine.reports.others import document_of
from elenchus.debate_engine.reports.summary import sentences
from elenchus.debate_engine.reports.view import DebateView

_ROUND = re.compile(r"round (\d{1,6})")

SMALL_PRINT = 120
"""Units kept free for the small print of a post."""

SHOWN = 1_500
"""Units of a text to be scored that are shown above its report."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A post without its mark. `small` is its small print before the mark."""

    text: str = ""
    embeds: tuple[Embed, ...] = ()
    small: tuple[str, ...] = ()
    speaker: str | None = None
    name: str = ""
    buttons: tuple[Button, ...] = ()
    mention: int | None = None
    making: Making = ""


def posts_for(r: Recorded, view: DebateView) -> list[Post]:
    """The posts of the event `r`; `view` has taken it and everything before it, and nothing after."""
    return posts_of(_drafts(r, view), r.seq)


def posts_of(drafts: Sequence[Draft], seq: int, first: int = 1) -> list[Post]:
    """The drafts for the event `seq` as posts within Discord's limits, their parts counted from `first`."""
    fitting = [part for draft in drafts for part in _fitting(draft)]
    return [_marked(draft, Mark(seq, n)) for n, draft in enumerate(fitting, first)]


def _marked(draft: Draft, mark: Mark) -> Post:
    small_print = f"-# {' · '.join([*draft.small, str(mark)])}"
    text = f"{draft.text}\n{small_print}" if draft.text else small_print
    return Post(
        mark, text, draft.speaker, draft.name, draft.embeds, (), draft.buttons, draft.mention, draft.making
    )  # fmt: skip


def _fitting(draft: Draft) -> list[Draft]:
    """The draft in as many messages as it takes; buttons and files come with the last, embeds behind the text."""
    texts = split(draft.text, LIMIT - SMALL_PRINT) or [""]
    groups = packed(draft.embeds) or [()]
    bare = replace(draft, text="", embeds=(), buttons=(), making="")
    parts = [replace(bare, text=text) for text in texts]
    parts[-1] = replace(parts[-1], embeds=groups[0])
    parts += [replace(bare, embeds=group, mention=None) for group in groups[1:]]
    parts[-1] = replace(parts[-1], buttons=draft.buttons, making=draft.making)
    if draft.speaker is None or len(parts) == 1:
        return parts
    return [replace(part, small=(*part.small, words.part_of(n, len(parts)))) for n, part in enumerate(parts, 1)]


def _drafts(r: Recorded, view: DebateView) -> list[Draft]:
    match r.event:
        case ev.SessionStarted():
            return _opened(view)
        case ev.Said() as said:
            return _said(said, view)
        case ev.StepDone(step=step) as done:
            if people_sit(view.started) and not (step == AGENDA or step.startswith("vote/")):
                return []
            return [Draft(text)] if (text := notes.unanswered(done, view)) else _results(step, view)
        case ev.TurnOpened() | ev.TurnReminded() | ev.AnswerRejected() | ev.TurnExtended() | ev.SeatLeft() as event:
            asked = turns.asked(event, r.seq, view)
            return [Draft(asked.text, buttons=asked.buttons, mention=asked.mention)] if asked else []
        case ev.VoteClosed(when=when):
            return _room(when, view)
        case ev.Redacted(name_only=True):
            return []  # nobody had read of that person
        case ev.Redacted() if view.ended:
            return [Draft(notes.noted(r.event, view), making="report")]
        case ev.SessionFinished() | ev.SessionStopped() | ev.SessionFailed():
            return _ended(view, r.event)
        case event:
            text = notes.noted(event, view)
            return [Draft(text)] if text else []


# ── the beginning, speeches ──────────────────────────────────────────────────────────────────────────────────────


def _opened(view: DebateView) -> list[Draft]:
    if detection.is_detection(view):
        return [Draft(text)] if (text := detection.opened(view, SHOWN)) else []
    if not view.config:
        document = str(view.started.config.get("document", "")) if view.started else ""
        return [Draft(f"**{words.SCORED_TEXT}**\n{speech(shortened(document, SHOWN))}")] if document.strip() else []
    lines = [words.opened(inline(view.motion), question=view.config.open_question)]
    seats = {s.seat: _player(view, s.seat) for s in view.speakers}
    judges = [seats[judge] for judge in view.config.judges if judge in seats]
    lines.append(words.seated(seats.get("pro", words.SOMEBODY), seats.get("con", words.SOMEBODY), judges))
    if people_sit(view.started):
        lines.append(words.PEOPLE_SIT)
    return [Draft("\n".join(lines))]


def _player(view: DebateView, seat: str) -> str:
    """A seat's name; with its model where nobody sits who must not know it."""
    model = next((s.model for s in view.speakers if s.seat == seat), "")
    name = called(view, seat)
    return name if people_sit(view.started) or not model else f"{name} ({inline(model)})"


def _said(said: ev.Said, view: DebateView) -> list[Draft]:
    if detection.is_detection(view):
        return [Draft(detection.progress(said))]
    if EVERYONE not in said.to:
        quiet = people_sit(view.started) or said.about == "weakest"  # that stands in CRIT's table
        text = "" if quiet else notes.private(said, view)
        return [Draft(text)] if text else []
    if said.about == "agenda":
        return []
    heat = _heat_of(said.about, view)
    small = (inline(said.about), *([words.heat(heat)] if heat is not None else []))
    called_so = view.voice(said)
    named = view.is_person(said.speaker) and called_so == view.name(said.speaker) != said.speaker
    if named and not called_so.endswith(f"({said.speaker})"):
        called_so = f"{called_so} ({said.speaker})"  # a model's name says its side already
    name = persona_name(called_so, said.speaker)
    return [Draft(speech(said.text), (), small, said.speaker, name)]


def _vote(when: audience.When, view: DebateView) -> list[Draft]:
    """Asks the audience."""
    until = audience.due(view, when)
    text = audience_words.ask(when, words.when(until)) if until else ""
    return [Draft(text, buttons=audience.buttons(view, when))] if text else []


def _room(when: audience.When, view: DebateView) -> list[Draft]:
    """The end of a vote, and the verdict that waited for it."""
    shown = [Draft(audience_words.CLOSED[when], tuple(audience.result(when, view)))]
    withheld = when == "after" and view.course.withheld and not people_sit(view.started)
    return [*shown, *(_results("judging/judgement", view) if withheld else [])]


def _heat_of(about: str, view: DebateView) -> float | None:
    if known := _ROUND.fullmatch(about):
        heat = view.course.heats.get(int(known[1]))
        return heat.value if heat else None
    return view.course.heat if about in ("opening", "closing") else None


# ── results ──────────────────────────────────────────────────────────────────────────────────────────────────────

AGENDA = "agenda/agreed"
HELD_BACK = ("closing/crit/quality", "judging/judgement", "conciliation/proposal", "comparison/result")
"""Steps whose results come at the end where people sit, behind those of the rounds."""


def _results(step: str, view: DebateView) -> list[Draft]:
    course = view.course
    match step.split("/"):
        case ["vote", "before" | "after" as when, "opened"]:
            return _vote(when, view)
        case ["agenda", "agreed"] if course.agenda:
            made = tables.agenda(course.agenda)
        case ["round", n, "crit", "quality"] if n.isdecimal() and int(n) in course.qualities:
            return [_scored(int(n), view)]
        case ["rounds", "ended"]:
            return [Draft(words.rounds_over(inline(course.ended or "")))]
        case ["closing", "crit", "quality"] if course.final:
            return [_scored(None, view)]
        case ["judging", "judgement"] if course.verdict:
            made = tables.verdict(course.verdict, view.name, question=view.question)
        case ["conciliation", "proposal"] if course.proposal:
            made = tables.proposal(course.proposal)
        case ["comparison", "result"] if course.comparison:
            made = tables.comparison(course.comparison)
        case _:
            made = []
    return [Draft(embeds=tuple(made))] if made else []


def _scored(n: int | None, view: DebateView) -> Draft:
    """CRIT's table after round `n`, or after the closings (None), which brings the plot."""
    course = view.course
    quality = course.final if n is None else course.qualities[n]
    assert quality is not None, "asked for where there is one"
    earlier = [course.qualities[k].gamma for k in sorted(course.qualities) if n is None or k < n]
    before = next((gamma for gamma in reversed(earlier) if gamma is not None), None)
    heat = None if n is None else _heat_of(f"round {n}", view)
    stage = words.WHOLE_DEBATE if n is None else f"round {n}"
    made = tables.crit(stage, quality, before, course.agenda or ())
    return Draft(
        embeds=tuple(made), small=(words.heat(heat),) if heat is not None else (), making="plot" if n is None else ""
    )


def _ended(view: DebateView, event: ev.Event) -> list[Draft]:
    drafts: list[Draft] = []
    if people_sit(view.started) and view.is_debate:
        steps = [*(f"round/{n}/crit/quality" for n in sorted(view.course.qualities)), *HELD_BACK]
        drafts = [draft for step in steps for draft in _results(step, view)]
    elif view.course.withheld and not audience.was_closed(view, "after"):
        drafts = _results("judging/judgement", view)
    match event:
        case ev.SessionStopped(reason=reason, by=by):
            text = words.stopped(notes.who(by), speech(reason))
        case ev.SessionFailed(message=message, error=error):
            text = words.failed(speech(message), view.session_id, error)
        case _:
            text = f"**{words.OVER if view.is_debate else words.OVER_OTHER}**"
    told = "\n".join(part for part in (text, inline(" ".join(sentences(view))), words.FILES) if part)
    document = document_of(view)
    if document:
        drafts.append(Draft(embeds=tuple(tables.document(document))))
    if found := detection.result(view):
        drafts.append(Draft(embeds=tuple(found)))
    return [*drafts, Draft(told, buttons=_look(view), making="report")]


def _look(view: DebateView) -> tuple[Button, ...]:
    """Offers to look for biases in a debate that is over; `bot.detecting` hears it."""
    over = view.is_debate and view.state in ("finished", "stopped") and bool(view.transcript)
    return (Button(f"el:biases:{view.session_id}", detecting_words.LOOK),) if over else ()
