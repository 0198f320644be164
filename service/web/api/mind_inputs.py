"""What a persona with a mind is given: texts, opinions and words, what came of them, and how people rate it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from elenchus.debate_engine.events import Fed, FrozenModel, GivenToMind, Surveyed, Talked
from elenchus.debate_engine.protocols.cognition.projection import Exchange, Reading, Survey
from elenchus.debate_engine.protocols.cognition.schemas import LONGEST_FLOW, MOST_QUESTIONS
from elenchus.detectors.evaluation.cogbench.flows.reading import MOST_VIDEOS, flow_at
from elenchus.service.web.api.catalogues import Estimate
from elenchus.service.web.api.minds import MIND, Name, asked_by
from elenchus.service.web.mind_tasks import GivenState
from elenchus.service.web.problems import NotThere
from elenchus.service.web.routes import BASE, Call, Reply, RouteTable
from elenchus.service.web.server import service_of

if TYPE_CHECKING:
    from elenchus.service.web.server import WebService

routes = RouteTable("minds")

LARGEST_GIVEN = 2_000_000
"""Bytes of a body with texts in it."""

LONGEST_NUMBER = 18
"""Digits of the number of an event."""

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_FLOW)]


class ToRead(FrozenModel):
    """Something to read: texts, or the address of a page, which the service fetches."""

    kind: Literal["read"]
    texts: tuple[Text, ...] = Field((), max_length=MOST_VIDEOS)
    address: str = Field("", max_length=2_000)
    title: str = Field("", max_length=200)
    source: str = Field("", max_length=500)

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if bool(self.texts) is bool(self.address.strip()):
            raise ValueError("give either texts or an address")
        return self


class ToRate(FrozenModel):
    """Opinions to be rated, by default those that it was made with."""

    kind: Literal["rate"]
    questions: tuple[str, ...] = Field((), max_length=MOST_QUESTIONS)


class ToAnswer(FrozenModel):
    """Words to be answered."""

    kind: Literal["answer"]
    text: Text


class MindInputRequest(FrozenModel):
    """What a mind is given. `by`: on whose behalf, which a moderator of the house may say."""

    give: ToRead | ToRate | ToAnswer = Field(discriminator="kind")
    by: Name = ""


class ToBeGiven(FrozenModel):
    """Things that a mind may be given one after the other."""

    give: list[Annotated[ToRead | ToRate | ToAnswer, Field(discriminator="kind")]] = Field(min_length=1, max_length=50)


class GivenDocument(FrozenModel):
    """What became of what it was given under the number `seq`; `kept`: it could not be carried out, for this reason,
    and is with the next thing. `came` is what came of it, of the form that `mind` has for it.
    """

    seq: int
    state: GivenState
    reason: str = ""
    kind: Literal["reading", "survey", "talk"] | None = None
    came: dict[str, Any] | None = None


class PeoplesRatings(FrozenModel):
    """How a person takes the persona to rate, by opinion; of one in the same iteration the last counts. `by`: who,
    which a moderator of the house may say.
    """

    ratings: dict[str, Annotated[int, Field(ge=1, le=5)]] = Field(min_length=1, max_length=MOST_QUESTIONS)
    by: Name = ""


@routes.add(
    "POST", f"{MIND}/given", "moderator", "Have it read, rate or answer", body=MindInputRequest,
    body_bytes=LARGEST_GIVEN,
    gives=GivenDocument, status=202, refuses=(422, 503),
)  # fmt: skip
async def give_mind(call: Call) -> Reply:
    """It is kept at once and carried out meanwhile: ask again by its number what came of it."""
    service, session = service_of(call.request), call.path("session")
    await service.minds.known(session)
    seq = await service.minds.give(session, await given_in(service, session, call.body.give, asked_by(call, session)))
    return Reply(
        GivenDocument(seq=seq, state="waiting"), 202, {"Location": f"{BASE}/minds/{session}/given/{seq}"}
    )  # fmt: skip


async def given_in(service: WebService, session: str, give: ToRead | ToRate | ToAnswer, by: str) -> GivenToMind:
    """What it is given, as its log has it; a page is fetched. Raises UsageError."""
    match give:
        case ToRead(texts=(), address=address, title=title):
            flow = await flow_at(address.strip(), service.fetching)
            return Fed(by=by, texts=flow.texts, title=title.strip() or flow.title, source=flow.source)
        case ToRead(texts=texts, title=title, source=source):
            return Fed(by=by, texts=texts, title=" ".join(title.split()), source=source)
        case ToRate(questions=questions):
            return Surveyed(by=by, questions=await service.app.minds.questions(session, questions))
    return Talked(by=by, text=give.text)


@routes.add(
    "POST", f"{MIND}/estimates", "moderator", "What giving it this would cost at the most", body=ToBeGiven,
    body_bytes=LARGEST_GIVEN, gives=Estimate, refuses=(422, 502),
)  # fmt: skip
async def estimate_given(call: Call) -> Estimate:
    """A page is fetched; no model is asked."""
    service, session = service_of(call.request), call.path("session")
    await service.minds.known(session)
    given = [await given_in(service, session, one, "") for one in call.body.give]
    return Estimate(plan=await service.app.minds.estimate(session, *given))


@routes.add("GET", f"{MIND}/given/{{seq}}", "moderator", "What came of it", gives=GivenDocument)
async def show_given(call: Call) -> GivenDocument:
    """`waiting` until it is carried out."""
    seq = _number(call.path("seq"))
    came = await service_of(call.request).minds.came_of(call.path("session"), seq)
    kind, document = came_as_json(came.what)
    return GivenDocument(seq=seq, state=came.state, reason=came.reason, kind=kind, came=document)


def _number(typed: str) -> int:
    """A number in a path. Raises NotThere."""
    if not (typed.isascii() and typed.isdigit() and len(typed) < LONGEST_NUMBER):
        raise NotThere("The persona was not given anything under this number.")
    return int(typed)


def came_as_json(
    what: Reading | Survey | Exchange | None,
) -> tuple[Literal["reading", "survey", "talk"] | None, dict[str, Any] | None]:
    """What came of something, and what it is."""
    match what:
        case Reading():
            about = {"title": what.title, "source": what.source, "why_not": what.why_silent or None}
            number = what.iteration.iteration if what.iteration else None
            return "reading", about | {"iteration": number, "taken": what.taken.model_dump(mode="json")}
        case Survey():
            answers = [answer.model_dump(mode="json") for answer in what.answers]
            return "survey", {"iteration": what.iteration, "answers": answers}
        case Exchange():
            told = {"text": what.text, "answer": what.said or None, "why_not": what.why_silent or None}
            return "talk", told
    return None, None


@routes.add(
    "POST", f"{MIND}/ratings", "viewer", "Rate its opinions as a person", body=PeoplesRatings, status=204,
    refuses=(422,),
)  # fmt: skip
async def rate_mind(call: Call) -> Reply:
    """As you take the persona to, such as it is now. Whoever has a link to it may."""
    service, session = service_of(call.request), call.path("session")
    await service.minds.known(session)
    named = call.body.by.strip() if call.asking.moderates() else ""
    await service.app.minds.rate(session, call.body.ratings, by=named or call.asking.voter(session))
    return Reply(status=204)
