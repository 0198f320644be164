"""Sessions of any protocol in a thread, by the neutral blocks that it shows. Pure.

Where a person sits on a seat, what is not said to all is not shown before the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from elenchus.bot.people.members import called, people_sit
from elenchus.bot.rendering.amounts import two_places
from elenchus.bot.rendering.drafts import Draft, Layout
from elenchus.bot.rendering.embeds import embeds, table
from elenchus.bot.rendering.post import Embed
from elenchus.bot.rendering.safe import inline, persona_name, speech
from elenchus.bot.strings import msg
from elenchus.debate_engine.events import Event, Recorded, Said
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.reports.blocks import Block, Fact, Heading, Note, Paragraph, Rows, Speech
from elenchus.debate_engine.reports.seats import model_in_words
from elenchus.debate_engine.reports.view import SessionView


def opened(view: SessionView) -> list[Draft]:
    """What is going on, and who takes part."""
    people = msg("thread-people-sit") if people_sit(view.started) else ""
    lines = [f"**{inline(view.title)}**", ", ".join(seated(view).values()), people]
    return [Draft("\n".join(line for line in lines if line))]


def seated(view: SessionView) -> Mapping[str, str]:
    """Who sits where, by seat; with the models where nobody sits who must not know them."""
    hidden = people_sit(view.started)
    models = {s.seat: f" ({inline(model_in_words(s.model))})" if s.model and not hidden else "" for s in view.speakers}
    return {seat: f"{called(view, seat)}{model}" for seat, model in models.items()}


def shown(r: Recorded, view: SessionView) -> list[Draft]:
    """What an event adds, as the protocol has it (of a debate `socrasynth/shown.py`: a `Said` becomes a `Speech`).

    Where people sit, only what all of them may see.
    """
    seats = [s.name for s in view.started.seats if is_human(s.spec)] if view.started else []
    return [_draft(block, r.event, view) for block in view.spec.present.shown(r, view, seats)]


def ended(view: SessionView) -> list[Draft]:
    """What stands at the end."""
    made = tuple(as_embeds(view.spec.present.ended(view, ()))) if view.outcome is not None else ()
    return [Draft(embeds=made)] if made else []


def _draft(block: Block, event: Event, view: SessionView) -> Draft:
    match block:
        case Speech(speaker=speaker, about=about, text=text, heat=heat):
            at = "" if heat is None else msg("thread-heat", heat=two_places(heat))
            small = tuple(part for part in (inline(about), at) if part)
            display_name = view.voice(event) if isinstance(event, Said) else view.name(speaker)
            return Draft(
                speech(text), (), small, speaker, persona_name(_with_seat(display_name, speaker, view), speaker)
            )
    return Draft("\n".join(_lines(block)))


def _with_seat(display_name: str, seat: str, view: SessionView) -> str:
    """A person's name with the seat; a model's says it already."""
    own = view.is_person(seat) and display_name == view.name(seat) != seat
    return f"{display_name} ({seat})" if own and not display_name.endswith(f"({seat})") else display_name


def as_embeds(blocks: Iterable[Block]) -> list[Embed]:
    """Blocks that stand in no thread, one embed or more under each heading."""
    return list(_embeds(blocks))


def _embeds(blocks: Iterable[Block]) -> Iterator[Embed]:
    """One embed under each heading."""
    title, lines = "", list[str]()
    for block in blocks:
        if isinstance(block, Heading):
            if lines:
                yield from embeds(title, "\n".join(lines))
            title, lines = inline(block.text[:1].upper() + block.text[1:]), []
        else:
            lines += _lines(block)
    if title or lines:
        yield from embeds(title, "\n".join(lines))


def _lines(block: Block) -> list[str]:
    match block:
        case Fact(name=name, text=text):
            return [f"**{inline(name)}:** {speech(text)}"]
        case Rows(head=head, rows=rows):
            return [table(list(head), [list(row) for row in rows])]
        case Paragraph(text=text, markdown=True):
            return [text]
        case Paragraph(text=text) | Note(text=text):
            return [speech(text)]
        case Heading(text=text):
            return [f"**{inline(text)}**"]
        case Speech(speaker=speaker, text=text):
            return [f"**{inline(speaker)}:** {speech(text)}"]


LAYOUT = Layout("", opened, shown, ended)
