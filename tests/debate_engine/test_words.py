"""Words in scripts with and without blanks between them: counted, cut, found again and forgotten."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.events import Event, Recorded, Said, Seat, SessionStarted, TurnAnswered, now
from elenchus.debate_engine.llm.text import clip_words
from elenchus.debate_engine.privacy.authorship import words_of
from elenchus.debate_engine.privacy.person_words import REDACTED
from elenchus.debate_engine.privacy.redaction import redaction_for
from elenchus.debate_engine.protocols.crit.passages import paragraphs_of, passage_of
from elenchus.debate_engine.protocols.speech import Topic, sections_of
from elenchus.debate_engine.retrieval import WordOverlap
from elenchus.debate_engine.words import clipped, count_words, first_words

SAME = {
    "English": "My teacher hit me when I was in the third grade, and so I am against homework.",
    "Hindi": "जब मैं तीसरी कक्षा में था तब मेरे शिक्षक ने मुझे मारा था, इसलिए मैं गृहकार्य के खिलाफ हूँ।",
    "Korean": "초등학교 삼학년 때 선생님이 나를 때린 적이 있어서 나는 숙제를 내주는 것에 반대한다.",
    "Chinese": "我小学三年级的时候曾经被老师打过，所以我现在反对给学生布置家庭作业。",
    "Japanese": "小学三年生のとき先生にたたかれたことがあるので、私は宿題を出すことに反対です。",
    "Thai": "ตอนฉันอยู่ชั้นประถมสามครูตีฉัน ดังนั้นฉันจึงไม่เห็นด้วยกับการบ้าน",
    "Lao": "ຕອນຂ້ອຍຢູ່ຊັ້ນປະຖົມສາມຄູຕີຂ້ອຍ ດັ່ງນັ້ນຂ້ອຍຈຶ່ງບໍ່ເຫັນດີກັບວຽກບ້ານ",
    "Khmer": "ពេលខ្ញុំរៀនថ្នាក់ទីបីគ្រូបានវាយខ្ញុំ ដូច្នេះខ្ញុំមិនយល់ព្រមនឹងកិច្ចការផ្ទះទេ",
    "Burmese": "ကျွန်တော်တတိယတန်းမှာဆရာကရိုက်ခဲ့တယ် ဒါကြောင့်အိမ်စာကိုကန့်ကွက်တယ်",
}
"""The same sentence, of 17 words in English."""
every_language = pytest.mark.parametrize("said", SAME.values(), ids=SAME.keys())


@every_language
def test_the_same_sentence_has_about_as_many_words_in_every_script(said: str) -> None:
    assert 10 <= count_words(said) <= 25
    assert count_words(f"{said} " * 30) == pytest.approx(30 * count_words(said), rel=0.06)


@every_language
def test_no_more_words_are_let_through_than_were_asked_for_in_any_script(said: str) -> None:
    kept = first_words(said * 40, 50)
    assert 30 < count_words(kept) <= 50
    assert (said * 40).startswith(kept)
    assert len(kept) < 6 * len(said)
    assert not unicodedata.category((said * 40)[len(kept)]).startswith("M"), "a letter keeps its marks"


@given(st.text(st.sampled_from("กำเด็็茶ー。a …-"), max_size=80), st.integers(1, 20))
def test_what_was_cut_is_not_too_long_and_not_cut_again(text: str, most: int) -> None:
    cut = clip_words(text, most)
    assert count_words(cut) <= most
    assert clip_words(cut, most) == cut


def test_punctuation_belongs_to_the_word_before_it() -> None:
    assert count_words("我同意。你呢？") == count_words("我同意你呢")
    assert count_words("well, yes – no") == 4


# ── forgetting ───────────────────────────────────────────────────────────────────────────────────────────────────


def masked(own: str, other: str, before: str = "") -> str:
    seats = (Seat(name="pro", spec="human:mei"), Seat(name="con", spec="scripted:con"))
    started = SessionStarted(protocol="socrasynth", title="t", config={}, seats=seats, seed=1, version="0")
    heard = Said(step="x", input_hash="", speaker="con", to=("*",), text=before)
    events: list[Event] = [started, heard, TurnAnswered(step="y", seat="pro", by="mei", answer=own)]
    recorded = [Recorded(seq=n, at=now(), event=event) for n, event in enumerate(events, 1)]
    return words_of(recorded, frozenset({"pro"})).mask(other)


@every_language
def test_what_an_opponent_quotes_of_somebody_is_forgotten_in_every_script(said: str) -> None:
    clause = first_words(said, count_words(said) // 2).rstrip(" ,，、")
    assert masked(said, f"(“{clause}”)") == f"(“{REDACTED}”)"


@pytest.mark.parametrize("own", ["เห็นด้วย", "我同意", "I agree"])
def test_a_short_answer_is_forgotten_in_every_script(own: str) -> None:
    assert masked(own, f"(“{own}”)") == f"(“{REDACTED}”)"


def test_what_others_said_before_and_what_is_no_quote_stays_in_a_script_without_blanks() -> None:
    own, motion = "我认为学校应该取消所有的家庭作业，因为我小时候很累。", "学校应该取消所有的家庭作业"
    assert masked(own, f"辩题：{motion}。", before=motion) == f"辩题：{motion}。"
    assert masked(own, "我们的学校很大，孩子很累。") == "我们的学校很大，孩子很累。"


def test_no_word_of_a_script_that_writes_vowels_as_marks_is_a_quote_by_itself() -> None:
    assert masked("मेरे विद्यार्थियों को यह पसंद है", "विद्यार्थियों") == "विद्यार्थियों"


@pytest.mark.parametrize(
    "who, text, without",
    [
        ("王小明", "辩手王小明说他很累。", "辩手[redacted]说他很累。"),
        ("anna", "昨天anna说她累。anna-lena, hannah", "昨天[redacted]说她累。[redacted]-lena, hannah"),
        ("สมชาย", "คุณสมชายพูด", "คุณ[redacted]พูด"),
    ],
)
def test_a_persons_name_is_forgotten_also_where_no_blank_stands_beside_it(who: str, text: str, without: str) -> None:
    seats = (Seat(name="pro", spec=f"human:{who}"),)
    started = SessionStarted(protocol="socrasynth", title="t", config={}, seats=seats, seed=1, version="0")
    said = Said(step="x", input_hash="", speaker="con", to=("*",), text=text)
    recorded = [Recorded(seq=1, at=now(), event=started), Recorded(seq=2, at=now(), event=said)]
    (_, rewritten) = redaction_for(recorded, who).rewritten(recorded)
    assert isinstance(rewritten.event, Said)
    assert rewritten.event.text == without


# ── what two texts have in common ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "query, texts",
    [
        ("老师打过谁？", ["今天的天气很好。", "她记得小时候被老师打过。"]),
        ("ครูตีใคร", ["วันนี้อากาศดี", "เธอจำได้ว่าครูตีเธอ"]),
        ("whom did the teacher hit", ["The weather is fine.", "A teacher once hit her."]),
    ],
)
async def test_a_memory_is_found_by_the_words_in_common_in_every_script(query: str, texts: list[str]) -> None:
    assert await WordOverlap().nearest(query, texts, 1) == [1]


def test_the_passage_of_a_reason_is_found_and_bounded_in_a_script_without_blanks() -> None:
    rain, teacher = "今天一直在下雨，街上没有人。" * 30, "学生们说老师打过他们，大家都很害怕。" * 30
    found = paragraphs_of(f"{rain}\n\n{teacher}")
    assert passage_of(found, "", "老师打过学生", words=300) == teacher


def test_a_heading_is_known_by_most_of_a_chinese_title() -> None:
    topics = [Topic(pro_concern=a, con_concern=b, scope="") for a, b in (("行车速度", "行人安全"), ("票价", "舒适"))]
    assert sections_of("## 票价与舒适\n便宜。\n## 行车速度和行人安全\n很快。", topics) == ["很快。", "便宜。"]


@given(st.text(max_size=3000) | st.text(alphabet="ab. ", max_size=300), st.integers(1, 100))
def test_a_clipped_text_has_no_more_words_than_it_may_and_is_its_beginning(text: str, most: int) -> None:
    kept, cut = clipped(text, most)
    assert text.strip().startswith(kept)
    assert cut is (kept != text.strip())
    assert count_words(kept) <= most


def test_a_text_without_blanks_is_clipped_by_its_letters_behind_a_sentence() -> None:
    assert clipped("我喝绿茶。" * 60, 100) == ("我喝绿茶。" * 50, True)
    assert clipped("我们不能停。已经三年了。" * 5, 9) == ("我们不能停。已经三年了。我们不能停。", True)
    assert 390 < len(clipped("ครูตีเด็ก" * 800, 100)[0]) <= 400
    assert 190 < len(clipped("ครูตีเด็ก" * 800, 50)[0]) <= 200
    assert clipped("我们 stop here", 3) == ("我们 stop here", False)
