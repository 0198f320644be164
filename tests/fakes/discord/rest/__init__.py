"""The REST routes, one file a resource. Importing this package registers them all."""

from tests.fakes.discord.rest import (
    applications,
    channels,
    emojis,
    followups,
    guilds,
    interactions,
    messages,
    reactions,
    threads,
    users,
    webhooks,
)

LOADED = (
    applications, channels, emojis, followups, guilds, interactions, messages, reactions, threads, users, webhooks
)  # fmt: skip
