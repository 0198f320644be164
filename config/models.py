"""Reads `models.yaml`: what each model can take and what it costs."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

LAYOUT = "under each provider its models are wanted, and under each of these `context:`, `output:`, `usd:` and so on"
BUILT_IN = Path(__file__).with_name("models.yaml")


class Price(BaseModel):
    """US dollars for a million tokens. `cached` None: cached input is counted as input, the upper bound."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(None, ge=0)

    def of(self, input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> float:
        """Dollars of a call; `cached_tokens` are part of `input_tokens`."""
        cached = self.input if self.cached is None else self.cached
        fresh = input_tokens - cached_tokens
        return (fresh * self.input + cached_tokens * cached + output_tokens * self.output) / 1_000_000


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
        for provider, entries in _read(own).items():
            catalogue.setdefault(provider, {}).update(entries)
    return catalogue


@lru_cache
def _built_in() -> Catalogue:
    return _read(BUILT_IN)


def _read(path: Path) -> Catalogue:
    import yaml

    with path.open(encoding="utf-8") as file:
        try:
            return _File.model_validate({"providers": yaml.safe_load(file) or {}}).providers
        except yaml.YAMLError as error:
            raise ValueError(f"{path} is not valid YAML: {error}") from error
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = " → ".join(str(part) for part in first["loc"][1:])
            told = LAYOUT if first["type"] in ("dict_type", "model_type") else first["msg"]
            raise ValueError(f"{path}: {place or 'the file'}: {told}") from error


class _File(BaseModel):
    providers: dict[str, dict[Annotated[str, Field(min_length=1)], ModelInfo]]


def as_rows(catalogue: Catalogue) -> list[dict[str, Any]]:
    """The catalogue as flat rows for a table: provider, model and the fields of ModelInfo."""
    return [
        {"provider": provider, "model": name, **info.model_dump(mode="json")}
        for provider, entries in catalogue.items()
        for name, info in entries.items()
    ]
