"""What a detection's thread shows: within Discord's limits, and harmless, whatever models and people wrote."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from elenchus.bot.rendering.detection import result
from elenchus.bot.rendering.embeds import DESCRIPTION, FIELD_VALUE, size
from elenchus.bot.rendering.safe import units
from elenchus.bot.strings import msg
from elenchus.debate_engine.events import Event, Recorded, Seat, SessionFinished, SessionStarted, now
from elenchus.debate_engine.reports.view import SessionView
from elenchus.detectors.schemas import Answer, Candidate, DetectConfig, Detection, Quote, Turn
from tests.bot.rendering.threads import all_posts, shown

TEXT = "It rained. We have paid for the boat, so we build on. Nobody laughed."


def view_of(found: Detection, *turns: Turn, **how: object) -> SessionView:
    """The view of a finished detection."""
    return SessionView.of("demo", log_of(found, *turns, **how))


def log_of(found: Detection, *turns: Turn, **how: object) -> list[Recorded]:
    cfg = DetectConfig.model_validate({"turns": turns or (Turn(text=TEXT),), **how})
    started = SessionStarted(
        protocol="detect", title="Looking for biases in a text", config=cfg.model_dump(mode="json"),
        seats=(Seat(name="detector", spec="scripted:demo"),), seed=1, source=cfg.source, version="0",
    )  # fmt: skip
    events: list[Event] = [started, SessionFinished(outcome=found.model_dump(mode="json"))]
    return [Recorded(seq=n, at=now(), event=event) for n, event in enumerate(events, 1)]


def found_with(*quotes: Quote, **more: object) -> Detection:
    return Detection.model_validate(
        {"verdict": "found", "bias": "x", "name": "X effect", "method": "zero-shot", "quotes": quotes, **more}
    )


def test_a_quote_stands_in_bold_between_the_words_around_it() -> None:
    (embed,) = result(view_of(found_with(Quote(words="we have paid for the boat", found=True))))
    (field,) = embed.fields
    assert field.value == "It rained. **We have paid for the boat**, so we build on. Nobody laughed."


def test_words_far_from_a_quote_are_left_away_on_both_sides() -> None:
    turn = Turn(text="before " * 100 + "the very words" + " after" * 100)
    (embed,) = result(view_of(found_with(Quote(words="the very words", found=True)), turn))
    value = embed.fields[0].value
    assert value.startswith("… before before")
    assert value.endswith("after after …")
    assert " **the very words** " in value
    assert len(value) < 400


def test_quotes_that_stand_near_each_other_are_shown_in_one_piece_and_far_ones_apart() -> None:
    turn = Turn(text=f"One is here, two is there. {'Much is said. ' * 60} Three is far.")
    quotes = [Quote(words=words, found=True) for words in ("two is there", "three is far", "one is here", "is here")]
    (embed,) = result(view_of(found_with(*quotes), turn))
    near, far = embed.fields[0].value.split("\n")
    assert near.startswith("**One is here**, **two is there**. Much is said.")
    assert far.endswith("Much is said. **Three is far**.")


def test_a_quote_that_only_a_loose_comparison_finds_is_shown_as_it_was_quoted() -> None:
    (embed,) = result(view_of(found_with(Quote(words="We paid … build", found=True))))
    assert embed.fields[0].value == "“**We paid … build**”"


def test_a_quote_of_a_transcript_is_shown_in_its_turn_with_its_speaker() -> None:
    turns = Turn(number=1, speaker="pro", text="Yes."), Turn(number=2, speaker="con", text="No, never.")
    quote = Quote(words="No, never", found=True, turn=2, speaker="con")
    (embed,) = result(view_of(found_with(quote), *turns, source="s"))
    assert embed.fields[0].value == "**No, never**. (con, turn 2)"


def test_a_labelled_detection_shows_every_answer_and_how_far_they_agree() -> None:
    answers = (
        Answer(present=True, reason="Paid.", quotes=(Quote(words="We have paid", found=True),)),
        Answer(present=True, reason="Wet."),
        Answer(present=False, reason="Free."),
        Answer(present=None, unread="x"),
    )
    made = Detection(verdict="undecided", bias="x", name="X effect", method="labelled", answers=answers, agreement=0.5)
    (embed,) = result(view_of(made, bias="x"))
    assert embed.title == "X effect: the answers do not agree"
    assert "50% of 4 answers agree" in embed.description
    assert embed.fields[0].value == (
        "- **✔ yes**: Paid.\n- **yes, but unfounded: it does not count**: Wet.\n- **✖ no**: Free.\n- **not read**: x"
    )


def test_a_detection_without_a_bias_names_none_and_marks_no_words() -> None:
    quote = Quote(words="We have paid", found=True)
    (embed,) = result(view_of(found_with(quote, verdict="none", bias=None, name="")))
    assert embed.title == "No bias found"
    assert embed.fields == ()


def test_a_settings_file_of_another_version_shows_nothing_instead_of_failing() -> None:
    events = log_of(found_with())
    broken = events[0].event.model_copy(update={"config": {"turns": 7}})
    posts = all_posts([events[0].model_copy(update={"event": broken}), events[1]])
    assert [post.pending_file for post in posts] == ["report"]


ANY = st.text(max_size=1_000)
QUOTES = st.builds(Quote, words=ANY, found=st.booleans(), turn=st.sampled_from([None, 1, 9]), speaker=ANY)
CANDIDATES = st.builds(
    Candidate, bias=st.just("x"), name=ANY, reason=ANY, quotes=st.tuples(QUOTES), present=st.sampled_from([None, True])
)


@settings(max_examples=60, deadline=None)
@given(ANY.filter(str.strip), st.lists(QUOTES, max_size=4), st.lists(CANDIDATES, max_size=16), ANY)
def test_whatever_was_written_fits_and_pings_nobody(
    text: str, quotes: list[Quote], candidates: list[Candidate], why: str
) -> None:
    attack = f"@everyone <@1> [x](https://evil.example) {text}"
    made = found_with(*quotes, candidates=candidates, why=f"{why} @here <@&2>")
    posts = all_posts(log_of(made, Turn(text=attack, speaker=text)))
    for post in posts:
        assert units(post.text) <= 2_000
        assert sum(size(embed) for embed in post.embeds) <= 6_000
        for embed in post.embeds:
            assert units(embed.description) <= DESCRIPTION
            assert all(0 < units(field.value) <= FIELD_VALUE for field in embed.fields)
    everything = shown(posts)
    for broken in ("@everyone", "@here", "<@1>", "<@&2>", "](https"):
        assert broken not in everything


def test_one_character_is_no_characters() -> None:
    assert (msg("detecting-characters", n=1), msg("detecting-characters", n=1_200)) == (
        "1 character",
        "1,200 characters",
    )
