"""What `/detect` and "Detect biases" refuse: each in one sentence that says what to do, and nothing is begun."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.service.lab.options import LONGEST_DOCUMENT
from tests.bot.detection.looking import DETECTOR, TEXT, confirmed, looking, threads
from tests.bot.people.seated import settle
from tests.bot.stage import Stage, until
from tests.fakes.discord.people import Person

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "There is no text"),
    ({"text": " … "}, "There is no text"),
    ({"file": ("a.txt", b"x" * (LONGEST_DOCUMENT + 1))}, "too long: 400,000 characters"),
    ({"file": ("a.txt", b"x" * 1_000_000)}, "too long: 400,000 characters"),
    ({"file": ("a.png", b"\xff\xfe\x00")}, "no text: add one in"),
    ({"text": TEXT, "file": ("a.txt", b"More of it.")}, "Give one thing to examine"),
    ({"text": TEXT, "session": "abc"}, "Give one thing to examine"),
    ({"text": TEXT, "speaker": "pro"}, "A speaker goes with a session"),
    ({"session": "abc"}, "No finished session here that you may see"),
    ({"text": TEXT, "labels": "Sunk cost falacy"}, "near it are Sunk cost fallacy"),
    ({"text": TEXT, "bias": "@everyone"}, "choose one from the list"),
    ({"text": TEXT, "labels": "Loss aversion, loss-aversion"}, "names a bias twice"),
    ({"text": TEXT, "labels": "Loss aversion", "bias": "IKEA effect"}, "give one of them"),
    ({"text": TEXT, "method": "tree", "weights": "mean"}, "which only `method` full has"),
    ({"text": TEXT, "method": "cot", "top": 3}, "`top` ranks by the loser tree"),
    ({"text": TEXT, "method": "dialogue", "detector": "scripted:demo"}, "nobody sits there"),
]


async def test_what_cannot_be_examined_is_refused_in_one_sentence(stage: Stage, bob: Person) -> None:
    async with looking(stage) as model:
        for given, told in REFUSED:
            answer = await bob.slash(stage.channel, "detect", **given)
            assert told in answer.text, given
            sentence, _, reference = answer.text.partition("\n")
            assert reference.startswith("-# reference ")
            assert sentence.count("@everyone") == 0
            assert not answer.message.components
        assert not model.asked
    assert not threads(stage)


async def test_who_may_not_start_debates_may_not_look_for_biases(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        await settle(stage, debater=DETECTOR, start="moderators")
        message = await stage.alice.write(stage.channel, TEXT)
        for answer in (
            await bob.slash(stage.channel, "detect", text=TEXT),
            await bob.slash(stage.channel, "detect"),
            await bob.menu(message, "Detect biases"),
        ):
            assert "You may not look for biases here" in answer.text
            assert not answer.message.components


async def test_the_permission_is_checked_again_at_the_click(stage: Stage, bob: Person) -> None:
    async with looking(stage) as model:
        offer = await bob.slash(stage.channel, "detect", text=TEXT)
        await settle(stage, debater=DETECTOR, start="moderators")
        pressed = await bob.press(offer.with_buttons, "Start")
        await until(lambda: "You may not start" in pressed.text)
        assert not model.asked
    assert not threads(stage)


async def test_what_the_days_budget_does_not_suffice_for_is_not_offered(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        await settle(stage, debater=DETECTOR, day_tokens=20_000)
        answer = await bob.slash(stage.channel, "detect", text=TEXT)
        assert "has 20,000 tokens left and this may use" in answer.text
        assert not answer.message.components
        one = await bob.slash(stage.channel, "detect", text=TEXT, method="zero-shot")
        assert "what the server has left today: 20,000 tokens" in one.text


async def test_what_detections_have_used_is_gone_from_the_days_budget(stage: Stage, bob: Person) -> None:
    async with looking(stage, latency=30):
        await settle(stage, debater=DETECTOR, day_tokens=20_000)
        first = await bob.slash(stage.channel, "detect", text=TEXT, method="zero-shot")
        second = await bob.slash(stage.channel, "detect", text=TEXT, method="zero-shot")
        await confirmed(stage, bob, first)
        refused = await bob.press(second.with_buttons, "Start")
        await until(lambda: "has 0 tokens left" in refused.text)  # the first may still use all of it
    assert len(threads(stage)) == 1


async def test_a_model_that_is_not_to_be_had_is_told_before_anything_is_begun(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        await settle(stage, debater="scripted:nowhere")
        assert "There is no script named nowhere" in (await bob.slash(stage.channel, "detect", text=TEXT)).text
    assert not threads(stage)


@pytest.mark.parametrize("button", ["Start", "Cancel"])
async def test_an_offer_from_before_a_restart_has_expired(stage: Stage, bob: Person, button: str) -> None:
    async with looking(stage):
        offer = (await bob.slash(stage.channel, "detect", text=TEXT)).with_buttons
    async with looking(stage):
        await bob.press(offer, button)
        assert "expired" in offer.content
    assert not threads(stage)


async def test_help_names_it_to_who_may_do_it_alone(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        assert "`/detect`, or Apps → Detect biases" in (await bob.slash(stage.channel, "help")).text
        await settle(stage, debater=DETECTOR, start="moderators")
        assert "/detect" not in (await bob.slash(stage.channel, "help")).text
