"""The deep Q-network with genetic search."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, strategies as st

pytest.importorskip("torch", reason="torch is not installed (extra `train`): the deep Q-network is NOT tested")

from elenchus.detectors.decision.learning.dqn import (
    MOVES,
    Learner,
    Settings,
    Step,
    dqn,
    moved,
    rescaled,
    reward,
    searched,
)
from elenchus.detectors.decision.learning.objective import Floats, Objective, Table, no_progress
from elenchus.detectors.decision.learning.searches import GeneticSettings
from elenchus.detectors.decision.learning.training import compare, learner_of, split
from tests.detectors.decision.made_debates import planted, turned

torch = pytest.importorskip("torch")
SHORT = Settings(episodes=12, steps=8)
TABLE = Table.of(planted(200))


def test_the_papers_settings_are_the_defaults() -> None:
    how = Settings()
    assert (how.memory, how.gamma, how.epsilon, how.rate) == (2000, 0.95, (1.0, 0.01, 0.995), 0.005)
    assert (how.batch, how.every, how.episodes, how.steps) == (4, 5, 500, 20)
    assert how.search == GeneticSettings(20, 10, 0.1, 0.1)
    assert how.published_reward is False


@given(st.lists(st.floats(-5, 5), min_size=6, max_size=6), st.lists(st.integers(0, 4), min_size=6, max_size=6))
def test_the_state_stays_within_one_and_rescaling_changes_no_decision(start: list[float], action: list[int]) -> None:
    weights = np.array(start)
    state = rescaled(weights)
    assert np.abs(state).max() <= 1
    assert np.abs(moved(state, np.array(action))).max() <= 1
    factor = max(1.0, float(np.abs(weights).max()))
    assert state * factor == pytest.approx(weights)


def test_the_reward_is_the_gain_and_the_published_one_pays_for_staying_bad() -> None:
    published = Settings(published_reward=True)
    assert reward(0.5, 0.75, SHORT) == 0.25
    assert reward(0.5, 0.5, SHORT) == 0
    assert reward(0.5, 0.75, published) == 5 * 0.25 + 3 * 0.25
    at_once_right = reward(0.5, 1.0, published) + 19 * reward(1.0, 1.0, published)
    never_right = 20 * reward(0.5, 0.5, published)
    assert (at_once_right, never_right) == (2.5, 30.0)


def test_exploring_searches_genetically_and_exploiting_asks_the_network() -> None:
    for epsilon, searches in (((1.0, 1.0, 1.0), 6), ((0.0, 0.0, 1.0), 0)):
        objective = Objective(TABLE)
        dqn(objective, np.random.default_rng(1), no_progress, Settings(episodes=2, steps=3, epsilon=epsilon))
        assert objective.evaluations == 2 * (1 + 3) + searches * 20 * 11


def test_exploring_becomes_rarer_with_every_step_down_to_the_least() -> None:
    objective = Objective(TABLE)
    dqn(objective, np.random.default_rng(1), no_progress, Settings(episodes=2, steps=3, epsilon=(1.0, 0.0, 0.0)))
    assert objective.evaluations == 2 * (1 + 3) + 1 * 20 * 11, "only the very first step explores"
    objective = Objective(TABLE)
    dqn(objective, np.random.default_rng(1), no_progress, Settings(episodes=2, steps=3, epsilon=(1.0, 1.0, 0.0)))
    assert objective.evaluations == 2 * (1 + 3) + 6 * 20 * 11, "the least is kept to"


class Noting(Objective):
    """An objective that notes every state it is asked about alone."""

    def __init__(self) -> None:
        super().__init__(TABLE)
        self.states: list[list[float]] = []

    def __call__(self, weights: Floats) -> float:
        self.states.append(weights.tolist())
        return super().__call__(weights)


@pytest.mark.parametrize(("memory", "learns"), [(3, False), (4, True)])
def test_it_learns_from_no_more_steps_than_its_memory_holds(memory: int, learns: bool) -> None:
    """A memory that is smaller than a batch never gives one, and then it does not matter how fast one learns."""
    walks = []
    for rate in (0.005, 0.5):
        noting = Noting()
        how = Settings(episodes=3, memory=memory, rate=rate, epsilon=(0.0, 0.0, 1.0))
        dqn(noting, np.random.default_rng(1), no_progress, how)
        walks.append(noting.states)
    assert (walks[0] != walks[1]) is learns


@pytest.mark.parametrize("published", [False, True])
def test_the_option_decides_which_reward_is_learnt_from(published: bool) -> None:
    learner = learner_of("dqn-genetic", published_reward=published)
    assert isinstance(learner, partial)
    assert learner.keywords["how"] == Settings(published_reward=published)


@pytest.mark.slow
def test_a_step_that_is_not_the_last_is_worth_its_reward_and_what_the_target_expects_then() -> None:
    learner = Learner(Settings(every=10_000), 1)
    state, after, action = np.full(6, 0.5), np.full(6, -0.5), np.array([0, 1, 2, 3, 4, 0])
    for _ in range(600):
        learner.learn([Step(state, action, 0.25, after, last=False)] * 4)
    ahead = float(learner._target(torch.full((1, 6), -0.5)).max(dim=2).values.mean().detach())
    value = float(learner._network(torch.full((1, 6), 0.5))[0][range(6), action.tolist()].mean().detach())
    assert value == pytest.approx(0.25 + 0.95 * ahead, abs=0.01)
    assert abs(ahead) > 0.02, "the expectation would not show"


def test_the_exploring_action_leads_higher_than_nearly_all_actions_by_chance() -> None:
    rng = np.random.default_rng(2)
    for _ in range(10):
        state = rescaled(rng.uniform(-1, 1, 6))
        action = searched(state, Objective(TABLE), rng, Settings().search)
        chance = TABLE.accuracies(state + MOVES[rng.integers(len(MOVES), size=(300, 6))])
        assert TABLE.accuracy(moved(state, action)) >= np.quantile(chance, 0.9)


@pytest.mark.slow
def test_the_target_follows_every_five_steps_and_values_come_to_the_rewards() -> None:
    learner = Learner(Settings(), 1)
    state, action = np.full(6, 0.5), np.array([0, 1, 2, 3, 4, 0])
    batch = [Step(state, action, 1.0, state, last=True)] * 4

    def followed() -> bool:
        ours, theirs = learner._network.state_dict(), learner._target.state_dict()
        return all(bool((ours[name] == theirs[name]).all()) for name in ours)

    after = []
    for _ in range(10):
        learner.learn(batch)
        after.append(followed())
    assert after == [False] * 4 + [True] + [False] * 4 + [True]
    for _ in range(300):
        learner.learn(batch)
    values = learner._network(torch.full((1, 6), 0.5))[0]
    assert float(values[range(6), action.tolist()].mean().detach()) == pytest.approx(1.0, abs=0.05)


def test_planted_weights_are_found_and_a_seed_gives_them_again() -> None:
    found = [Objective(TABLE), Objective(TABLE)]
    for objective in found:
        dqn(objective, np.random.default_rng(3), no_progress, SHORT)
    assert found[0].accuracy >= 0.95
    assert found[0].best.tolist() == found[1].best.tolist()


def test_held_out_labels_choose_nothing_here_either() -> None:
    debates = [one.model_copy(update={"group": f"{n}"}) for n, one in enumerate(planted(100))]
    hidden = {one.group for one in split(debates, 1)[1]}
    other = [turned(one) if one.group in hidden else one for one in debates]
    runs = [
        compare(
            lambda seed, of=of: of,  # type: ignore[misc]
            {"dqn-genetic": lambda objective, rng, on_progress: dqn(objective, rng, on_progress, SHORT)},
            (1,),
            lambda name, seed: no_progress,
        ).rows[0].best
        for of in (debates, other)
    ]  # fmt: skip
    assert runs[0].weights == runs[1].weights
    assert runs[0].held_out != runs[1].held_out
