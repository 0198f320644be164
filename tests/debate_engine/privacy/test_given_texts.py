"""A text that a person gave goes from the settings that hold it when the person is forgotten, and from all quotes."""

from __future__ import annotations

from typing import Any

from hypothesis import given, strategies as st

from elenchus.debate_engine.events import Event, Recorded, Seat, SessionFinished, SessionStarted, StepDone, now
from elenchus.debate_engine.privacy.authorship import written_by
from elenchus.debate_engine.privacy.person_words import REDACTED
from elenchus.debate_engine.privacy.redaction import redaction_for

MINE = "My grandmother kept seventeen bees in Lisbon, and named each one after a queen."
THEIRS = "The depot told us what a night line costs, and nobody has answered."


def started(config: dict[str, Any], **more: Any) -> SessionStarted:
    return SessionStarted(
        protocol="x", title=MINE[:40], config=config, seats=(Seat(name="crit", spec="scripted:demo"),), seed=1,
        version="0", **more,
    )  # fmt: skip


def without(*events: Event, who: str = "discord:1") -> tuple[list[Any], int]:
    """The events without the person, and how many texts were changed."""
    recorded = [Recorded(seq=n, at=now(), event=event) for n, event in enumerate(events, 1)]
    redaction = redaction_for(recorded, who)
    return [r.event for r in redaction.rewritten(recorded)], redaction.strings


def test_the_text_goes_with_the_name_beside_it_and_every_quote_of_it() -> None:
    quoting = StepDone(step="claim", input_hash="", result={"claim": "They say: kept seventeen bees in Lisbon."})
    end = SessionFinished(outcome={"why": "Bees in Lisbon, and named each one."})
    (first, step, last), count = without(started({"document": MINE, "by": "discord:1"}), quoting, end)
    assert first.config == {"document": REDACTED, "by": REDACTED}
    assert first.title.startswith(REDACTED)
    assert step.result == {"claim": f"They say: {REDACTED}."}
    assert last.outcome == {"why": f"{REDACTED}."}
    assert count >= 4


def test_what_others_gave_beside_it_stays() -> None:
    turns = [{"text": MINE, "by": "discord:1", "number": 1}, {"text": THEIRS, "by": "discord:2", "number": 2}]
    (first,), _ = without(started({"turns": turns}))
    assert first.config["turns"] == [
        {"text": REDACTED, "by": REDACTED, "number": 1}, {"text": THEIRS, "by": "discord:2", "number": 2},
    ]  # fmt: skip


def test_a_speaker_is_looked_for_only_where_a_session_is_copied() -> None:
    turns = [{"text": THEIRS, "speaker": "pro"}]
    (alone,), _ = without(started({"turns": turns}), who="pro")
    (copied,), _ = without(started({"turns": turns}, source="s"), who="pro")
    assert alone.config["turns"][0]["text"] == THEIRS
    assert copied.config["turns"][0]["text"] == REDACTED


def test_it_counts_as_written_by_who_gave_it_and_by_nobody_else() -> None:
    event = started({"turns": [{"text": MINE, "by": "discord:1"}], "brief": THEIRS})
    assert written_by(event, frozenset({"discord:1"})) == [MINE]
    assert written_by(event, frozenset({"discord:2"})) is None
    assert written_by(started({"document": MINE, "by": ""}), frozenset({"discord:1"})) is None


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["by", "text", "document", "turns", "speaker"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["by", "text", "document", "turns"]), JSON, max_size=4))
def test_settings_of_any_form_can_be_rewritten(config: dict[str, Any]) -> None:
    held = {**config, "given": {"text": MINE, "by": "discord:1"}}
    (first,), _ = without(started(held))
    assert first.config["given"] == {"text": REDACTED, "by": REDACTED}
