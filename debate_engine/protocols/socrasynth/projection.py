"""A SocraSynth debate as its log tells it, read by step key: a projection, one event at a time.

Nothing is taken from code that has not run: what is not in the log yet is None. `protocols/socrasynth` writes these
keys: agenda/agreed, claim/announced, answer/SIDE, opening/heat, round/N/heat, round/N/crit/quality, rounds/ended,
closing/heat (where a concession lowered it), closing/SIDE/said,
closing/crit/quality, judging/judgement, conciliation/proposal, comparison/result, …/JUDGE/A-claims/topic/K.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from pydantic import TypeAdapter

from elenchus.debate_engine.events import (
    Recorded,
    Said,
    SessionFinished,
    SessionStarted,
    SessionStopped,
    StepDone,
    VoteClosed,
)
from elenchus.debate_engine.protocols.crit.schemas import Quality, ScoredReason
from elenchus.debate_engine.protocols.judging.schemas import Comparison, Judgement
from elenchus.debate_engine.protocols.judging.votes import OPENINGS, When
from elenchus.debate_engine.protocols.presentation import NextTurn, Projection, RoundProgress, Votes
from elenchus.debate_engine.protocols.socrasynth.ending import at_limit
from elenchus.debate_engine.protocols.socrasynth.heat import Contentiousness, falling, upcoming
from elenchus.debate_engine.protocols.socrasynth.results import (
    Agenda,
    Heat,
    Result,
    RoundsEnded,
    Stage,
    VoteOpened,
    gamma_before,
    stage_of,
)
from elenchus.debate_engine.protocols.socrasynth.schemas import Debate, DebateConfig, OpenAnswer, Proposal
from elenchus.debate_engine.protocols.speech import Side, Topic

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView

Phase = Literal["agenda", "opening", "round", "closing", "judging", "over"]
_AT: Mapping[Phase, int] = {"agenda": 0, "opening": 1, "round": 2, "closing": 3, "judging": 4, "over": 4}

_ROUND = re.compile(r"round/(\d+)/(heat|crit/quality)")
_ANSWER = re.compile(r"answer/(pro|con)")
_RULING = re.compile(r".*/[AB]-claims/topic/\d+")
_WHOLE = re.compile(
    r"(?:.*/)?"
    r"(agenda/agreed|rounds/ended|closing/crit/quality|judging/judgement|conciliation/proposal|comparison/result)"
)
SPEECH = re.compile(r"(?:opening|closing|round (\d{1,6}))")
"""What the words of a speech are about; the group is the round's number."""
_TOPICS: TypeAdapter[tuple[Topic, ...]] = TypeAdapter(tuple[Topic, ...])
_HEAT: TypeAdapter[float] = TypeAdapter(Contentiousness)


