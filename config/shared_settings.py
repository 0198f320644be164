"""What a person sets of that which several processes share."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr


def _redis(url: SecretStr) -> SecretStr:
    """An address of a Redis server. Raises ValueError."""
    with suppress(ValueError):
        parts = urlsplit(url.get_secret_value())
        number = parts.path.strip("/")
        over_network = parts.scheme in ("redis", "rediss") and parts.hostname and parts.port != 0
        if (over_network and (not number or number.isdecimal())) or (parts.scheme == "unix" and number):
            return url
    raise ValueError(
        "it is no address such as redis://host:6379/0, with USER:PASSWORD@ before the host where it wants that"
    )


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _postgres(url: SecretStr) -> SecretStr:
    if not url.get_secret_value().startswith(("postgresql://", "postgres://")):
        raise ValueError(
            "it is no address such as postgresql://host/elenchus, with USER:PASSWORD@ before the host where it wants "
            "that"
        )
    return url


class DatabaseSettings(_Section):
    """Where sessions are that several machines share. `url`: `postgresql://…`; None: a SQLite file in `home`."""

    url: Annotated[SecretStr, AfterValidator(_postgres)] | None = None


class RedisSettings(_Section):
    """What processes share that need not last. `url`: `redis://…`, `rediss://…`; None: each process has its own."""

    url: Annotated[SecretStr, AfterValidator(_redis)] | None = None


class TracingSettings(_Section):
    """Where traces go. `endpoint`: an OpenTelemetry collector that speaks OTLP over gRPC; None: nothing is traced."""

    endpoint: Annotated[str, Field(pattern=r"^https?://[^/\s]\S*$")] | None = None


class DaySettings(_Section):
    """What may be used in a day (UTC) by all sessions together, and by those that one person has begun; None: no
    limit.
    """

    tokens: int | None = Field(None, ge=1)
    usd: float | None = Field(None, gt=0)
    person_tokens: int | None = Field(None, ge=1)
    person_usd: float | None = Field(None, gt=0)

    @property
    def limited(self) -> bool:
        """Whether anything is limited."""
        return any(limit is not None for limit in (self.tokens, self.usd, self.person_tokens, self.person_usd))
