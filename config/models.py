"""Reads `models.yaml`: what each model can take and what it costs."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from elenchus.config.json_and_yaml import read_yaml
from elenchus.config.validation import fault_told

VENDORS = ("openai", "anthropic", "gemini")
"""Providers behind an HTTP API; each has a section of its name in the settings, with its key."""
PROVIDERS = (*VENDORS, "local", "scripted")
RESERVED = (*PROVIDERS, "human", "servers", "default")
"""Names that a server of one's own cannot have."""

LAYOUT = "under each provider its models are wanted, and under each of these `context:`, `output:`, `usd:` and so on"
LARGEST = 1_000_000
"""Bytes of a file."""
SERVER_LAYOUT = (
    "under `servers:` each name has `speaks:`, `url:` and, as it needs them, `key_env:`, `models:` and so on"
)
BUILT_IN = Path(__file__).with_name("models.yaml")


class Price(BaseModel):
    """US dollars for a million tokens; `cached` and `written` are for input read from and written to a vendor's cache.

    None counts as the upper bound: what is read as input, and what is written at the dearest that any vendor asks for.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(None, ge=0)
    written: float | None = Field(None, ge=0)

    def of(self, input_tokens: int, output_tokens: int, cached_tokens: int = 0, written_tokens: int = 0) -> float:
        """Dollars of a call; `cached_tokens` and `written_tokens` are part of `input_tokens`."""
        cached = self.input if self.cached is None else self.cached
        written = DEAREST_WRITE * self.input if self.written is None else self.written
        fresh = input_tokens - cached_tokens - written_tokens
        read = fresh * self.input + cached_tokens * cached + written_tokens * written
        return (read + output_tokens * self.output) / 1_000_000

    def most(self, input_tokens: int, output_tokens: int) -> float:
        """Dollars of a call that reads nothing from a cache, and has all of it written to one that is known to cost."""
        return self.of(input_tokens, output_tokens, 0, input_tokens if (self.written or 0) > self.input else 0)


DEAREST_WRITE = 1.25
"""Times the price of input, for what is kept for minutes (nothing is asked to be kept for longer)."""

Profile = Literal["small", "standard"]
"""How a model is asked: `small` for those that cannot follow a prompt of several parts (below 1B parameters or so)."""


class ModelInfo(BaseModel):
    """What is known of a model; None where it is not known. Tokens; `noted` is when the price was read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    context: int | None = Field(None, gt=0)
    output: int | None = Field(None, gt=0)
    thinking: int = Field(0, ge=0)
    usd: Price | None = None
    profile: Profile | None = None
    noted: date | None = None
    note: str = ""


HeaderName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$")]
HeaderValue = Annotated[str, Field(pattern=r"^[!-~]([ -~]*[!-~])?$")]


class Server(BaseModel):
    """A server of one's own, or somebody else's, that speaks a vendor's protocol; its models are `NAME:MODEL`.

    `key_env` is the variable that holds its key, "" where it wants none. `concurrency` is calls in flight at once,
    `calls_a_minute` those begun in any minute, `attempts` counts the first one too, `deadline` is seconds for an
    attempt. `usd` is the price of those of its models that have none of their own; None: unknown. `headers` go with
    every request, as they stand: they are for what is no secret.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    speaks: Literal["openai", "anthropic", "gemini"]
    url: str = Field(pattern=r"^https?://[^/\s]\S*$")
    key_env: str = Field("", pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")
    headers: dict[HeaderName, HeaderValue] = {}
    concurrency: int = Field(16, ge=1)
    calls_a_minute: int | None = Field(None, ge=1)
    attempts: int = Field(5, ge=1)
    deadline: float = Field(120.0, gt=0)
    usd: Price | None = None
    models: dict[Annotated[str, Field(min_length=1)], ModelInfo] = {}

    @property
    def entries(self) -> dict[str, ModelInfo]:
        """Its models as a catalogue has them."""
        known = {"*": ModelInfo(), **self.models}
        return {
            name: info if info.usd else info.model_copy(update={"usd": self.usd})
            for name, info in known.items()
            if name in self.models or self.usd
        }


Catalogue = dict[str, dict[str, ModelInfo]]
"""Provider → model (or a beginning that ends in `*`) → what is known of it."""

_UNKNOWN = ModelInfo()


def find(catalogue: Catalogue, provider: str, model: str) -> ModelInfo:
    """The model's own entry, else the longest matching pattern, else all unknown."""
    entries = catalogue.get(provider, {})
    if model in entries:
        return entries[model]
    patterns = [name for name in entries if name.endswith("*") and model.startswith(name[:-1])]
    return entries[max(patterns, key=len)] if patterns else _UNKNOWN


def load_models(own: Path | None = None) -> Catalogue:
    """The built-in catalogue with a person's own file over it. Raises ValueError naming the file and the entry."""
    catalogue = {provider: dict(entries) for provider, entries in _built_in().items()}
    if own is not None and own.exists():
        file = read_models(own)
        for provider, entries in file.providers.items():
            catalogue.setdefault(provider, {}).update(entries)
        for name, server in file.servers.items():
            catalogue.setdefault(name, {}).update(server.entries)
    return catalogue


@lru_cache
def _built_in() -> Catalogue:
    return read_models(BUILT_IN).providers


def read_models(path: Path) -> ModelsFile:
    """What stands in the file. Raises ValueError naming it and the entry."""
    try:
        return ModelsFile.model_validate(_parted(read_yaml(path, LARGEST) or {}))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = " → ".join(str(part) for part in first["loc"] if part != "providers")
        told = fault_told(first)
        if first["type"] in ("dict_type", "model_type"):
            told = SERVER_LAYOUT if first["loc"][0] == "servers" else LAYOUT
        raise ValueError(f"{path}: {place or 'the file'}: {told}") from error


def _parted(content: Any) -> dict[str, Any]:
    """The file's parts: what is neither servers nor the default is a provider."""
    if not isinstance(content, dict):
        return {"providers": content}
    own = {name: content[name] for name in ("servers", "default") if name in content}
    return {"providers": {name: models for name, models in content.items() if name not in own}, **own}


class ModelsFile(BaseModel):
    """A `models.yaml`. `default` is the model for seats that nobody names."""

    providers: dict[str, dict[Annotated[str, Field(min_length=1)], ModelInfo]]
    servers: dict[str, Server] = {}
    default: str = ""

    @field_validator("servers")
    @classmethod
    def _names(cls, servers: dict[str, Server]) -> dict[str, Server]:
        for name in servers:
            if name in RESERVED:
                raise ValueError(f"{name!r} has a meaning already: give the server another name")
            if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
                raise ValueError(f"{name!r} is no server's name: take small letters, digits, - and _")
        return servers


def as_rows(catalogue: Catalogue) -> list[dict[str, Any]]:
    """The catalogue as flat rows for a table: provider, model and the fields of ModelInfo."""
    return [
        {"provider": provider, "model": name, **info.model_dump(mode="json")}
        for provider, entries in catalogue.items()
        for name, info in entries.items()
    ]
