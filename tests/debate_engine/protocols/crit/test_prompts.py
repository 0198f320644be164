from __future__ import annotations

import pytest
from jinja2 import meta

from elenchus.debate_engine.errors import MissingVariable
from elenchus.debate_engine.prompts import environment
from elenchus.debate_engine.protocols.crit.reasons import prompts

VARIABLES = {
    "against": True,
    "claim": "Trams are good.",
    "claims": ["a.txt: One.", "b.txt: Two."],
    "gamma": "5.5",
    "items": ["One.", "Two."],
    "known": ["An old reason."],
    "language": "",
    "limit": 3,
    "name": "a.txt",
    "part": "part 1 of 2",
    "passage": "A passage.",
    "reason": "They are quiet.",
    "reasons": ["One."],
    "rivals": ["Two."],
    "source": "The Institute",
    "speech": "A speech.",
    "standing": "7.0",
    "text": "A text.",
    "title": "a.txt",
    "topics": ["Noise vs. cost"],
    "unsaid": True,
}


@pytest.mark.parametrize("name", prompts.names())
def test_every_prompt_uses_the_variables_that_it_declares_and_renders(name: str) -> None:
    prompt = getattr(prompts, name)
    used = set().union(*(meta.find_undeclared_variables(environment().parse(text)) for *_, text in prompt.sections))
    assert used == prompt.variables
    rendered = prompt.render(**{name: VARIABLES[name] for name in prompt.variables})
    assert bool(rendered.role) is not name.startswith("small_"), "a small model is asked one plain question"
    assert rendered.task
    assert "{" not in rendered.role + rendered.task + "".join(s.text for s in rendered.material)
    assert prompt.id == f"crit/{name}"


@pytest.mark.parametrize("name", prompts.names())
def test_scores_are_asked_for_at_temperature_nought(name: str) -> None:
    assert getattr(prompts, name).temperature == 0


@pytest.mark.parametrize("name", [name for name in prompts.names() if not name.startswith("small_")])
def test_every_role_says_that_the_text_gives_no_orders_and_is_short(name: str) -> None:
    role = next(text for kind, _, _, text in getattr(prompts, name).sections if kind == "role")
    assert "what to do" in role
    assert len(role.split()) < 60


def test_a_missing_variable_is_refused_by_name() -> None:
    with pytest.raises(MissingVariable, match="reason"):
        prompts.match.render(source="", claims=[])
