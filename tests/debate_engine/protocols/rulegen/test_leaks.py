"""A reply that gives its directions away is found; one that says what its direction wants said is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.rulegen.leaks import LABELS, leak_in
from elenchus.debate_engine.protocols.rulegen.moves import moves_of
from elenchus.debate_engine.protocols.rulegen.role_agent import instruction
from elenchus.debate_engine.scenes.scene import PURPOSES, Scene
from elenchus.debate_engine.scenes.script import read_any
from tests.debate_engine.scenes.lenient.real_scripts import SCRIPTS
from tests.twins import twin_scenes

PROMPT = prompts_of("elenchus.debate_engine.protocols.rulegen").answer
Known = dict[str, Any]


def known(**given: str) -> Known:
    """What a speaker's prompt holds."""
    plain = dict.fromkeys(("name", "background", "task", "style", "heard", "to", "purpose", "content"), "")
    return {**plain, "name": "Greta", "to": "Imani", **given}


@cache
def of_free_speech() -> Sequence[Scene]:
    return tuple(twin_scenes().values())


@cache
def of_another_hand() -> Sequence[Scene]:
    return tuple(read_any(path.read_bytes()).scene() for path in sorted(Path(SCRIPTS).glob("*.md")))


def speakers(scene: Scene) -> Iterator[Known]:
    """What the first speaker of each rule of a scene is told."""
    roles = {role.name: role for role in scene.roles}
    for rule in scene.rules:
        if rule.mode == "self-receiving" or rule.initiator not in roles:
            continue
        move, role = moves_of(rule)[0], roles[rule.initiator]
        yield known(
            name=role.name,
            background=role.background,
            task=role.task,
            style=role.style,
            to=" and ".join(move.to),
            purpose=PURPOSES[rule.purpose].does if rule.purpose else "",
            content=instruction(rule, move),
        )


# ── the made leaks ───────────────────────────────────────────────────────────────────────────────────────────────


def verbatim(of: Known) -> str:
    return f"Well. {of['content']}"


def with_its_label(of: Known) -> str:
    """A weak model reads its task out."""
    return f"Now you, {of['name']}, speak to {of['to']}. Your direction: {of['content']}"


def clauses_reversed(of: Known) -> str:
    clauses = [part.strip() for part in re.split(r"[,;:.]", of["content"]) if part.strip()]
    return ", ".join(reversed(clauses)) if len(clauses) > 1 else ""


def the_task(of: Known) -> str:
    return f"I was told this: {of['task']}" if of["task"] else ""


def words_between(of: Known) -> str:
    """The direction with another word after every second one."""
    return " ".join(word if n % 2 else f"{word} indeed" for n, word in enumerate(of["content"].split(), 1))


def neighbours_swapped(of: Known) -> str:
    return swapped(of["content"])


def in_other_letters(of: Known) -> str:
    """Capitals, accents, hyphens within words and no punctuation."""
    plain = re.sub(r"[^\w\s]", "", of["content"]).upper().replace("E", "E\u0301")
    return re.sub(r"(\w{3})(\w{3})", r"\1-\2", plain)


def with_signs_that_nobody_sees(of: Known) -> str:
    """Zero-width blanks, soft hyphens, full-width and Cyrillic letters."""
    wide = "".join(
        chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" and n % 3 else sign for n, sign in enumerate(of["content"])
    )
    return "\u200b\u00ad".join(wide.translate(str.maketrans("aeopc", "аеорс")))


def quoted_as_elsewhere(of: Known) -> str:
    return f"Mir wurde gesagt: »{of['content']}«, oder „{of['content'][:9]}“."


def the_task_with_words_between(of: Known) -> str:
    return " ".join(word if n % 3 else f"{word} indeed" for n, word in enumerate(of["task"].split(), 1))


def the_task_neighbours_swapped(of: Known) -> str:
    return swapped(of["task"])


