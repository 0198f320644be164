"""`local:` models: a real small model inside this process, run by llama.cpp (`xllamacpp`). No key, no network.

What was seen of it, and what is done about it:
- It slows to a crawl when it takes every core and anything else runs: it gets one thread less than there are cores.
- Its threads meet several times a token, and spin while one of them is missing: on a busy machine they spin away the
  time that the missing one needs (libgomp; seen with 4 cores and 8 to 14 others at work: 4 tokens a second and less).
  They spin for 1,000 turns, then sleep (18 to 43 tokens a second there; with the machine to themselves about 110 either
  way).
- A call blocks, but lets go of the GIL: it runs in a thread; the callback of its stream hands the pieces over to the
  event loop, and cancels it. While the prompt is read (seconds; on a busy machine many) no callback comes and nothing
  that stops the call: who closes the client waits a moment, and leaves such a call to end by itself.
- It opens a server for the whole machine, without a key: here on a Unix socket whose file is removed at once, so that
  nobody can connect, and with a random key besides.
- Its context is divided by the calls side by side: it gets as many times more.
- The same seed gives the same text only one call at a time and without the cache of prompts: a call with a seed runs
  alone and without it. All others share the cache, so that the known beginning of a prompt costs nothing.
- It takes `<|im_end|>` for the end of a message wherever it stands, in a debater's words too: such a mark is broken up
  in what is sent.
- JSON may hold any amount of white space, on which a small model likes to spend its tokens: the grammar allows none.
- It falls into saying the same thing over and over. In free text, repetition is made a little dearer; in JSON, for the
  embedded model, going on as before gets dearer with each further token (llama.cpp's DRY; seen: a justification of 35
  words instead of a loop up to the limit). Larger models keep their JSON as it is: exact quotes would suffer.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any, Protocol
from weakref import WeakValueDictionary

from elenchus.config.environment import prefer
from elenchus.debate_engine.errors import ContextTooLong, ProviderError
from elenchus.debate_engine.llm.client import Call, OnText, Reply
from elenchus.debate_engine.llm.gguf import control_tokens
from elenchus.debate_engine.llm.gguf_tokens import division_of
from elenchus.debate_engine.llm.openai import PartialReply
from elenchus.debate_engine.llm.safe_client import pattern_of_tokens, without_control_tokens
from elenchus.debate_engine.llm.schema import CONSTRAINTS, in_words
from elenchus.debate_engine.llm.vendor import Lazy

_PROMPT_CACHE_MIB = 512
_PATIENCE = 0.5
"""Seconds for which a client that is closed waits for its calls to stop."""
_REPEAT_PENALTY = 1.1
_NO_LOOPS = {"dry_multiplier": 0.8, "dry_allowed_length": 4, "dry_penalty_last_n": 256}
_SPINS = "1000"
_LIBRARY = "install it; on Debian and Ubuntu, apt-get install libgomp1."
_NO_MODEL = "it is cut short or damaged, or of a kind that llama.cpp does not know"
_GRAMMAR_CONSTRAINTS = CONSTRAINTS - {"uniqueItems", "format"}


class Engine(Protocol):
    """The part of `xllamacpp.Server` in use. The callback runs in the calling thread; True from it ends the call."""

    def handle_chat_completions(self, request: dict[str, Any], callback: Any) -> Any:
        """Stream chunks of OpenAI's form, or one dict with `error`, into the callback. Raises ValueError."""
        ...


@dataclass(frozen=True, slots=True)
class Setup:
    """Which model to run and how. `context` is tokens of one call, prompt and reply; `threads` 0 is cores − 1.

    `loops`: the model repeats itself if nothing is done about it.
    """

    path: Path
    context: int
    parallel: int
    threads: int
    loops: bool = False


_loaded: WeakValueDictionary[Setup, Lazy[Engine]] = WeakValueDictionary()
"""Each setup is loaded once a process, as long as any client uses it."""


