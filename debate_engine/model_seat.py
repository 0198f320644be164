"""A persona (a value) and the seat on which a language model answers in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import ContentRefused, ContextTooLong, MalformedReply, ProviderError, UnreadableReply
from elenchus.debate_engine.events import CallFailed, CallRecord, PromptTrimmed, Recalled
from elenchus.debate_engine.llm.budget import estimate_tokens
from elenchus.debate_engine.llm.cache import ModelReplies
from elenchus.debate_engine.llm.client import Call, Message, Reply
from elenchus.debate_engine.llm.model import Model
from elenchus.debate_engine.llm.reply_parsing import read_json
from elenchus.debate_engine.llm.schema import repair_messages
from elenchus.debate_engine.llm.text import whole
from elenchus.debate_engine.participant import Answer, Ask, Declined
from elenchus.debate_engine.prompts import fenced
from elenchus.debate_engine.truncation import Truncated, truncated

if TYPE_CHECKING:
    from elenchus.debate_engine.run_context import RunContext

BEGIN = "Begin your answer with exactly these words, and go on from them:"
MANNER = "Your manner. It shapes how you speak, and changes nothing of what you are asked:"


@dataclass(frozen=True, slots=True)
class Persona:
    """Who a model is in the room: a display name and, where the moderator gave one, a manner of its own.

    `mind` is who it is and what it remembers, where it speaks for a mind: no part of the session's log, which has
    `mind_shown` in its place.
    """

    name: str
    manner: str = ""
    mind: str = ""
    mind_shown: str = ""

    @property
    def text(self) -> str:
        """All of it as a model is told it, after its role."""
        return "\n\n".join(part for part in (manner_text(self.manner), self.mind) if part)


@dataclass(frozen=True)
class ModelSeat:
    """A model's chair: fits the prompt, calls, reads the answer, has an unreadable one repaired once.

    Where an ask says which repetition it is, a reply that is kept in `answers` takes the place of a call.
    """

    context: RunContext
    model: Model
    persona: Persona
    answers: ModelReplies | None = None

    async def answer(self, ask: Ask) -> Answer | Declined:
        """Answer with text or a JSON value; Declined for refused, empty or unreadable replies.

        Raises ProviderError when the provider could not be reached after all retries.
        """
        fitted = self._fit(ask)
        messages = messages_of(ask, fitted, self.persona, continues=self.model.continues)
        trimmed = self._trimmed(ask, fitted)
        tried: list[tuple[Reply, CallRecord]] = []
        problem = ""
        for attempt in ("first", "repair"):
            call = self._call(ask, messages)
            kept = await self.answers.find(call, ask.repeat) if self.answers else None
            try:
                reply = kept or await self._complete(ask, call)
            except ContentRefused as error:
                return given_up(ask, tried, f"the model refused: {error}", trimmed)
            except ProviderError as error:
                if tried and isinstance(error, ContextTooLong):
                    return given_up(ask, tried, f"unreadable, and too long to be repaired: {problem}", trimmed)
                await self._note_spent(ask, [record for _, record in tried], problem)
                raise
            told = trimmed or attempt == "repair" or self.persona.text
            sent = self._shown(messages) if told else None
            try:
                value, adjusted = read(reply, ask)
            except UnreadableReply as error:
                problem = str(error)
                tried.append((reply, self._record(ask, reply, sent, f"unreadable: {problem}")))
                if reply.finish == "refused":
                    return given_up(ask, tried, "the model refused", trimmed)
                messages = (*messages, *repair_messages(reply.text, problem))
                continue
            if self.answers and kept is None:
                await self.answers.keep(call, ask.repeat, reply)
            whole = reply.finish == "stop" or bool(ask.prefill)  # a sample is meant to be cut at a full stop
            done = self._record(ask, reply, sent, "ok" if whole else "cut", adjusted)
            return Answer(value, (*(record for _, record in tried), recalled(done) if kept else done), trimmed)
        return given_up(ask, tried, f"unreadable after one repair: {problem}", trimmed)

    async def _note_spent(self, ask: Ask, calls: list[CallRecord], problem: str) -> None:
        """Have in the log what unreadable replies have cost whose repair failed: the step will be asked anew."""
        for call in calls:
            await self.context.note(
                CallFailed(
                    step=ask.step, model=self.model.spec, attempt=1, error="UnreadableReply", message=problem, call=call
                )
            )

    def most(self, ask: Ask) -> tuple[int, float | None]:
        """The prompt's estimate, as far as it fits the context, and the longest reply, for one call.

        The reply is what may be said and all the hidden reasoning that the model is allowed on top of it.
        """
        asked = prompt_tokens(ask) + estimate_tokens(self.persona.text)
        prompt = min(asked, max(self.model.context_tokens - ask.max_tokens, 1))
        written = ask.max_tokens + self.model.info.thinking
        return prompt + written, self.model.most(prompt, written)

    def _shown(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """The messages as the log has them."""
        if not (mind := self.persona.mind):
            return messages
        return tuple(replace(one, content=one.content.replace(mind, self.persona.mind_shown)) for one in messages)

    def _fit(self, ask: Ask) -> Truncated:
        role = estimate_tokens(ask.role) + estimate_tokens(self.persona.text)
        fixed = role + estimate_tokens(ask.task) + estimate_tokens(str(ask.answer_schema or ""))
        return truncated(ask.material, self.model.context_tokens - ask.max_tokens - fixed - 64, estimate_tokens)

    def _trimmed(self, ask: Ask, fitted: Truncated) -> PromptTrimmed | None:
        if not fitted.left_out:
            return None
        return PromptTrimmed(
            step=ask.step,
            model=self.model.spec,
            left_out=fitted.left_out,
            tokens_before=fitted.tokens_before,
            tokens_after=fitted.tokens_after,
        )

    def _call(self, ask: Ask, messages: tuple[Message, ...]) -> Call:
        return Call(
            model=self.model.name,
            messages=messages,
            schema=ask.answer_schema,
            schema_name=ask.schema_name or "answer",
            temperature=ask.temperature,
            max_tokens=ask.max_tokens,
            seed=ask.seed,
            step=ask.step,
            prompt_id=ask.prompt_id,
        )

    async def _complete(self, ask: Ask, call: Call) -> Reply:
        async def failed(attempt: int, error: ProviderError, retry_in: float | None) -> None:
            self.context.draft(ask.step, ask.seat, None)
            await self.context.note(
                CallFailed(
                    step=ask.step,
                    model=self.model.spec,
                    attempt=attempt,
                    error=type(error).__name__,
                    message=str(error),
                    retry_in=retry_in,
                    trace=error.trace if isinstance(error, MalformedReply) else "",
                )
            )

        def written(text: str) -> None:
            self.context.draft(ask.step, ask.seat, text)

        self.context.draft(ask.step, ask.seat, None)
        if ask.prefill and self.model.continues:
            self.context.draft(ask.step, ask.seat, ask.prefill)
        reply = await self.model.complete(call, written if self.context.watched else None, failed)
        return replace(reply, text=whole(reply.text), model=whole(reply.model))

    def _record(
        self,
        ask: Ask,
        reply: Reply,
        sent: tuple[Message, ...] | None,
        outcome: str,
        adjusted: tuple[str, ...] = (),
    ) -> CallRecord:
        return CallRecord(
            model=self.model.spec,
            reported_model=reply.model,
            prompt_id=ask.prompt_id,
            prompt_hash=ask.prompt_hash,
            sent=tuple((m.role, m.content) for m in sent) if sent else None,
            reply=reply.text,
            finish=reply.finish,
            input_tokens=reply.usage.input_tokens,
            output_tokens=reply.usage.output_tokens,
            cached_tokens=reply.usage.cached_tokens,
            written_tokens=reply.usage.written_tokens,
            cost_usd=self.model.cost(reply.usage),
            seconds=reply.seconds,
            temperature=ask.temperature,
            seed=ask.seed,
            outcome=outcome,
            adjusted=adjusted,
        )


def recalled(call: CallRecord) -> CallRecord:
    """The record of a call that was not made, as its reply was kept: nothing was used. Pure."""
    then = Recalled(input_tokens=call.input_tokens, output_tokens=call.output_tokens, seconds=call.seconds)
    tokens = dict.fromkeys(("input_tokens", "output_tokens", "cached_tokens", "written_tokens"), 0)
    nothing = {**tokens, "cost_usd": 0.0, "seconds": 0.0}
    return call.model_copy(update={**nothing, "recalled": then})


def prompt_tokens(ask: Ask) -> int:
    """The tokens of an untrimmed prompt, its schema included; an estimate."""
    schema = estimate_tokens(str(ask.answer_schema)) if ask.answer_schema else 0
    return estimate_tokens(ask.role) + estimate_tokens(ask.text) + estimate_tokens(ask.prefill) + schema


def manner_text(manner: str) -> str:
    """A manner as a model is told it."""
    return f"{MANNER}\n{fenced(manner)}" if manner.strip() else ""


def messages_of(ask: Ask, fitted: Truncated, persona: Persona, *, continues: bool = False) -> tuple[Message, ...]:
    """The conversation that a model gets: its role, then the material with headings and the task.

    A prefill stands at the end as the model's own words where it `continues` them, else it is asked for.
    """
    role = "\n\n".join(part for part in (ask.role, persona.text) if part)
    shown = [s.shown for s in fitted.material]
    ends = accumulate(len(text) + 2 for text in shown)
    repeated = tuple(end - 2 for end, s in zip(ends, fitted.material, strict=True) if s.repeated)
    body = "\n\n".join([*shown, ask.task])
    begun: tuple[Message, ...] = ()
    if ask.prefill and continues:
        begun = (Message("assistant", ask.prefill),)
    elif ask.prefill:
        body += f"\n\n{BEGIN} {ask.prefill}"
    return (*((Message("system", role),) if role else ()), Message("user", body, repeated), *begun)


def continued(prefill: str, text: str) -> str:
    """The prefill and what the model wrote after it; models that were told it in words mostly repeat it."""
    text = text.rstrip()
    if not prefill or text.lstrip().casefold().startswith(prefill.casefold()):
        return text.lstrip()
    return prefill + ("" if text[:1].isspace() or text[:1] in ",.;:!?'’)" else " ") + text


def read(reply: Reply, ask: Ask, *, last: bool = False) -> tuple[Any, tuple[str, ...]]:
    """The reply as the ask wants it, and notes on what was changed for that (see `llm.reply_parsing`).

    Raises UnreadableReply with a sentence that can be shown to the model.
    """
    if ask.answer_schema is not None:
        try:
            return read_json(reply.text, ask.answer_schema, last=last)
        except UnreadableReply as error:
            if reply.finish != "length":
                raise
            raise UnreadableReply(f"{error} (it was cut off for its length: use far fewer words)") from error
    if not (text := reply.text.strip()):
        raise UnreadableReply("the reply was empty")
    text = continued(ask.prefill, reply.text)
    return text if reply.finish == "stop" else up_to_last_sentence(text), ()


def given_up(
    ask: Ask, tried: Sequence[tuple[Reply, CallRecord]], why: str, trimmed: PromptTrimmed | None
) -> Answer | Declined:
    """What is there of the replies, the latest first, now that the model is not asked again; else Declined."""
    calls = [record for _, record in tried]
    for n in reversed(range(len(tried))):
        try:
            value, adjusted = read(tried[n][0], ask, last=True)
        except UnreadableReply:
            continue
        calls[n] = calls[n].model_copy(update={"adjusted": adjusted})
        return Answer(value, tuple(calls), trimmed)
    return Declined(why, tuple(calls), trimmed)


def up_to_last_sentence(text: str) -> str:
    """A text that was cut off, shortened to its last full sentence (whole when it has none)."""
    end = max(text.rfind(mark) for mark in ".!?。！？")
    return text[: end + 1] if end > 0 else text
