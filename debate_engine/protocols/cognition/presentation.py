"""How a mind is told: what changed in it and why, what it remembers and forgot, what it answered."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.protocols.cognition import report
from elenchus.debate_engine.protocols.cognition.how_it_works import how_it_works
from elenchus.debate_engine.protocols.cognition.people import PeoplesRating
from elenchus.debate_engine.protocols.cognition.profile import Change, Profile, in_words
from elenchus.debate_engine.protocols.cognition.projection import Exchange, MindProjection, Reading, Survey, mind_in
from elenchus.debate_engine.protocols.cognition.schemas import InformationResult, RatedOpinion
from elenchus.debate_engine.protocols.presentation import Column, Presentation, Scores
from elenchus.debate_engine.reports.blocks import Block, Fact, Heading, Note, Paragraph, Rows, Speech
from elenchus.debate_engine.reports.said import model_of

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.canvas import Picture
    from elenchus.debate_engine.reports.document import Section
    from elenchus.debate_engine.reports.view import SessionView


_REFUSED = 2
_REASONS = 2
"""Reasons that are shown of why a profile stayed as it was; the log has them all."""


def _shown(r: Recorded, view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    """What came of what the mind was given or asked, once it is there. Whoever does not see all of it (`seats`) hears
    what it says: what it reads, remembers and rates may come from where they were not.
    """
    latest = mind_in(view).latest
    if seats and not (isinstance(latest, Exchange) and latest.said):
        return
    match latest:
        case Profile() as profile:
            yield Heading(profile.name, "strong")
            yield from profile_blocks(profile)
        case Reading() as reading:
            yield from reading_blocks(reading)
        case Survey() as survey:
            yield Heading(f"rated after iteration {survey.iteration}", "strong")
            yield answers_block(survey.answers)
        case Exchange() as exchange if exchange.said:
            yield Speech("persona", "answer", exchange.said, None, "" if seats else model_of(view, "persona"))
        case Exchange() as exchange:
            yield Note(f"no answer: {exchange.why_silent}", "warn")


def profile_blocks(profile: Profile) -> Iterator[Block]:
    """Every attribute of a profile."""
    yield Rows(
        "attribute", ("attribute", "values"), [(name, in_words(trait)) for name, trait in profile.traits.items()]
    )


def reading_blocks(reading: Reading) -> Iterator[Block]:
    """What became of what was read."""
    yield Heading(reading.title or reading.source or "what was read", "strong")
    if reading.iteration is None:
        yield Note(f"not read: {reading.why_silent}", "warn")
        return
    if reading.before is not None:
        yield Note(read_before(reading.before), "dim")
    yield from taken_blocks(reading.taken)
    if reading.iteration.short_term:
        yield Note("it waits in short-term memory until that is full", "dim")


def read_before(iteration: int) -> str:
    """That a text was not new."""
    return f"it had read the same before, in iteration {iteration}"


def taken_blocks(taken: InformationResult) -> Iterator[Block]:
    """What was taken in: what it made of it, changes, knowledge, what was marked."""
    if taken.assessment:
        yield Paragraph(taken.assessment)
    yield from (Fact(change.attribute, change_in_words(change), "good") for change in taken.changes)
    if taken.why_kept:
        yield Note(f"the profile stays as it was: {why_kept_in_words(taken)}", "warn")
    elif not taken.changes:
        yield Note("the profile stays as it was", "dim")
    if rows := [*((one, "kept") for one in taken.kept), *((one, "forgotten") for one in taken.forgotten)]:
        head = ("", "interest", "", "statement", "thought")
        yield Rows("statement", head, [(s.id, str(s.score), what, s.text, s.thought) for s, what in rows])
    yield from (Note(f"not noted: {one.in_words}", "dim") for one in taken.refused[:_REFUSED])
    if (more := len(taken.refused) - _REFUSED) > 0:
        yield Note(f"{more} more of the kind were not noted", "dim")
    yield from (Note(f"nothing was learned: {why}", "warn") for why in taken.unread)
    yield from (
        Note(f"the text gives an order, and was read like any other: “{order}”", "warn") for order in taken.orders
    )


def why_kept_in_words(taken: InformationResult) -> str:
    """Why the profile stays as it was, the first reasons of what may be many."""
    more = len(taken.why_kept) - _REASONS
    return "; ".join(taken.why_kept[:_REASONS]) + (f"; and {more} reasons more" if more > 0 else "")


def change_in_words(change: Change) -> str:
    """What changed, why, and the sentence it came from."""
    if isinstance(change.after, str):
        what = f"{in_words(change.before)} → {change.after}"
    else:
        what = ", ".join([*(f"+ {one}" for one in change.added), *(f"− {one}" for one in change.removed)])
        what = what or f"{in_words(change.before)} → {in_words(change.after)}"
    why = f" ({change.reason})" if change.reason else ""
    return f"{what}{why}" + "".join(f" “{quote}”" for quote in change.quotes[:1])


def answers_block(answers: Sequence[RatedOpinion]) -> Block:
    """Opinions with their ratings."""
    rows = [(str(a.rating or "–"), a.question, a.reason or a.why_unread, ", ".join(a.sources) or "–") for a in answers]
    return Rows("answer", ("1–5", "opinion", "reason", "rests on"), rows)


def _ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    mind = mind_in(view)
    if mind.mind is not None and not seats:
        yield Fact("mind", f"{mind.mind.profile.name}, after iteration {mind.iteration}")


def _settings(view: SessionView) -> list[str]:
    mind = mind_in(view)
    if mind.config is None:
        return []
    return list(how_it_works(mind.config, model_of(view, "persona"), mind.checked, mind.compared_by))


def _sections(view: SessionView) -> list[Section]:
    return report.sections(mind_in(view), simulated=view.simulated)


def _pictures(view: SessionView) -> list[Picture]:
    from elenchus.debate_engine.protocols.cognition.plot import pictures

    return pictures(mind_in(view), simulated=view.simulated)


def _rows(view: SessionView) -> Iterator[Mapping[str, Any]]:
    mind, session = mind_in(view), view.session_id
    people = {(opinion, one.iteration): one for opinion, of in mind.people.items() for one in of}
    shown = set[tuple[str, int]]()
    for survey in mind.surveys:
        for number, answer in enumerate(survey.answers, 1):
            shown.add(place := (answer.question, survey.iteration))
            own = {"at": survey.at.isoformat(), "question": number, "rating": answer.rating, "reason": answer.reason,
                   "sources": "; ".join(answer.sources), "recalled": "; ".join(answer.recalled),
                   "unread": answer.why_unread or None}  # fmt: skip
            yield _place(session, place) | own | _peoples(people.get(place))
    for place in (place for place in people if place not in shown):
        yield _place(session, place) | dict.fromkeys(_OWN) | _peoples(people[place])


def _place(session: str, place: tuple[str, int]) -> dict[str, Any]:
    opinion, iteration = place
    return {"session": session, "opinion": opinion, "iteration": iteration}


def _peoples(most: PeoplesRating | None) -> dict[str, Any]:
    """What most people said; all None where nobody has rated."""
    tied = None if most is None else "yes" if most.tied else "no"
    return {"people": most and most.rating, "people_tied": tied, "people_count": most and most.people}


_UNASKED = "people alone have rated it after this iteration"
_NOBODY = "nobody has rated it after this iteration"
_OWN = ("at", "question", "rating", "reason", "sources", "recalled", "unread")
_COLUMNS = (
    Column("session", "the session's id"),
    Column("at", "when it was rated (ISO 8601, UTC)", empty=_UNASKED),
    Column("iteration", "how many texts had been taken in; 0: none"),
    Column("question", "number of the opinion in its survey, from 1", empty=_UNASKED),
    Column("opinion", "what was rated"),
    Column("rating", "1 strongly disagree to 5 strongly agree", "1 to 5", f"unread, or {_UNASKED}"),
    Column("reason", "why, in the persona's words", empty=f"unread, or {_UNASKED}"),
    Column("sources", "memories (k and a number) and attributes that the reason names", empty="none that there is"),
    Column("recalled", "memories that were put before the persona", empty="none"),
    Column("unread", "why there is no rating", empty="there is one"),
    Column("people", "how most people took the persona to rate after this iteration", "1 to 5", _NOBODY),
    Column("people_tied", "whether several ratings were named most, and the median decided", "yes, no", _NOBODY),
    Column("people_count", "how many people rated", empty=_NOBODY),
)


def _as_json(view: SessionView) -> Mapping[str, Any]:
    return mind_as_json(mind_in(view))


def mind_as_json(mind: MindProjection) -> dict[str, Any]:
    """A mind for programs: who it is, what it remembers and forgot, its versions and its answers."""
    state = mind.mind
    return {
        "iteration": mind.iteration,
        "profile": state.profile.model_dump(mode="json") if state else None,
        "settings": mind.config.model_dump(mode="json", exclude={"profile", "character"}) if mind.config else None,
        "checked": mind.checked.model_dump(mode="json") if mind.checked else None,
        "memories": [one.model_dump(mode="json") for one in (state.memories if state else ())],
        "forgotten": [one.model_dump(mode="json") for one in mind.forgotten],
        "short_term": list(state.short_term if state else ()),
        "versions": [
            {
                "iteration": one.iteration, "at": one.at.isoformat(), "title": one.title,
                "profile": one.profile.model_dump(mode="json"),
                "changes": [c.model_dump(mode="json") for c in (one.taken.changes if one.taken else ())],
            }
            for one in mind.versions
        ],
        "read": [
            {"seq": one.seq, "at": one.at.isoformat(), "title": one.title, "source": one.source,
             "why_not": one.why_silent or None, "read_before": one.before, "taken": one.taken.model_dump(mode="json")}
            for one in mind.readings
        ],
        "surveys": [
            {"seq": one.seq, "at": one.at.isoformat(), "iteration": one.iteration,
             "answers": [answer.model_dump(mode="json") for answer in one.answers]}
            for one in mind.surveys
        ],
        "people": {opinion: [one._asdict() for one in of] for opinion, of in mind.people.items()},
        "talks": [
            {"seq": one.seq, "at": one.at.isoformat(), "by": one.by, "text": one.text, "answer": one.said or None,
             "why_not": one.why_silent or None}
            for one in mind.talks
        ],
    }  # fmt: skip


PRESENTATION = Presentation(
    project=MindProjection,
    shown=_shown,
    ended=_ended,
    settings=_settings,
    sections=_sections,
    pictures=_pictures,
    scores=Scores(
        _COLUMNS, _rows, "One row is one opinion rated at one time: by the persona, and by people where any did."
    ),
    as_json=_as_json,
)