class LocalClient:
    """One model file. Belongs to one event loop."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._places = asyncio.Semaphore(setup.parallel)
        self._queue = asyncio.Lock()
        self._runs: set[_Run] = set()
        self._engine: Lazy[Engine] | None = None
        self._control = Lazy(lambda: pattern_of_tokens(control_tokens(setup.path)))

    async def complete(self, call: Call, on_text: OnText | None = None) -> Reply:
        """Answer one call. Raises ContextTooLong or ProviderError."""
        if self._engine is None:
            self._engine = _loaded.setdefault(self._setup, Lazy(lambda: load(self._setup)))
        engine = await self._engine.get()
        partial = PartialReply(call.model)
        request = request_body(without_control_tokens(call, await self._control.get()))
        if self._setup.loops and call.schema is not None:
            request |= _NO_LOOPS
        run = await self._start(engine, request, alone=call.seed is not None)
        started, timings = monotonic(), dict[str, Any]()
        try:
            while (chunk := await run.pieces.get()) is not None:
                if error := chunk.get("error"):
                    raise _error(error)
                partial.add_event(chunk, on_text)
                timings = chunk.get("timings") or timings
        finally:
            run.stop.set()
        reply = partial.reply(call, monotonic() - started)
        raw = {"timings": timings} if timings else {}  # the engine's own times: ms, tokens a second
        return replace(reply, model=self._setup.path.stem, raw=reply.raw | raw)

    async def likelihoods(self, call: Call, answers: Sequence[str]) -> list[tuple[float, ...]]:
        """The log-probabilities of each answer's tokens (see `likelihood.py`). Raises ProviderError.

        The call is read once, from its beginning, and each answer behind it out of the cache. A figure depends a little
        on what is read in one go with its token: so it is the same for all answers, and whatever was read before.
        """
        if self._engine is None:
            self._engine = _loaded.setdefault(self._setup, Lazy(lambda: load(self._setup)))
        engine = await self._engine.get()
        request = request_body(without_control_tokens(call, await self._control.get())) | {
            "stream": False, "logprobs": True, "top_logprobs": 1, "temperature": 0, "repeat_penalty": 1.0,
            "cache_prompt": True,
        }  # fmt: skip
        request.pop("stream_options")
        division = await asyncio.to_thread(division_of, self._setup.path)
        tokens = [() if division is None else division(one) for one in answers]
        asked = [
            request | {"max_tokens": len(one) + 8, "grammar": _alone(one, of)}
            for one, of in zip(answers, tokens, strict=True)
        ]
        run = await self._start(engine, request | {"max_tokens": 1, "cache_prompt": False}, *asked, alone=True)
        try:
            await run.whole()
            return [_tokens_of(await run.whole(), one, len(of)) for one, of in zip(answers, tokens, strict=True)]
        finally:
            run.stop.set()

    async def _start(self, engine: Engine, *requests: dict[str, Any], alone: bool) -> _Run:
        """Start a thread when its place is free. The place is free again when the thread has ended."""
        places = self._setup.parallel if alone else 1
        taken = 0
        async with self._queue:
            try:
                for taken in range(1, places + 1):  # noqa: B007 — counts what an interruption must give back
                    await self._places.acquire()
            except asyncio.CancelledError:
                self._give_back(taken - 1)
                raise
        run = _Run(engine, requests)
        self._runs.add(run)

        def ended(_: object) -> None:
            self._runs.discard(run)
            self._give_back(places)

        run.thread.add_done_callback(ended)
        return run

    def _give_back(self, places: int) -> None:
        for _ in range(places):
            self._places.release()

    async def aclose(self) -> None:
        """Stop what runs, and let go of the model; a call that still reads its prompt keeps it until it has ended."""
        for run in self._runs:
            run.stop.set()
        held = [self._engine]
        self._engine = None
        threads = [run.thread for run in self._runs]
        if threads and (busy := (await asyncio.wait(threads, timeout=_PATIENCE))[1]):
            for thread in busy:
                thread.cancel()  # nobody waits for it any more
        else:
            await asyncio.to_thread(held.clear)


class _Run:
    """Requests in a thread, in turn. `pieces` gets the chunks of each and None at its end; `stop` ends them all."""

    def __init__(self, engine: Engine, requests: Sequence[dict[str, Any]]) -> None:
        self.pieces: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self.stop = threading.Event()
        self._loop = asyncio.get_running_loop()
        self.thread = self._loop.run_in_executor(None, self._call, engine, requests)

    async def whole(self) -> dict[str, Any]:
        """What the next request, which does not stream, came to. Raises ProviderError."""
        found: dict[str, Any] = {}
        while (piece := await self.pieces.get()) is not None:
            found |= piece
        if error := found.get("error"):
            raise _error(error)
        return found

    def _call(self, engine: Engine, requests: Sequence[dict[str, Any]]) -> None:
        for request in requests:
            try:
                if not self.stop.is_set():
                    engine.handle_chat_completions(request, self._hand_over)
            except (ValueError, RuntimeError) as error:
                self._hand_over({"error": {"message": str(error)}})
            finally:
                self._hand_over(None)

    def _hand_over(self, piece: dict[str, Any] | None) -> bool:
        with suppress(RuntimeError):  # the event loop has ended before the call
            self._loop.call_soon_threadsafe(self.pieces.put_nowait, piece)
        return self.stop.is_set()


def load(setup: Setup) -> Engine:
    """Load the model. Blocks for about a second. Raises ProviderError."""
    prefer("GOMP_SPINCOUNT", _SPINS, unless=("OMP_WAIT_POLICY",))
    try:
        import xllamacpp  # type: ignore[import-untyped]
    except ModuleNotFoundError as error:
        raise ProviderError("Local models need the extra `local`: install `elenchus[local]`.") from error
    except ImportError as error:
        raise ProviderError(f"What runs local models misses a library of the system ({error}): {_LIBRARY}") from error
    with tempfile.TemporaryDirectory(prefix="elenchus-") as folder:
        try:
            return xllamacpp.Server(_parameters(xllamacpp, setup, Path(folder) / "s.sock"))  # type: ignore[no-any-return]
        except (RuntimeError, ValueError) as error:
            raise ProviderError(f"{setup.path} could not be loaded: {_NO_MODEL} ({error})") from error


def _parameters(xllamacpp: Any, setup: Setup, socket: Path) -> Any:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(setup.path)
    parameters.n_parallel = setup.parallel
    parameters.n_ctx = setup.context * setup.parallel
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = setup.threads or spare_cores()
    parameters.cache_ram_mib = _PROMPT_CACHE_MIB
    parameters.verbosity = 0
    parameters.warmup = False
    parameters.ui = False
    parameters.endpoint_slots = False
    parameters.hostnames = [str(socket)]
    parameters.api_keys = [secrets.token_hex(32)]
    return parameters


def spare_cores() -> int:
    """The cores that this process may use, less one, at least one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)


