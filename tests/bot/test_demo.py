"""`make demo-discord`, and what docs/discord.md says of the invitation."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

import discord
import pytest

from elenchus.bot import invite
from elenchus.bot.debate.seats import NAMES
from tests.bot.people.seated import turn_of
from tests.bot.stage import Stage
from tests.fakes.discord import changes
from tests.fakes.discord.permissions import EVERYONE, NONE, Permission

MOVING = re.compile(
    r"#\d+\.\d+|session \w+|[\d,]+ tokens|\*\*[\d,]+\*\* tokens in, \*\*[\d,]+\*\* out|about \*\*\d+\*\* min"
)
DRAWN = re.compile("|".join(NAMES))
"""Names that are drawn by lot."""

OF_THE_DRAW = ("Argument quality", "### 1. ", "The judges", "Joint proposal", "They debated")
"""Where the page's posts differ: when the other side merges the lists of topics, as half the time, or when one topic of
the draft is signed before Bob is asked."""

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "discord.md").read_text(encoding="utf-8")


def posts_in(text: str) -> list[str]:
    """The posts of a rendered thread, without what changes from run to run, and without the width of columns."""
    bare = re.sub(r"│ NAME \([^)…]*[)…]", "│ NAME", DRAWN.sub("NAME", MOVING.sub("#", text)))  # a long one is cut
    narrow = re.sub(r" {2,}", "  ", re.sub(r"─+", "─", re.sub(r"[ \t]+$", "", bare, flags=re.MULTILINE)))
    return [post.strip("\n") for post in re.split(r"\n\n(?=\S)", narrow)]


def not_printed(page: str, printed: str) -> list[str]:
    """What a page's first debate shows and a run of the demo did not print in this order.

    Answers to one person alone stand beside what the thread shows at the same moment: these may stand anywhere.
    """
    section = page.partition("\n## A first debate\n")[2].partition("\n## ")[0]
    shown = [block for block in re.findall(r"```\n(.*?)\n```\n", section, flags=re.DOTALL) if block.startswith("── ")]
    wanted = [post for block in shown for post in posts_in(block) if post != "…"]
    assert len(shown) == 3, "the offer, what is agreed to, the thread"
    missing, made = [], posts_in(printed)
    rest = made
    for post in wanted:
        alone = "only you can see this" in post
        if post not in (made if alone else rest):
            missing.append(post)
        elif not alone:
            rest = rest[rest.index(post) + 1 :]
    return missing


@pytest.mark.slow
async def test_the_demo_shows_a_debate_with_its_verdict_peoples_words_and_votes_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.fakes.discord.demo", cwd=ROOT, env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    printed, did = (part.decode() for part in await asyncio.wait_for(process.communicate(), 180))
    assert process.returncode == 0, did
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)  # the bot has ended as well
    assert list(tmp_path.iterdir()) == []
    before, _, thread = printed.partition("── #debates › ")
    assert "At the most: **" in before
    assert "**Before you sit as con**" in before
    assert "✔ Finished" in thread
    # Each side speaks as often as the other: an opening, a closing, and the rounds between, which vary with the seed.
    assert thread.count("\nBob (con) APP\n") == thread.count(" (pro) APP\n") >= 3
    assert "I drive the night bus" in thread
    assert "@Alice sets the heat of the next turn to 0.53" in thread
    assert "Both sides will hear it before the next turn." in thread
    assert re.search(r"\*\*(The side for|The side against|A tie|Undecided).*\*\*\n", thread)
    assert re.search(r"By majority: [\w ]+ · by points: [\w ]+ \([\d.]+ – [\d.]+\)\n", thread)
    assert "Joint proposal" in thread
    assert "**The side against the motion wins the room**" in thread
    assert "+2 (+67 points)" in thread
    assert thread.count("📎 report.html") == 1
    missing = not_printed(PAGE, printed)
    as_on_the_page = "1. Freedom to choose vs. Cost to households" in printed and "corrects his answer" not in did
    drawn = () if as_on_the_page else OF_THE_DRAW
    odd = [post for post in missing if not any(words in post for words in drawn)]
    assert odd == [], "docs/discord.md shows what the demo does not print: put its words there"
    assert "Trust in experts vs. Trust in experts" not in printed
    assert not_printed(PAGE.replace("the night bus", "the day bus"), printed) != []


async def test_the_invitations_permissions_suffice_for_a_private_debate_with_a_person_in_it(stage: Stage) -> None:
    world, guild = stage.discord.world, stage.guild
    citizens = world.role(guild, "citizens", EVERYONE)
    bob = world.person("Bob", guild=guild, roles=[citizens])
    changes.give_role(world, stage.alice.member, citizens)
    changes.set_role(world, guild, guild.roles[guild.id], NONE)
    changes.set_role(world, guild, changes.bot_role(world, guild), Permission(invite.PERMISSIONS.value))
    async with stage.running():
        thread = await stage.debate(pro=bob.mention, private=True)
        assert bob.can_see(await turn_of(thread, bob))


def test_the_number_of_permissions_on_the_page_is_the_one_that_the_bot_is_invited_with() -> None:
    assert set(re.findall(r"permissions=(\d+)", PAGE)) == {str(invite.PERMISSIONS.value)}
    assert f"`{invite.PERMISSIONS.value}`" in PAGE


def test_the_page_gives_every_permission_its_bit_and_no_other() -> None:
    bits = [1 << int(bit) for bit in re.findall(r"^\| [\w ]+ \| 1 << (\d+) \|", PAGE, flags=re.MULTILINE)]
    assert sum(bits) == invite.PERMISSIONS.value
    assert len(bits) == len(set(bits))


def test_the_address_on_the_page_is_that_of_the_invitation() -> None:
    address = invite.address(123456789012345678)
    assert address.replace("123456789012345678", "APPLICATION_ID") in PAGE
    assert discord.utils.oauth_url(1, permissions=invite.PERMISSIONS, scopes=invite.SCOPES) == invite.address(1)
