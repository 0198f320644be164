"""How a debate stands in its thread. Pure.

Where a person sits on a seat, whatever could sway somebody (scores, verdicts, proposals, the moderator's words to one
side) is held back until the session has ended, and comes then.
"""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.bot.people.members import people_sit
from elenchus.bot.rendering import amounts, audience, blocks, notes, tables
from elenchus.bot.rendering.drafts import Draft, Layout
from elenchus.bot.rendering.safe import inline
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.events import EVERYONE, Recorded, Said
from elenchus.debate_engine.protocols.judging.schemas import Judgement
from elenchus.debate_engine.protocols.judging.votes import When
from elenchus.debate_engine.protocols.socrasynth.projection import DebateProjection, debate_of
from elenchus.debate_engine.protocols.socrasynth.results import Agenda, Result, RoundsEnded, Stage, VoteOpened
from elenchus.debate_engine.protocols.socrasynth.schemas import Proposal
from elenchus.debate_engine.protocols.socrasynth.spec import SPEC
from elenchus.debate_engine.reports.view import SessionView


def _opened(view: SessionView) -> list[Draft]:
    debate = debate_of(view)
    if debate is None or debate.config is None:
        return []
    motion = inline(view.title)
    lines = [msg("thread-question", motion=motion) if debate.question else msg("thread-motion", motion=motion)]
    seats = blocks.seated(view)
    judges = [seats[judge] for judge in debate.config.judges if judge in seats]
    somebody = msg("thread-somebody")
    lines.append(msg("thread-seated", pro=seats.get("pro", somebody), con=seats.get("con", somebody)))
    if judges:
        lines.append(msg("thread-judges-are", judges=", ".join(judges)))
    if people_sit(view.started):
        lines.append(msg("thread-people-sit"))
    return [Draft("\n".join(lines))]


def _shown(r: Recorded, view: SessionView) -> Sequence[Draft]:
    """A speech, or what came out; where people sit, of that no more than the agenda, and that a vote is open."""
    debate = debate_of(view)
    match r.event:
        case Said() as said if EVERYONE not in said.to:
            quiet = people_sit(view.started) or said.about == "weakest"  # that stands in CRIT's table
            text = "" if quiet else notes.private(said, view)
            return [Draft(text)] if text else []
        case Said():
            return blocks.shown(r, view)
    if debate is None or debate.latest is None:
        return []
    open_to_all = not people_sit(view.started) or isinstance(debate.latest, Agenda | VoteOpened)
    return [_result(debate.latest, view, debate)] if open_to_all else []


def _result(result: Result, view: SessionView, debate: DebateProjection) -> Draft:
    match result:
        case Agenda(topics):
            made = tables.agenda(topics)
        case VoteOpened(when):
            until = audience.due(view, when)
            text = audience.question(when, amounts.when(until)) if until else ""
            return Draft(text, buttons=audience.buttons(view, when))
        case RoundsEnded(why):
            return Draft(msg("thread-rounds-over", why=inline(why)))
        case Stage():
            return _scored(result, debate)
        case Judgement():
            made = tables.verdict(result, view.name, question=debate.question)
        case Proposal():
            made = tables.proposal(result)
        case _:
            made = tables.comparison(result)
    return Draft(embeds=tuple(made))


def _scored(stage: Stage, debate: DebateProjection) -> Draft:
    """CRIT's table after a round, or after the closings, which brings the plot."""
    assert stage.quality is not None, "shown where there is one"
    whole = stage.n is None
    name = msg("thread-whole-debate") if whole else stage.name
    heat = None if whole else stage.heat
    return Draft(
        embeds=tuple(tables.crit(name, stage.quality, stage.before, debate.agenda or ())),
        small=(msg("thread-heat", heat=amounts.two_places(heat)),) if heat is not None else (),
        pending_file="plot" if whole else "",
    )


def _voted(when: When, view: SessionView) -> list[Draft]:
    """The end of a vote, and the verdict that waited for it."""
    shown = [Draft(messages("audience-closed")[when], tuple(audience.result(when, view)))]
    waited = when == "after" and not people_sit(view.started)
    return [*shown, *(_withheld(view) if waited else [])]


def _ended(view: SessionView) -> list[Draft]:
    """What was held back."""
    if (debate := debate_of(view)) and people_sit(view.started):
        return [_result(result, view, debate) for result in debate.results()]
    return [] if audience.was_closed(view, "after") else _withheld(view)


def _withheld(view: SessionView) -> list[Draft]:
    """The verdict that was there before the vote after the debate was closed."""
    debate = debate_of(view)
    return [_result(debate.verdict, view, debate)] if debate and debate.withheld and debate.verdict else []


LAYOUT = Layout(SPEC.name, _opened, _shown, _ended, _voted)