def request_body(call: Call) -> dict[str, Any]:
    """The request in the engine's form, which is OpenAI's with llama.cpp's own fields."""
    body: dict[str, Any] = {
        "messages": [{"role": m.role, "content": m.content} for m in call.messages],
        "max_tokens": call.max_tokens,
        "stream": True,
        "stream_options": {"include_usage": True},
        "cache_prompt": call.seed is None,
    }
    if call.temperature is not None:
        body["temperature"] = call.temperature
    if call.seed is not None:
        body["seed"] = call.seed
    if call.schema is None:
        body["repeat_penalty"] = _REPEAT_PENALTY
    else:
        import xllamacpp

        compact = in_words(call.schema, _GRAMMAR_CONSTRAINTS) | {"x-guidance": {"whitespace_flexible": False}}
        body["grammar"] = xllamacpp.json_schema_to_grammar(json.dumps(compact))
    return body


def _alone(text: str, tokens: Sequence[int]) -> str:
    """A grammar that allows this text alone, in these tokens; in any where they are not known."""
    return f"root ::= {' '.join(f'<[{token}]>' for token in tokens) or json.dumps(text, ensure_ascii=False)}"


def _tokens_of(reply: dict[str, Any], answer: str, tokens: int) -> tuple[float, ...]:
    """The log-probabilities of the answer's tokens, so many if that is not 0, without that of its end. Raises
    ProviderError for another text.
    """
    try:
        said = [(one["token"], float(one["logprob"])) for one in reply["choices"][0]["logprobs"]["content"]]
    except (KeyError, IndexError, TypeError) as error:
        raise ProviderError("The embedded model told no probabilities of its words.") from error
    found = said[:tokens] or [(token, logprob) for token, logprob in said if token]
    if reply["choices"][0]["message"]["content"] != answer or not found:
        raise ProviderError("The embedded model said something else than it was made to.")
    return tuple(logprob for _, logprob in found)


def _error(error: dict[str, Any]) -> ProviderError:
    if error.get("type") == "exceed_context_size_error":
        return ContextTooLong(
            f"The prompt has {error['n_prompt_tokens']} tokens, this model's context is {error['n_ctx']}: "
            "shorten it, or set ELENCHUS_LOCAL_CONTEXT."
        )
    return ProviderError(f"The embedded model could not answer: {error.get('message') or error}")
