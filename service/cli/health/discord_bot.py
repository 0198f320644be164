"""Whether Discord takes the bot's token, and the address by which the bot is invited."""

from __future__ import annotations

from typing import Any

PATIENCE = 10.0
"""Seconds for each answer."""


async def tried(settings: Any, api: str = "") -> dict[str, Any]:
    """What Discord (or the server at `api`) says to the token; the token itself is never told.

    `ok` None: there is none to try. `invitation` is "" where the application is not known.
    """
    token = settings.discord.token.get_secret_value().strip() if settings.discord.token else ""
    if not token:
        return {"ok": None, "said": "no token is set (DISCORD_TOKEN)", "name": "", "invitation": "", "permissions": 0}
    from elenchus.bot import endpoints, invite  # brings discord.py along

    name, application, said = await _asked(api or endpoints.current().api, token)
    return {
        "ok": not said,
        "said": said or f"Discord takes the token: the bot is called {name}",
        "name": name,
        "invitation": invite.address(application) if application else "",
        "permissions": invite.PERMISSIONS.value,
    }


async def _asked(api: str, token: str) -> tuple[str, int, str]:
    """The bot's name, its application's id, and "" or why there are none."""
    import aiohttp

    if not (token.isascii() and token.isprintable()) or " " in token:
        return "", 0, "DISCORD_TOKEN is no bot's token: copy it again from the application's page"
    timeout, headers = aiohttp.ClientTimeout(total=PATIENCE), {"Authorization": f"Bot {token}"}
    try:
        async with aiohttp.ClientSession(timeout=timeout, headers=headers, trust_env=True) as session:
            async with session.get(f"{api.rstrip('/')}/users/@me", allow_redirects=False) as answer:
                if answer.status == 401:
                    return "", 0, "Discord refuses the token: copy it again from the application's page"
                if answer.status != 200:
                    return "", 0, f"Discord answers {answer.status}: try later"
                name = str((await answer.json(content_type=None))["username"])
            async with session.get(f"{api.rstrip('/')}/oauth2/applications/@me", allow_redirects=False) as answer:
                return name, int((await answer.json(content_type=None))["id"]), ""
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        return "", 0, f"Discord cannot be reached ({type(error).__name__}): look at the network"
    except (ValueError, TypeError, KeyError):
        return "", 0, "what answers there is not Discord's API"
