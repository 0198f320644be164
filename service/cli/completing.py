"""What the shell is offered for the Tab key: sessions, scenes, biases, models and personas by how their names begin.

Completion must not fail or write anything: whatever cannot be read is not offered.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import typer

Offered = list[tuple[str, str]]
"""Words with what they stand for."""


def _careful(offer: Callable[[], Offered]) -> Callable[[str], Offered]:
    def complete(incomplete: str) -> Offered:
        try:
            return [(word, meaning) for word, meaning in offer() if word.startswith(incomplete)]
        except Exception:  # noqa: BLE001 - a key that is pressed while typing is no place to tell of a failure
            return []

    return complete


@_careful
def sessions() -> Offered:
    """Ids of sessions with their titles; none where nothing was stored yet."""
    from elenchus.service.app import database_path
    from elenchus.service.cli import context

    async def read() -> Offered:
        async with context.opened() as app:
            return [(info.id, info.title) for info in await app.log.sessions()]

    return context.run(read()) if database_path(context.settings()).is_file() else []


@_careful
def scenes() -> Offered:
    """Names of the scenes that come along and of one's own."""
    from elenchus.debate_engine.scenes.library import load_scenes
    from elenchus.service.cli import context

    folder = context.settings().own_scenes
    own = [(path.stem, "") for path in folder.glob("*.md")] if folder.is_dir() else []
    return [(name, scene.title) for name, scene in load_scenes().items()] + own


@_careful
def biases() -> Offered:
    """Ids of biases with their names."""
    from elenchus.config.catalogue import load_biases

    return [(bias.id, bias.name) for bias in load_biases()]


@_careful
def personas() -> Offered:
    """Ids of personas with their names."""
    from elenchus.config.persona_catalogue import load_personas

    return [(entry.id, entry.name) for entry in load_personas()]


@_careful
def models() -> Offered:
    """The models that are known by name, a person's own too."""
    from elenchus.config.models import load_models
    from elenchus.service.cli import context

    known = load_models(context.settings().own_models)
    return [(f"{provider}:{name}", "") for provider, names in known.items() for name in names if "*" not in name]


def seats(incomplete: str) -> Offered:
    """Who may sit in a debate: a person, a persona, a model."""
    return [*one_of("human")(incomplete), *personas(incomplete), *models(incomplete)]


def several_biases(incomplete: str) -> Offered:
    """Biases after the last comma of a list of them."""
    before, comma, last = incomplete.rpartition(",")
    return [(f"{before}{comma}{word}", meaning) for word, meaning in biases(last)]


def one_of(listed: str) -> Callable[[str], Offered]:
    """Words that stand in a list such as `pro, con or both`."""
    words = listed.replace(" or ", ", ").split(", ")
    return _careful(lambda: [(word, "") for word in words])


model = partial(typer.Option, metavar="SPEC", autocompletion=models)
bias = partial(typer.Option, metavar="NAME", autocompletion=several_biases)
session = partial(typer.Option, metavar="ID", autocompletion=sessions)
"""Options that take one of these."""
