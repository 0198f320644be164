"""What can be seen in a text, and what a person's answer must have of it."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import UnreadableReply
from elenchus.debate_engine.human_seat import read_answer
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.printable import is_blank

ASK = Ask(step="opening/pro", seat="pro", prompt_id="speech", prompt_hash="h", role="", material=(), task="Speak.")
UNSEEN = st.text(st.sampled_from(" \t\n\u00a0\u200b\u200d\u2060\ufeff\u00ad\u3164\u2800\x00"))


@given(UNSEEN)
def test_a_speech_in_which_nothing_can_be_seen_is_none(text: str) -> None:
    assert is_blank(text)
    with pytest.raises(UnreadableReply, match="empty"):
        read_answer(ASK, text)


@given(UNSEEN, st.sampled_from(["a", "7", "!", "ש", "字", "🐝", "\U0001fae8", "\U0001fadc"]))
def test_one_sign_is_enough(around: str, sign: str) -> None:
    assert not is_blank(around + sign + around)
    assert sign in read_answer(ASK, around + sign + around)
