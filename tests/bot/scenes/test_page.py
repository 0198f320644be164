"""What docs/discord.md shows of scenes is what a real run shows, apart from numbers of the log and of tokens."""

from __future__ import annotations

import re
from pathlib import Path

from tests.bot.scenes.shown import played

PAGE = Path(__file__).parents[3] / "docs" / "discord.md"


def posts_in(text: str) -> list[str]:
    """The posts of a rendered thread, without what changes from run to run."""
    bare = re.sub(r"#\d+\.\d+|\d+ calls · [\d,]+ tokens", "#", re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE))
    return [post.strip("\n") for post in re.split(r"\n\n(?=\S)", bare)]


async def test_every_post_on_the_page_was_made_by_the_bot_in_this_order(tmp_path: Path) -> None:
    section = PAGE.read_text(encoding="utf-8").partition("\n## Scenes\n")[2].partition("\n## ")[0]
    shown = re.findall(r"```text\n(.*?)\n```\n", section, flags=re.DOTALL)
    assert len(shown) == 3
    real = await played(tmp_path / "home")
    for name, block in zip(("subject", "control room", "results"), shown, strict=True):
        made, wanted = posts_in(real[name]), [post for post in posts_in(block) if post != "…"]
        assert [post for post in wanted if post not in made] == [], name
        # answers to one person alone stand beside what the thread shows at the same moment
        places = [made.index(post) for post in wanted if "only you can see this" not in post]
        assert places == sorted(places), name
        assert places