@dataclass(slots=True)
class DebateProjection(Projection):
    """What has happened so far. `config` is None where the settings are not of a debate's form.

    `heats` is by round (0: the opening), also of the round that did not begin. `latest` is what the last event brought.

    `asked` are the audience's votes that are open, with when they were opened. While the one after the debate is open
    nobody is told the `verdict`; `withheld`: it was there before that vote was closed.
    """

    config: DebateConfig | None = None
    agenda: tuple[Topic, ...] | None = None
    claim: str = ""
    answers: dict[Side, OpenAnswer] = field(default_factory=dict)
    heats: dict[int, Heat] = field(default_factory=dict)
    qualities: dict[int, Quality] = field(default_factory=dict)
    spoken: set[str] = field(default_factory=set)
    ended: str | None = None
    closing_heat: float | None = None
    final: Quality | None = None
    ruled: int = 0
    proposal: Proposal | None = None
    comparison: Comparison | None = None
    outcome: Debate | None = None
    asked: dict[When, datetime] = field(default_factory=dict)
    withheld: bool = False
    unreadable: list[str] = field(default_factory=list)
    latest: Result | None = None
    _closed: set[str] = field(default_factory=set)
    _judged: Judgement | None = None
    _reasons: list[ScoredReason] = field(default_factory=list)

    def apply(self, r: Recorded) -> None:
        """Take in one event. A record of unexpected form is named in `unreadable` and otherwise left out."""
        self.latest = None
        match r.event:
            case SessionStarted(config=config):
                with self._reading("the settings"):
                    self.config = DebateConfig.model_validate(config)
            case StepDone(step=step, result=result):
                with self._reading(step):
                    self._step(step, result)
            case VoteClosed(when=when):
                self.asked.pop(when, None)
            case SessionStopped():
                self.asked.clear()
            case Said(step="claim/announced", text=text):
                self.claim = text
            case Said(step=step, about=about) if SPEECH.fullmatch(about):
                self.spoken.add(about)
                if step in ("closing/pro/said", "closing/con/said"):
                    self._closed.add(step)
            case SessionFinished(outcome=outcome) if "motion" in outcome:
                with self._reading("the outcome"):
                    self._finish(Debate.model_validate(outcome))

    @contextmanager
    def _reading(self, what: str) -> Iterator[None]:
        try:
            yield
        except (ValueError, TypeError, KeyError):
            self.unreadable.append(what)

    def _step(self, step: str, result: Any) -> None:
        if (known := _ROUND.fullmatch(step)) or step == "opening/heat":
            n, what = (int(known[1]), known[2]) if known else (0, "heat")
            if what == "heat":
                self.heats[n] = Heat(_HEAT.validate_python(result["heat"]), bool(result.get("set_by")))
            else:
                self.qualities[n] = self._scored(result)
                self.latest = self._stage(n)
        elif step == "closing/heat":
            self.closing_heat = _HEAT.validate_python(result["heat"])
        elif known := _WHOLE.fullmatch(step):
            self._whole(known[1], result)
        elif when := OPENINGS.get(step):
            self.asked[when] = datetime.fromisoformat(result)
            self.latest = VoteOpened(when)
        elif known := _ANSWER.fullmatch(step):
            if "value" in result:
                self.answers["pro" if known[1] == "pro" else "con"] = OpenAnswer.model_validate(result["value"])
        elif _RULING.fullmatch(step):
            self.ruled += 1

    def _whole(self, step: str, result: Any) -> None:
        match step:
            case "agenda/agreed":
                self.agenda = _TOPICS.validate_python(result)
                self.latest = Agenda(self.agenda) if self.agenda else None
            case "rounds/ended":
                self.ended = str(result)
                self.latest = RoundsEnded(self.ended)
            case "closing/crit/quality":
                self.final = self._scored(result)
                self.latest = self._closing
            case "judging/judgement":
                self._judged, self.withheld = Judgement.model_validate(result).checked(), "after" in self.asked
                self.latest = self.verdict
            case "conciliation/proposal":
                self.latest = self.proposal = Proposal.model_validate(result)
            case "comparison/result":
                self.latest = self.comparison = Comparison.model_validate(result).checked()

    def _scored(self, result: dict[str, Any]) -> Quality:
        """A record of CRIT holds the numbers of all reasons so far and the `new` reasons themselves."""
        numbers = dict(result)
        self._reasons += [ScoredReason.model_validate(reason) for reason in numbers.pop("new")]
        return Quality.model_validate({**numbers, "reasons": self._reasons})

    def _finish(self, debate: Debate) -> None:
        """The outcome repeats what was recorded; it fills in what this log does not show otherwise."""
        self.outcome = debate
        self.agenda = self.agenda or debate.agenda
        self.final = self.final or debate.quality
        self._judged = self._judged or (debate.judgement and debate.judgement.checked())
        self.proposal = self.proposal or debate.proposal
        self.comparison = self.comparison or (debate.comparison and debate.comparison.checked())
        self.ended = debate.ended if self.ended is None else self.ended

    # ── read from it ─────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def question(self) -> bool:
        """Whether an open question is debated: then there are answers, and nobody is for or against a motion."""
        return self.config is not None and self.config.open_question

    @property
    def verdict(self) -> Judgement | None:
        """The judges' verdict, as far as it may be known."""
        return None if "after" in self.asked else self._judged

    @property
    def phase(self) -> Phase:
        """Where the debate is."""
        if self.outcome:
            return "over"
        if len(self._closed) == 2 or self.final or self._judged:
            return "judging"
        if self.ended is not None:
            return "closing"
        if not self.heats:
            return "opening" if self.agenda else "agenda"
        return "round" if max(self.heats) else "opening"

    @property
    def round(self) -> int:
        """The number of the round that is running, or of the last one; 0 before the first."""
        if self.ended is None:
            return max(self.heats, default=0)
        return max((s.n for s in self.rounds() if s.n), default=0)

    @property
    def stage(self) -> str:
        """The phase with the round's number: "round 2"."""
        return f"round {self.round}" if self.phase == "round" else self.phase

    @property
    def heat(self) -> float | None:
        """The heat that the debate is at."""
        if self.closing_heat is not None:
            return self.closing_heat
        return self.heats[max(self.heats)].value if self.heats else None

    def next_turn(self, wanted: float | None = None) -> NextTurn | None:
        """What is to be spoken next at a heat of its own, which the moderator may still set (`wanted`: has set).

        None once the rounds are over: the closings' heat is settled.
        """
        if (cfg := self.config) is None or self.ended is not None or self.outcome:
            return None
        scheduled = upcoming({n: heat.value for n, heat in self.heats.items()}, cfg.heat, cfg.decay)
        heat = scheduled if wanted is None else wanted
        n = max(self.heats, default=-1) + 1
        turn = "opening" if n == 0 else "closing" if at_limit(cfg, n, heat) else f"round {n}"
        return NextTurn(turn, scheduled, heat)

    @property
    def standing(self) -> RoundProgress | None:
        """How far it has come; `of` counts the rounds that there are when nobody touches the heat."""
        if (cfg := self.config) is None:
            return None
        running = self.phase == "round"
        most = len(list(falling(cfg.heat, cfg.decay, cfg.floor, cfg.max_rounds)))
        return RoundProgress(
            stages=("agenda", "opening", self.stage if running else "rounds", "closing", "verdict"),
            at=_AT[self.phase],
            of=most if running and self.round <= most else 0,
            heat=self.heat,
            qualities=[stage.gamma for stage in self.stages() if stage.quality],
            progress=f"{self.ruled} of {2 * len(self.agenda or ()) * len(cfg.judges)} rulings" if self.ruled else "",
        )

    @property
    def votes(self) -> Votes:
        """The audience's: those that it asks for while they are open, or else those before and after it is held."""
        if self.config and (seconds := self.config.vote_seconds) is not None:
            return Votes(True, {when: opened + timedelta(seconds=seconds) for when, opened in self.asked.items()})
        held: dict[Phase, When] = {"agenda": "before", "opening": "before", "judging": "after", "over": "after"}
        now = held.get(self.phase if self.config else "over")
        return Votes(False, {now: None} if now else {})

    def rounds(self) -> list[Stage]:
        """The refutation rounds in which somebody spoke or that were scored, in order."""
        began = {n for n in self.heats if n and f"round {n}" in self.spoken} | self.qualities.keys()
        return [self._stage(n) for n in sorted(began)]

    def stages(self) -> list[Stage]:
        """Opening, rounds and closings, as far as the debate has come."""
        opening = [self._stage(0)] if 0 in self.heats else []
        return [*opening, *self.rounds(), *([self._closing] if self.ended is not None else [])]

    def results(self) -> list[Result]:
        """All that was scored, decided and agreed on so far."""
        scored = [stage for stage in self.stages() if stage.quality]
        return [*scored, *(found for found in (self.verdict, self.proposal, self.comparison) if found)]

    def _stage(self, n: int) -> Stage:
        return stage_of(n, self.heats.get(n), self.qualities)

    @property
    def _closing(self) -> Stage:
        return Stage(None, self.heat, self.final, before=gamma_before(None, self.qualities))

    @property
    def quality(self) -> Quality | None:
        """The latest that CRIT said of the whole debate."""
        return self.final or (self.qualities[max(self.qualities)] if self.qualities else None)


def debate_of(view: SessionView) -> DebateProjection | None:
    """The debate that a session is; None where it is another one, or its settings are not a debate's."""
    debate = view.projection
    return debate if isinstance(debate, DebateProjection) and debate.config is not None else None
