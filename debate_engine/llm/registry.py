"""Models by name. `provider:model` gives a `Model`: a client, its limits, and what is known of context and price.

Nothing heavy is imported here: each provider brings its SDK when it is first called.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, cast

from elenchus.config.addresses import proxy_for
from elenchus.config.models import PROVIDERS, Catalogue, ModelInfo, Price, find, load_models
from elenchus.config.settings import HttpSettings, ProviderSettings, ServerSettings, Settings
from elenchus.debate_engine.errors import ElenchusError, MissingKey, UsageError
from elenchus.debate_engine.events import model_in
from elenchus.debate_engine.llm.client import Client
from elenchus.debate_engine.llm.gate import Allowed, LocalGate
from elenchus.debate_engine.llm.model import Model
from elenchus.debate_engine.llm.retrying import Limits
from elenchus.debate_engine.llm.safe_client import SafeClient
from elenchus.debate_engine.llm.vendor import NO_KEY, Vendor, VendorClient
from elenchus.debate_engine.shared import LocalShared

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.llm.scripted import ScriptedClient
    from elenchus.debate_engine.shared import Shared

SMALL = 1_000_000_000
"""Parameters below which a local model has the small profile, unless `models.yaml` says otherwise."""
_SCRIPTED_FIRST_WAIT = 0.05

_CLIENTS: Mapping[str, str] = {
    "openai": "elenchus.debate_engine.llm.openai:OpenAIClient",
    "anthropic": "elenchus.debate_engine.llm.anthropic:AnthropicClient",
    "gemini": "elenchus.debate_engine.llm.gemini:GeminiClient",
}
"""What speaks each vendor's API, by its place: it is imported when it is first needed."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model's name, as in `openai:gpt-6-luna` or `local:/models/other.gguf`."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


def parse_spec(text: str, servers: Collection[str] = ()) -> ModelSpec:
    """Read `provider:model`, where a server of models.yaml is a provider too. Raises UsageError naming all of them.

    Of the spec of a mind the model counts.
    """
    provider, colon, model = model_in(text.strip()).partition(":")
    if provider not in PROVIDERS and provider not in servers:
        known = ", ".join((*PROVIDERS, *servers))
        raise UsageError(f"{text!r} names no model: write PROVIDER:MODEL, where PROVIDER is one of {known}.")
    if not colon or not model.strip():
        raise UsageError(f"{text!r} names no model: write {provider}:MODEL.")
    return ModelSpec(provider, model.strip())


