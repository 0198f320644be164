"""How a debate stands in its thread. Pure.

Where a person sits on a seat, whatever could sway somebody (scores, verdicts, proposals, the moderator's words to one
side) is held back until the session has ended, and comes then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from elenchus.bot.people.members import called, people_sit
from elenchus.bot.rendering import amounts, audience, notes, tables
from elenchus.bot.rendering.drafts import Draft, Layout
from elenchus.bot.rendering.safe import inline, persona_name, speech
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.events import EVERYONE, Recorded, Said, StepDone
from elenchus.debate_engine.protocols.judging.votes import When
from elenchus.debate_engine.protocols.socrasynth.projection import DebateProjection, debate_of
from elenchus.debate_engine.reports.view import SessionView

_ROUND = re.compile(r"round (\d{1,6})")
AGENDA = "agenda/agreed"
HELD_BACK = ("closing/crit/quality", "judging/judgement", "conciliation/proposal", "comparison/result")
"""Steps whose results come at the end where people sit, behind those of the rounds."""


# ── the beginning, speeches ──────────────────────────────────────────────────────────────────────────────────────


def _opened(view: SessionView) -> list[Draft]:
    debate = debate_of(view)
    if debate is None or debate.config is None:
        return []
    motion = inline(view.title)
    lines = [msg("thread-question", motion=motion) if debate.question else msg("thread-motion", motion=motion)]
    seats = {s.seat: _player(view, s.seat) for s in view.speakers}
    judges = [seats[judge] for judge in debate.config.judges if judge in seats]
    somebody = msg("thread-somebody")
    lines.append(msg("thread-seated", pro=seats.get("pro", somebody), con=seats.get("con", somebody)))
    if judges:
        lines.append(msg("thread-judges-are", judges=", ".join(judges)))
    if people_sit(view.started):
        lines.append(msg("thread-people-sit"))
    return [Draft("\n".join(lines))]


def _player(view: SessionView, seat: str) -> str:
    """A seat's name; with its model where nobody sits who must not know it."""
    model = next((s.model for s in view.speakers if s.seat == seat), "")
    name = called(view, seat)
    return name if people_sit(view.started) or not model else f"{name} ({inline(model)})"


def _shown(r: Recorded, view: SessionView) -> list[Draft]:
    match r.event:
        case Said() as said:
            return _said(said, view)
        case StepDone(step=step) if not people_sit(view.started) or step == AGENDA or step.startswith("vote/"):
            return _results(step, view)
    return []


def _said(said: Said, view: SessionView) -> list[Draft]:
    if EVERYONE not in said.to:
        quiet = people_sit(view.started) or said.about == "weakest"  # that stands in CRIT's table
        text = "" if quiet else notes.private(said, view)
        return [Draft(text)] if text else []
    if said.about == "agenda":
        return []
    debate = debate_of(view)
    heat = _heat_of(said.about, debate) if debate else None
    small = (inline(said.about), *([msg("thread-heat", heat=amounts.two_places(heat))] if heat is not None else ()))
    called_so = view.voice(said)
    named = view.is_person(said.speaker) and called_so == view.name(said.speaker) != said.speaker
    if named and not called_so.endswith(f"({said.speaker})"):
        called_so = f"{called_so} ({said.speaker})"  # a model's name says its side already
    name = persona_name(called_so, said.speaker)
    return [Draft(speech(said.text), (), small, said.speaker, name)]


def _heat_of(about: str, debate: DebateProjection) -> float | None:
    if known := _ROUND.fullmatch(about):
        heat = debate.heats.get(int(known[1]))
        return heat.value if heat else None
    return debate.heat if about in ("opening", "closing") else None


# ── the audience ─────────────────────────────────────────────────────────────────────────────────────────────────


def _vote(when: When, view: SessionView) -> list[Draft]:
    """Asks the audience."""
    until = audience.due(view, when)
    text = audience.question(when, amounts.when(until)) if until else ""
    return [Draft(text, buttons=audience.buttons(view, when))] if text else []


def _room(when: str, view: SessionView) -> list[Draft]:
    """The end of a vote, and the verdict that waited for it."""
    asked: When = "before" if when == "before" else "after"
    shown = [Draft(messages("audience-closed")[asked], tuple(audience.result(asked, view)))]
    debate = debate_of(view)
    withheld = asked == "after" and debate and debate.withheld and not people_sit(view.started)
    return [*shown, *(_results("judging/judgement", view) if withheld else [])]


# ── results ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _results(step: str, view: SessionView) -> list[Draft]:
    if (debate := debate_of(view)) is None:
        return []
    match step.split("/"):
        case ["vote", "before" | "after" as when, "opened"]:
            return _vote(when, view)
        case ["agenda", "agreed"] if debate.agenda:
            made = tables.agenda(debate.agenda)
        case ["round", n, "crit", "quality"] if n.isdecimal() and int(n) in debate.qualities:
            return [_scored(int(n), debate)]
        case ["rounds", "ended"]:
            return [Draft(msg("thread-rounds-over", why=inline(debate.ended or "")))]
        case ["closing", "crit", "quality"] if debate.final:
            return [_scored(None, debate)]
        case ["judging", "judgement"] if debate.verdict:
            made = tables.verdict(debate.verdict, view.name, question=debate.question)
        case ["conciliation", "proposal"] if debate.proposal:
            made = tables.proposal(debate.proposal)
        case ["comparison", "result"] if debate.comparison:
            made = tables.comparison(debate.comparison)
        case _:
            made = []
    return [Draft(embeds=tuple(made))] if made else []


def _scored(n: int | None, debate: DebateProjection) -> Draft:
    """CRIT's table after round `n`, or after the closings (None), which brings the plot."""
    quality = debate.final if n is None else debate.qualities[n]
    assert quality is not None, "asked for where there is one"
    earlier = [debate.qualities[k].gamma for k in sorted(debate.qualities) if n is None or k < n]
    before = next((gamma for gamma in reversed(earlier) if gamma is not None), None)
    heat = None if n is None else _heat_of(f"round {n}", debate)
    stage = msg("thread-whole-debate") if n is None else f"round {n}"
    made = tables.crit(stage, quality, before, debate.agenda or ())
    return Draft(
        embeds=tuple(made),
        small=(msg("thread-heat", heat=amounts.two_places(heat)),) if heat is not None else (),
        making="plot" if n is None else "",
    )


def _ended(view: SessionView) -> Sequence[Draft]:
    """What was held back."""
    if (debate := debate_of(view)) is None:
        return []
    if people_sit(view.started):
        steps = [*(f"round/{n}/crit/quality" for n in sorted(debate.qualities)), *HELD_BACK]
        return [draft for step in steps for draft in _results(step, view)]
    waits = debate.withheld and not audience.was_closed(view, "after")
    return _results("judging/judgement", view) if waits else []


LAYOUT = Layout(_opened, _shown, _ended, _room)
