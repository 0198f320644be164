"""What a person sets of the web front end: where it listens, whom it trusts, and how much it takes from whom."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

PORT = 8321
SHORTEST_TOKEN = 20
"""Characters: what is shorter could be guessed."""


def listed(text: Any) -> Any:
    """The parts of what stands between commas, without blanks."""
    return tuple(part.strip() for part in text.split(",") if part.strip()) if isinstance(text, str) else text


def _network(text: str) -> str:
    """An address, or a network as `10.0.0.0/8`. Raises ValueError."""
    from ipaddress import ip_network

    try:
        return str(ip_network(text))
    except ValueError:
        raise ValueError("a trusted proxy is an IP address or a network such as 10.0.0.0/8") from None


def _secret(token: SecretStr) -> SecretStr:
    value = token.get_secret_value()
    if len(value) < SHORTEST_TOKEN or not (value.isascii() and value.isprintable()) or " " in value:
        raise ValueError(
            f"a token has at least {SHORTEST_TOKEN} letters, digits and signs without blanks, such as the output of "
            "`openssl rand -hex 32`"
        )
    return token


def _host(text: str) -> str:
    if not re.fullmatch(r"[\w.:-]{1,253}", name := text.strip().strip("[]").lower(), re.ASCII):
        raise ValueError("a host is a name or an address alone, such as 0.0.0.0 or debate.example.org")
    return name


HostName = Annotated[str, AfterValidator(_host)]
Token = Annotated[SecretStr, AfterValidator(_secret)]


class WebSettings(BaseModel):
    """The web front end. `public_url` is its address as people see it, behind a proxy say; without: where it listens.

    `token`: a moderator's, for programs; `metrics_token`: one that reads `/metrics` and nothing else. A request must
    name one of the `allowed_hosts`, or an address where we listen. `trusted_proxies`: whose X-Forwarded headers count.
    Limits: `body_bytes` of a request; `requests` a minute of one browser or token; wrong codes (`attempts`) a minute of
    one address; `streams` open at once of one browser or token, and `all_streams`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: HostName = "127.0.0.1"
    port: int = Field(PORT, ge=0, le=65535)
    public_url: Annotated[str, Field(pattern=r"^https?://[^/\s?#@]+$")] | None = None
    allowed_hosts: Annotated[tuple[HostName, ...], BeforeValidator(listed)] = ()
    trusted_proxies: Annotated[tuple[Annotated[str, AfterValidator(_network)], ...], BeforeValidator(listed)] = ()
    token: Token | None = None
    metrics_token: Token | None = None
    body_bytes: int = Field(1_000_000, ge=10_000, le=100_000_000)
    requests: int = Field(1800, ge=1, le=1_000_000)
    attempts: int = Field(120, ge=1, le=100_000)
    streams: int = Field(12, ge=1, le=1_000)
    all_streams: int = Field(2_000, ge=1, le=100_000)