class Registry:
    """The models of a process, for one event loop. `scripts` are scripted models by name, `shared` has the limits.

    In a `dry_run` nobody will be called: models are had without their vendor's key, for their context and price.
    """

    def __init__(
        self,
        settings: Settings,
        scripts: Mapping[str, ScriptedClient] | None = None,
        *,
        dry_run: bool = False,
        shared: Shared | None = None,
    ) -> None:
        self._settings, self._dry_run = settings, dry_run
        self._shared = shared or LocalShared()
        self._scripts = dict(scripts or {})
        self._catalogue: Catalogue | None = None
        self.assumed: Price | None = None
        self._clients: dict[str, Client] = {}
        self._limits: dict[str, Limits] = {}

    def model(self, spec: str | ModelSpec, price: Price | None = None) -> Model:
        """The model of this name, ready to be called; `price`, else `assumed`, counts where none is known.

        Raises UsageError, MissingKey or another ProviderError.
        """
        known = self.model_spec(spec) if isinstance(spec, str) else spec
        self.check_key(known)
        info, limits = self.model_info(known), self.limits_for(known)
        if info.usd is None:
            info = info.model_copy(update={"usd": price or self.assumed})
        return Model(str(known), known.model, self.client_for(known), limits, info)

    def model_spec(self, text: str) -> ModelSpec:
        """Read a model's name. Raises UsageError."""
        return parse_spec(text, self._settings.servers)

    def check_key(self, spec: ModelSpec) -> None:
        """Refuse what cannot be called, before anything is spent.

        Raises MissingKey, UsageError for a key or an address that cannot be used, or for a local model without weights
        or a bad script ProviderError or UsageError. A server of one's own (a base URL) needs no key.
        """
        if (variable := self.missing_key(spec)) and not self._dry_run:
            raise MissingKey(f"{spec} needs a key: set {variable} in the environment or in a file .env.")
        if spec.provider == "local":
            from elenchus.debate_engine.llm.weights import locate

            locate(spec.model, self._settings.models_dir)
        else:
            self.client_for(spec)  # says what it cannot be made of, and that its SDK will be needed

    def expect(self, specs: Iterable[str]) -> None:
        """Tell which models will be called, at whatever time: what they need is imported before the first call of any.

        One that is not to be had is told of when its turn comes.
        """
        for spec in specs:
            with suppress(ElenchusError):
                self.check_key(self.model_spec(spec))

    def missing_key(self, spec: ModelSpec) -> str:
        """The variable of the key without which the model cannot be called, "" where none is missing."""
        settings = self._provider(spec)
        if not isinstance(settings, HttpSettings) or settings.key is not None:
            return ""
        if isinstance(settings, ServerSettings):
            return settings.key_env
        return "" if settings.base_url else f"{spec.provider.upper()}_API_KEY"

    def model_info(self, spec: ModelSpec) -> ModelInfo:
        """What is known of a model. Raises UsageError for a catalogue that cannot be read."""
        info = find(self.catalogue, spec.provider, spec.model)
        if spec.provider != "local" or (info.context and info.profile):
            return info
        from elenchus.debate_engine.llm.gguf import header_of
        from elenchus.debate_engine.llm.hugging_face import header_of_folder
        from elenchus.debate_engine.llm.weights import locate

        path = locate(spec.model, self._settings.models_dir)
        header = header_of_folder(path) if path.is_dir() else header_of(path)
        context = self._settings.local.context
        return info.model_copy(
            update={
                "context": info.context or min(context, header.context or context),
                "profile": info.profile or ("small" if 0 < header.parameters < SMALL else "standard"),
            }
        )

    def small_seats(self, seats: Iterable[Seat]) -> tuple[str, ...]:
        """The names of those seats whose model has the small profile."""
        from elenchus.debate_engine.human_seat import is_human

        models = [seat for seat in seats if not is_human(seat.spec)]
        return tuple(s.name for s in models if self.model_info(self.model_spec(s.spec)).profile == "small")

    def price(self, spec: str) -> Price | None:
        """What a model costs, None where nobody knows; it need not be to be had. Raises UsageError."""
        provider, _, model = spec.strip().partition(":")
        return find(self.catalogue, provider, model.strip()).usd

    def behind(self, spec: ModelSpec) -> str:
        """What answers under this name: a server of one's own, or a file with its size and time of change.

        Two specs that read the same may stand for different models over time; their answers are kept apart by this.
        """
        settings = self._provider(spec)
        if isinstance(settings, HttpSettings):
            return settings.base_url or ""
        from elenchus.debate_engine.llm.weights import locate

        path = Path(spec.model.partition("?")[0]).expanduser()
        if spec.provider == "local":
            path = locate(spec.model, self._settings.models_dir)
            path = next(path.glob("*.safetensors"), path)
        if not path.is_file():
            return ""
        state = path.stat()
        return f"{path.absolute()} {state.st_size} {state.st_mtime_ns}"

    @property
    def servers(self) -> tuple[str, ...]:
        """The servers of models.yaml by name."""
        return tuple(self._settings.servers)

    @property
    def catalogue(self) -> Catalogue:
        """All that is known of models. Raises UsageError when it cannot be read."""
        if self._catalogue is None:
            try:
                self._catalogue = load_models(self._settings.own_models)
            except ValueError as error:
                raise UsageError(str(error)) from error
        return self._catalogue

    def limits_for(self, spec: ModelSpec) -> Limits:
        """The provider's limits, the same for all its models."""
        if spec.provider not in self._limits:
            given = self._provider(spec)
            allowed = Allowed(given.concurrency, given.calls_a_minute)
            embedded = spec.provider == "local"  # each process has its own
            self._limits[spec.provider] = Limits(
                given.concurrency,
                given.attempts,
                given.deadline,
                longest_wait=given.longest_wait,
                first_wait=_SCRIPTED_FIRST_WAIT if spec.provider == "scripted" else 1.0,
                gate=LocalGate(allowed) if embedded else self._shared.gate(spec.provider, allowed),
            )
        return self._limits[spec.provider]

    def client_for(self, spec: ModelSpec) -> Client:
        """The provider's client: one for each vendor, one for each local file and each script."""
        key = str(spec) if spec.provider in ("local", "scripted") else spec.provider
        if key not in self._clients:
            self._clients[key] = self._make(spec)
        return self._clients[key]

    async def aclose(self) -> None:
        """Close all clients."""
        clients, self._clients = list(self._clients.values()), {}
        await asyncio.gather(*(client.aclose() for client in clients))

    def _provider(self, spec: ModelSpec) -> ProviderSettings | ServerSettings:
        return self._settings.provider(spec.provider)

    def _make(self, spec: ModelSpec) -> Client:
        match spec.provider:
            case "local":
                return self._make_local(spec)
            case "scripted":
                from elenchus.debate_engine.llm.scripted import client_of

                return client_of(spec.model, self._scripts)
        return self._make_vendor(spec)

    def _make_local(self, spec: ModelSpec) -> Client:
        from elenchus.debate_engine.llm.local import LocalClient, Setup
        from elenchus.debate_engine.llm.weights import SMOLLM2, locate

        own = self._settings.local
        context = self.model_info(spec).context or own.context
        path = locate(spec.model, self._settings.models_dir)
        if path.is_dir():
            from elenchus.debate_engine.llm.hugging_face import HuggingFaceClient

            return HuggingFaceClient(path, context, own.threads)
        return LocalClient(Setup(path, context, own.parallel, own.threads, loops=spec.model == SMOLLM2.name))

    def _make_vendor(self, spec: ModelSpec) -> Client:
        settings = self._provider(spec)
        assert isinstance(settings, HttpSettings)
        key = settings.key.get_secret_value() if settings.key else None
        kind = _vendor_client(settings.speaks if isinstance(settings, ServerSettings) else spec.provider)
        try:
            proxy = proxy_for(settings.base_url or kind.BASE_URL)
        except ValueError as error:
            raise UsageError(str(error)) from None
        named = named_in_messages(spec.provider, settings)
        headers = settings.headers if isinstance(settings, ServerSettings) else {}
        client = kind(key, settings.base_url, proxy, lambda model: self._thinking(spec.provider, model), named, headers)
        return SafeClient(client, key, own=settings.base_url not in (None, kind.BASE_URL))

    def _thinking(self, provider: str, model: str) -> int:
        return find(self.catalogue, provider, model).thinking


def named_in_messages(name: str, settings: HttpSettings) -> Vendor:
    """A vendor or a server of one's own as its messages name it. Raises UsageError for a key that cannot be sent."""
    key = settings.key.get_secret_value() if settings.key else NO_KEY
    if not isinstance(settings, ServerSettings):
        return Vendor(_vendor_client(name).NAME, f"{name.upper()}_API_KEY", f"{name.upper()}_BASE_URL", key)
    variable = settings.key_env or f"the variable that `key_env` of the server {name} names in models.yaml"
    url = f"`url` of the server {name} in models.yaml"
    return Vendor(f"The server {name}", variable, url, key, _vendor_client(settings.speaks).NAME)


def _vendor_client(name: str) -> type[VendorClient[Any]]:
    """What speaks a vendor's API."""
    return cast("type[VendorClient[Any]]", resolve_name(_CLIENTS[name]))
