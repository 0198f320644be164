"""One verdict, one strength: thread, report, pictures' texts and terminal say it in the same words."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from elenchus.debate_engine.events import Event, Recorded, SessionFinished, StepDone
from elenchus.debate_engine.protocols.judging.schemas import Judgement
from elenchus.debate_engine.protocols.judging.strength import STRENGTHS
from elenchus.debate_engine.protocols.socrasynth.shown import ended
from elenchus.debate_engine.protocols.socrasynth.summary import sentences
from elenchus.debate_engine.reports.export import contents_of
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.cli.show.plain import lines
from elenchus.service.cli.show.render import rendered
from tests.bot.rendering.threads import all_posts


def ruled(events: list[Recorded], votes: str, **changed: object) -> list[Recorded]:
    """The same debate with another judgement: the judges' `votes` are A or B."""

    def judged(result: dict[str, object]) -> dict[str, object]:
        one = Judgement.model_validate(result).votes[0].model_dump()
        cast = [{**one, "judge": f"judge-{n}", "vote": vote} for n, vote in enumerate(votes, 1)]
        return {**result, **changed, "votes": cast}

    def other(event: Event) -> Event:
        match event:
            case StepDone(step="judging/judgement", result=dict(result)):
                return event.model_copy(update={"result": judged(result)})
            case SessionFinished(outcome=dict(outcome)):
                return event.model_copy(update={"outcome": outcome | {"judgement": judged(outcome["judgement"])}})
        return event

    return [r.model_copy(update={"event": other(r.event)}) for r in events]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strength", "votes", "named", "majority"),
    [
        ("firm", "AAA", (18, 0), "A"),
        ("tentative", "AAB", (16, 2), "A"),
        ("chance", "AAB", (10, 8), "A"),
        ("split", "AB", (18, 0), "tie"),
        ("untold", "A", (6, 0), "A"),
    ],
)
def test_every_place_tells_the_verdict_with_the_same_strength(
    debate: list[Recorded], strength: str, votes: str, named: tuple[int, int], majority: str
) -> None:
    counted = {"A": named[0], "B": named[1], "tie": 1}
    events = ruled(debate, votes, named=counted, winner="A", winner_by_majority=majority, winner_by_total="A")
    view = SessionView.of("demo", events)
    over = [*ended(view)]
    console = Console(width=200, file=StringIO())
    console.print(*map(rendered, over))
    assert isinstance(console.file, StringIO)
    files = contents_of("demo", events)
    places = {
        "thread": "\n".join(e.description for post in all_posts(events) for e in post.embeds),
        "last post": " ".join(sentences(view)),
        "terminal": console.file.getvalue(),
        "pipe": "\n".join(line for block in over for line in lines(block)),
        "report": files["report.md"].decode(),
        "web page": files["report.html"].decode(),
    }
    for place, shown in places.items():
        text = shown.replace("wins the room", "")
        assert f"side for the motion {STRENGTHS[strength]}" in text, place
        others = [told for name, told in STRENGTHS.items() if name != strength]
        assert not [told for told in others if f"side for the motion {told}" in text], place
        assert "for the motion (pro)**" not in text
        assert "PRO WINS" not in text
    assert places["report"].count(f"The side for the motion {STRENGTHS[strength]}") >= 3  # result, table, picture