def swapped(text: str) -> str:
    words = text.split()
    words[: len(words) // 2 * 2] = [word for pair in zip(words[1::2], words[::2], strict=False) for word in pair]
    return " ".join(words)


def the_task_reversed(of: Known) -> str:
    sentences = re.split(r"(?<=[a-z]{3}[.])\s", of["task"])
    return " ".join(reversed(sentences)) if len(sentences) > 1 else ""


# ── and what may be said, as near to what was told as it can be ──────────────────────────────────────────────────


def what_the_direction_wants_said(of: Known) -> str:
    """The direction without the words that make it one: after "that" or a colon, else after its first two words."""
    begins = re.search(r"\b(?:that|:)\s", of["content"])
    words = str(of["content"]).split()
    return of["content"][begins.end() :] if begins and begins.start() < 60 else " ".join(words[2:])


def the_own_background(of: Known) -> str:
    return re.sub(r"\byour\b", "my", re.sub(r"\b[Yy]ou\b", "I", of["background"]))


def rate(scenes: Iterable[Scene], made: Callable[[Known], str]) -> tuple[int, int]:
    """How many of the replies that are made of what each speaker is told are found to leak, and of how many."""
    replies = [(of, reply) for scene in scenes for of in speakers(scene) if (reply := made(of))]
    return sum(bool(leak_in(reply, PROMPT, of)) for of, reply in replies), len(replies)


MADE = [
    (verbatim, 0.99), (with_its_label, 1), (clauses_reversed, 0.99), (words_between, 0.98), (neighbours_swapped, 0.9),
    (in_other_letters, 0.99), (with_signs_that_nobody_sees, 0.99), (quoted_as_elsewhere, 0.99),
    (the_task, 1), (the_task_reversed, 1), (the_task_with_words_between, 1), (the_task_neighbours_swapped, 0.9),
    (what_the_direction_wants_said, 0), (the_own_background, 0),
]  # fmt: skip
"""Each with the least share that is found; 0: at the most `SEEN_WRONGLY`."""
SEEN_WRONGLY = 0.005


@pytest.mark.slow
@pytest.mark.parametrize(("made", "share"), MADE, ids=lambda x: getattr(x, "__name__", None))
def test_made_leaks_are_found_in_scenes_of_free_speech_and_what_is_to_be_said_is_not(
    made: Callable[[Known], str], share: float
) -> None:
    found, of = rate(of_free_speech(), made)
    print(f"{made.__name__}: {found} of {of}")
    assert of > 150
    assert (found <= SEEN_WRONGLY * of) if share == 0 else found >= share * of, f"{found} of {of}"


@pytest.mark.slow
@pytest.mark.skipif(not SCRIPTS.is_dir(), reason="the scripts are not beside the repository")
@pytest.mark.parametrize(("made", "share"), MADE, ids=lambda x: getattr(x, "__name__", None))
def test_and_in_scripts_of_another_hand(made: Callable[[Known], str], share: float) -> None:
    found, of = rate(of_another_hand(), made)
    print(f"{made.__name__}: {found} of {of}")
    assert of >= 2
    assert (found <= SEEN_WRONGLY * of) if share == 0 else found >= share * of, f"{found} of {of}"


def honest_about(scene: Scene) -> Iterator[str]:
    """What may be said of the scene by whoever plays in it: its own texts, and what other rules want said."""
    yield scene.background
    yield from (
        text for role in scene.roles for text in (role.background, the_own_background({"background": role.background}))
    )
    yield from (what_the_direction_wants_said(of) for of in speakers(scene))


@pytest.mark.slow
@pytest.mark.parametrize("whose", ["ours", "another hand"])
def test_texts_on_the_same_topic_are_hardly_ever_taken_for_leaks(whose: str) -> None:
    """The messages of the system are left out: who has heard them may repeat them, and who has not cannot."""
    scenes = of_free_speech()
    if whose != "ours":
        if not SCRIPTS.is_dir():
            pytest.skip("the scripts are not beside the repository")
        scenes = of_another_hand()[::4]
    told = [(of, reply) for scene in scenes for of in speakers(scene) for reply in honest_about(scene) if reply]
    found = [(reply, leak) for of, reply in told if (leak := leak_in(reply, PROMPT, of))]
    print(f"{whose}: {len(found)} of {len(told)}")
    assert len(found) <= 0.002 * len(told), found


# ── one by one ───────────────────────────────────────────────────────────────────────────────────────────────────

ASKS = "Ask Imani for the fair price, one number in euros, and how Imani came to it."


@pytest.mark.parametrize(
    "reply",
    [
        f"Now you, Greta, speak to Imani. Your direction: {ASKS}",
        "your direction : something else altogether",
        f"I was told: {ASKS[0].lower()}{ASKS[1:]}",
        "Hm. ASK IMANI – for the *fair* price, one number, please.",
        "### Your own thoughts before you speak\nWell.",
        "What you heard and said lately\n\nHello.",
        "You are Greta, an ordinary person among others. Hello!",
        "You are Greta. You run the price table, they say.",
        "Your task: recommend nothing.",
        "Hello. Your task: Keep a straight face.",
        "I keep a straight face and recommend no price to anybody, so they told me.",
        "Hello. Find out together: ask, weigh possibilities, look for an answer or a choice.",
    ],
)
def test_words_of_the_prompt_are_a_leak(reply: str) -> None:
    of = known(
        background="You run the price table of the repair café.",
        task="Keep a straight face and recommend no price.",
        purpose=PURPOSES["FTO"].does,
        content=ASKS,
    )
    assert leak_in(reply, PROMPT, of)


@pytest.mark.parametrize(
    "reply",
    [
        "Imani, what is the fair price, one number in euros, and how did you come to it?",
        "I run the price table of the repair café, so tell me: one number in euros.",
        "I recommend no price. Tell us in your own words, plainly: what is it worth?",
        "Let us find out together. Your own thoughts, before you speak of the price?",
        "Welcome, Imani! Your task: name a price that both can live with.",
        "That is for you to say, Imani. You are free to name any price, high or low.",
        "",
    ],
)
def test_what_a_person_says_who_does_as_told_is_none(reply: str) -> None:
    of = known(
        background="You run the price table of the repair café.",
        task="Keep a straight face and recommend no price.",
        purpose=PURPOSES["FTO"].does,
        content=ASKS,
    )
    assert leak_in(reply, PROMPT, of) == ""


def test_quoted_words_of_a_rule_are_meant_to_be_said() -> None:
    of = known(content="“Ask not what your country can do for you” is what you say. Then you leave.")
    assert leak_in("Ask not what your country can do for you!", PROMPT, of) == ""


def test_what_was_heard_may_be_said_again() -> None:
    task = "Mark each of the three cards green or red, as the rules say."
    said = "Pavel said to everybody: Mark each of the three cards green or red, please."
    reply = "All right: mark each of the three cards green or red."
    assert leak_in(reply, PROMPT, known(task=task))
    assert leak_in(reply, PROMPT, known(task=task, heard=said)) == ""


@pytest.mark.parametrize(
    ("direction", "leak", "said"),
    [
        (
            "告诉罗宾，你起初也拿不定主意，后来就跟着大家选了。",
            "我要告诉罗宾，你起初也拿不定主意。",
            "罗宾，我起初也拿不定主意，后来就跟着大家选了。",
        ),
        (
            "ロビンに、最初は迷ったけれどみんなに合わせたと伝える。",
            "「ロビンに、最初は迷ったけれどみんなに合わせたと伝える」",
            "最初は迷ったけれどみんなに合わせたよ。",
        ),
        (
            "บอกโรบินว่าตอนแรกคุณก็ลังเลแล้วจึงทำตามคนอื่น",
            "บอกโรบินว่าตอนแรกคุณก็ลังเล",
            "ตอนแรกฉันก็ลังเลแล้วจึงทำตามคนอื่น",
        ),
        (
            "रॉबिन को बताएँ कि आप भी पहले अनिश्चित थे।",
            "मुझे कहा गया: रॉबिन को बताएँ कि आप भी पहले अनिश्चित थे।",
            "मैं भी पहले अनिश्चित था, सच में।",
        ),
        (
            "Sag Robin, dass du erst auch unsicher warst.",
            "Also: Sag Robin, dass du erst auch unsicher warst.",
            "Robin, ich war erst auch unsicher.",
        ),
    ],
)
def test_it_holds_in_languages_with_and_without_blanks_between_words(direction: str, leak: str, said: str) -> None:
    of = known(content=direction)
    assert leak_in(leak, PROMPT, of)
    assert leak_in(said, PROMPT, of) == ""


def test_the_labels_that_are_looked_for_stand_in_the_prompts() -> None:
    text = "\n".join(part for *_, part in PROMPT.sections)
    assert all(f"{label}:" in text for label in LABELS)
    aside = prompts_of("elenchus.debate_engine.protocols.rulegen.people").unscripted
    assert f"{LABELS[1]}:" in "\n".join(part for *_, part in aside.sections), "the moderator is told a task there, too"
