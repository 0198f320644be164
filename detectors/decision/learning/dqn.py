"""Deep Q-network with genetic search (MindScope, section 5.3 and appendix F). NOTES.md: state, action, reward, why.

memory 2000 · γ 0.95 · ε 1 → 0.01 × 0.995 a step · learning rate 0.005 · state 6 · action 6 · batch 4 · target network
every C = 5 steps · 500 episodes of 20 steps · the search: population 20, 10 generations, crossover 0.1, mutation 0.1.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import torch  # type: ignore[import-not-found, unused-ignore]
from numpy.typing import NDArray
from torch import nn  # type: ignore[import-not-found, unused-ignore]

from elenchus.detectors.decision.learning.objective import Floats, Objective, OnProgress, no_progress
from elenchus.detectors.decision.learning.searches import GeneticSettings, evolve
from elenchus.detectors.decision.weights import CRITERIA

MOVES = np.array([-0.25, -0.05, 0.0, 0.05, 0.25])
"""What one step may add to a weight; an action picks one for each of the six."""

Action = NDArray[np.int64]
"""Six places in MOVES."""


@dataclass(frozen=True)
class Settings:
    """The paper's. `published_reward`: 5·(gain) + 3·(1 − accuracy) in place of the gain in train accuracy."""

    memory: int = 2000
    gamma: float = 0.95
    epsilon: tuple[float, float, float] = (1.0, 0.01, 0.995)
    rate: float = 0.005
    batch: int = 4
    every: int = 5
    episodes: int = 500
    steps: int = 20
    hidden: int = 24
    search: GeneticSettings = field(default_factory=lambda: GeneticSettings(20, 10, 0.1, 0.1))
    published_reward: bool = False


class Step(NamedTuple):
    """What is remembered of one step."""

    state: Floats
    action: Action
    reward: float
    after: Floats
    last: bool


def dqn(objective: Objective, rng: np.random.Generator, on_progress: OnProgress, how: Settings | None = None) -> None:
    """Train; the objective keeps the best weights that were met on the way."""
    how = how or Settings()
    torch.set_num_threads(1)  # matrices as small as these only lose by more
    learner = Learner(how, int(rng.integers(2**31)))
    memory: deque[Step] = deque(maxlen=how.memory)
    epsilon, least, decay = how.epsilon
    for episode in range(how.episodes):
        on_progress(episode, how.episodes)
        state = rescaled(rng.uniform(-1, 1, len(CRITERIA)))
        accuracy = objective(state)
        for n in range(1, how.steps + 1):
            action = searched(state, objective, rng, how.search) if rng.random() < epsilon else learner.greedy(state)
            after = moved(state, action)
            found = objective(after)
            memory.append(Step(state, action, reward(accuracy, found, how), after, n == how.steps))
            if len(memory) >= how.batch:
                learner.learn([memory[i] for i in rng.integers(len(memory), size=how.batch)])
            state, accuracy, epsilon = after, found, max(least, epsilon * decay)


def reward(before: float, after: float, how: Settings) -> float:
    """The gain in train accuracy, or the published sum, whose second term pays for being inaccurate."""
    gain = after - before
    return 5 * gain + 3 * (1 - after) if how.published_reward else gain


def moved(state: Floats, action: Action) -> Floats:
    """The weights after an action."""
    return rescaled(state + MOVES[action])


def rescaled(weights: Floats) -> Floats:
    """Within [−1, 1] by one common factor, which changes no decision."""
    return np.asarray(weights / max(1.0, float(np.abs(weights).max())))


def searched(state: Floats, objective: Objective, rng: np.random.Generator, how: GeneticSettings) -> Action:
    """The exploring action: of the actions that a genetic search tries here, the one that leads to most accuracy."""
    population = rng.integers(len(MOVES), size=(how.population, len(CRITERIA)))

    def fitness(actions: Any) -> Floats:
        return objective.many(state + MOVES[actions])

    def mutate(actions: Any) -> Any:
        return rng.integers(len(MOVES), size=actions.shape)

    return np.asarray(evolve(population, fitness, mutate, rng, how, no_progress), dtype=np.int64)


class Learner:
    """The network with its target: six weights in, for each of the six a value of every move out.

    The value of an action is the mean over its six moves (branching, after Tavakoli et al. 2018).
    """

    def __init__(self, how: Settings, seed: int) -> None:
        self._how, self._learnt = how, 0
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self._network, self._target = network(how.hidden), network(how.hidden)
        self._target.load_state_dict(self._network.state_dict())
        self._optimiser = torch.optim.Adam(self._network.parameters(), lr=how.rate)

    def greedy(self, state: Floats) -> Action:
        """The action with the highest value."""
        with torch.no_grad():
            values = self._network(torch.as_tensor(state, dtype=torch.float32)[None])
        return np.asarray(values[0].argmax(dim=1).numpy(), dtype=np.int64)

    def learn(self, batch: list[Step]) -> None:
        """One step of gradient descent; every C of them the target follows."""
        states, after = (_tensor([getattr(step, name) for step in batch]) for name in ("state", "after"))
        actions = torch.as_tensor(np.array([step.action for step in batch]))
        rewards, last = _tensor([step.reward for step in batch]), _tensor([float(step.last) for step in batch])
        with torch.no_grad():
            ahead = self._target(after).max(dim=2).values.mean(dim=1)
            wanted = rewards + self._how.gamma * (1 - last) * ahead
        value = self._network(states).gather(2, actions[:, :, None])[:, :, 0].mean(dim=1)
        loss = nn.functional.mse_loss(value, wanted)
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        self._optimiser.step()
        self._learnt += 1
        if self._learnt % self._how.every == 0:
            self._target.load_state_dict(self._network.state_dict())


def network(hidden: int) -> nn.Module:
    """Two hidden layers."""
    six, moves = len(CRITERIA), len(MOVES)
    return nn.Sequential(
        nn.Linear(six, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(),
        nn.Linear(hidden, six * moves), nn.Unflatten(1, (six, moves)),
    )  # fmt: skip


def _tensor(values: list[Any]) -> torch.Tensor:
    return torch.as_tensor(np.array(values), dtype=torch.float32)
