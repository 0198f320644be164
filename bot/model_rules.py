"""Which models the members of a server may have, and what is done about a price that is not known.

The bot's owner names models in ELENCHUS_DISCORD_MODELS, a server narrows them by `/settings set models:`. Whatever
these say, nobody on Discord names a file of the bot's machine: `local:` takes the known models alone, and a script is
had only by a name that the owner lists.
A file is had where the owner lists this very file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from elenchus.bot.errors import logged
from elenchus.bot.guild import GuildSettings
from elenchus.bot.rendering.safe import inline, shortened
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.config.models import find
from elenchus.config.persona_catalogue import parted
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import mind_in
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.llm.registry import parse_spec
from elenchus.debate_engine.llm.weights import KNOWN

_SCRIPT = re.compile(r"scripted:[\w-]+(\?.*)?")
"""A script's name: never a path."""


def refusal(spec: str, owners: Sequence[str], servers: Sequence[str]) -> str:
    """Why a member may not have the model, "" where they may. `owners` and `servers` are lists of patterns. Pure."""
    provider, _, model = spec.partition(":")
    named = [pattern for pattern in owners if provider != "scripted" or pattern.startswith("scripted:")]
    if spec not in owners:  # the owner may name this very file
        if provider == "local" and model not in KNOWN:
            return msg("allowed-terminal-only")
        if provider == "scripted" and not (named and _SCRIPT.fullmatch(spec)):
            return msg("allowed-terminal-only")
    for patterns in (named if owners else (), servers):
        if patterns and not any(spec == pattern or fnmatchcase(spec, pattern) for pattern in patterns):
            return msg("allowed-not-allowed", spec=shortened(inline(spec), 100), allowed=inline(", ".join(patterns)))
    return ""


def check_models(services: BotServices, settings: GuildSettings, specs: Iterable[str]) -> list[str]:
    """The models among these (people are none), each once, if members may have them and they are to be had.

    Nothing of the machine is looked at before that. Raises UsageError, ProviderError.
    """
    check_catalogue(services)
    models = [model for model in dict.fromkeys(parted(spec)[1] for spec in specs) if model and not is_human(model)]
    if any(map(mind_in, models)):  # whoever names one by its name has found its model before
        raise UsageError(msg("debate-mind-by-id"))
    for spec in models:
        if why := refusal(str(parse_spec(spec)), services.settings.discord.models, settings.models):
            raise UsageError(why)
    for spec in models:
        services.registry.model(spec)
    return models


def check_catalogue(services: BotServices) -> None:
    """Raises UsageError where the owner's models.yaml cannot be read: its words are for the bot's log alone."""
    try:
        _ = services.registry.catalogue
    except UsageError as error:
        raise UsageError(msg("allowed-no-catalogue", reference=logged(error, "models.yaml"))) from None


def price_known(services: BotServices, spec: str) -> bool:
    """Whether the list of models has a price for it. Raises UsageError."""
    known = parse_spec(spec)
    return find(services.registry.catalogue, known.provider, known.model).usd is not None


def unpriced(services: BotServices, settings: GuildSettings, models: Iterable[str]) -> float | None:
    """What a million tokens of those models that have no known price are taken to cost; None where all have one.

    Raises UsageError where the server has set no ceiling for them.
    """
    unknown = [spec for spec in models if not price_known(services, spec)]
    if not unknown:
        return None
    if settings.unpriced_usd is None:
        raise UsageError(msg("allowed-unknown-price", specs=shortened(inline(", ".join(unknown)), 200)))
    return settings.unpriced_usd
