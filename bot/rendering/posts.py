"""`posts_for`: what one event of a session adds to its thread. Pure; the same log gives the same posts.

What is said is made a post by `blocks.shown`, which a debate's own layout (`debate`) calls, too. A follower asks for
posts, and has its `poster` post them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from elenchus.bot.people.members import people_sit
from elenchus.bot.rendering import blocks, debate, detection, document, notes, turns
from elenchus.bot.rendering.drafts import Draft, Layout
from elenchus.bot.rendering.embeds import packed
from elenchus.bot.rendering.post import Button, Mark, Post
from elenchus.bot.rendering.safe import inline, speech
from elenchus.bot.rendering.split import LIMIT, split
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.reports.view import SessionView

SMALL_PRINT = 120
"""Units kept free for the small print of a post."""

_LAYOUTS: Mapping[str, Layout] = {one.protocol: one for one in (debate.LAYOUT, document.LAYOUT, detection.LAYOUT)}


def posts_for(r: Recorded, view: SessionView) -> list[Post]:
    """The posts of the event `r`; `view` has taken it and everything before it, and nothing after."""
    return posts_of(_drafts(r, view), r.seq)


def all_posts(session: str, events: Iterable[Recorded]) -> list[Post]:
    """All posts of a log in their order, as a follower makes them: one event after the other."""
    view, posts = SessionView(session), list[Post]()
    for r in events:
        view.apply(r)
        posts += posts_for(r, view)
    return posts


def posts_of(drafts: Sequence[Draft], seq: int, first: int = 1) -> list[Post]:
    """The drafts for the event `seq` as posts within Discord's limits, their parts counted from `first`."""
    fitting = [part for draft in drafts for part in _fitting(draft)]
    return [_marked(draft, Mark(seq, n)) for n, draft in enumerate(fitting, first)]


def _marked(draft: Draft, mark: Mark) -> Post:
    small_print = f"-# {' · '.join([*draft.small, str(mark)])}"
    text = f"{draft.text}\n{small_print}" if draft.text else small_print
    return Post(
        mark, text, draft.speaker, draft.name, draft.embeds, (), draft.buttons, draft.mention, draft.pending_file,
        draft.shows,
    )  # fmt: skip


def _fitting(draft: Draft) -> list[Draft]:
    """The draft in as many messages as it takes; buttons and files come with the last, embeds behind the text."""
    texts = split(draft.text, LIMIT - SMALL_PRINT) or [""]
    groups = packed(draft.embeds) or [()]
    bare = replace(draft, text="", embeds=(), buttons=(), pending_file="", shows=None)
    parts = [replace(bare, text=text) for text in texts]
    parts[-1] = replace(parts[-1], embeds=groups[0])
    parts += [replace(bare, embeds=group, mention=None) for group in groups[1:]]
    parts[-1] = replace(parts[-1], buttons=draft.buttons, pending_file=draft.pending_file, shows=draft.shows)
    if draft.speaker is None or len(parts) == 1:
        return parts
    return [
        replace(part, small=(*part.small, msg("thread-part-of", n=n, of=len(parts)))) for n, part in enumerate(parts, 1)
    ]


def layout_of(view: SessionView) -> Layout:
    """How a thread shows this kind of session: Discord's own way for some protocols, by blocks for all others."""
    return _LAYOUTS.get(view.spec.name, blocks.LAYOUT)


def _drafts(r: Recorded, view: SessionView) -> Sequence[Draft]:
    layout = layout_of(view)
    match r.event:
        case ev.SessionStarted():
            return layout.opened(view)
        case ev.Said():
            return layout.shown(r, view)
        case ev.StepDone() as done:
            text = "" if people_sit(view.started) else notes.unanswered(done, view)
            return [Draft(text)] if text else layout.shown(r, view)
        case ev.TurnOpened() | ev.TurnReminded() | ev.AnswerRejected() | ev.TurnExtended() | ev.SeatLeft() as event:
            asked = turns.asked(event, r.seq, view)
            return [Draft(asked.text, buttons=asked.buttons, mention=asked.mention)] if asked else []
        case ev.VoteClosed(when=when):
            return layout.voted(when, view)
        case ev.Redacted(name_only=True):
            return []  # nobody had read of that person
        case ev.Redacted() if view.ended:
            return [Draft(notes.noted(r.event, view), pending_file="report")]
        case ev.SessionFinished() | ev.SessionStopped() | ev.SessionFailed():
            return [*layout.ended(view), _over(view, r.event)]
        case event:
            text = notes.noted(event, view)
            return [Draft(text)] if text else []


def _over(view: SessionView, event: ev.Event) -> Draft:
    """The last post: that it is over and why, the summary, the report's files."""
    match event:
        case ev.SessionStopped(reason=reason, by=by):
            text = msg("thread-stopped", by=notes.who(by), reason=speech(reason))
        case ev.SessionFailed(message=message, error=error):
            text = _broke_off(speech(message), view.session_id, error)
        case _:
            text = f"**{msg('thread-over', kind=view.spec.noun) if view.spec.noun else msg('thread-over-other')}**"
    summary = inline(" ".join(view.spec.present.summary(view)))
    told = "\n".join(part for part in (text, summary, msg("thread-files")) if part)
    return Draft(told, buttons=_look(view), pending_file="report")


def _look(view: SessionView) -> tuple[Button, ...]:
    """Offers to look for biases in what was said, once it is over; `bot.detection` hears it."""
    over = view.spec.has_speakers and view.state in ("finished", "stopped") and bool(view.transcript)
    return (Button(f"el:biases:{view.session_id}", msg("detecting-look")),) if over else ()


def _broke_off(reason: str, session: str, error: str) -> str:
    """It broke off, and what else can be done about this error; the log has it under the session's id."""
    text = msg("thread-broke-off", reason=reason, session=session)
    return "\n".join([text, *filter(None, [messages("thread-instead").get(error)])])
