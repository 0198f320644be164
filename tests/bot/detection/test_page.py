"""What docs/discord.md shows of a detection is what a real run shows, apart from numbers of the log and of tokens."""

from __future__ import annotations

import re
from pathlib import Path

from tests.bot.detection.shown import played

PAGE = Path(__file__).parents[3] / "docs" / "discord.md"
MOVING = re.compile(r"#\d+\.\d+|[\d,]+ tokens|\*\*[\d,]+\*\* tokens in, \*\*[\d,]+\*\* out|about \*\*\d+\*\* min")


def bare(text: str) -> str:
    """Without what changes from run to run, and blanks at the ends of lines."""
    return re.sub(r"[ \t]+$", "", MOVING.sub("#", text), flags=re.MULTILINE).strip("\n")


async def test_the_offer_and_the_thread_on_the_page_are_those_of_a_real_run(tmp_path: Path) -> None:
    section = PAGE.read_text(encoding="utf-8").partition("\n## Looking for biases\n")[2].partition("\n## ")[0]
    offer, thread = re.findall(r"```text\n(.*?)\n```\n", section, flags=re.DOTALL)
    real = await played(tmp_path / "home")
    assert bare(offer) == bare(real["offer"])
    assert bare(thread) == bare(real["thread"])
    assert "**scripted**" in section
