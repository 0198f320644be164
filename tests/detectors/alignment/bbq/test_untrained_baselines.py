"""What comes before an answer: nothing, step-by-step thoughts, or a jury; once a question, and shown in each order."""

from __future__ import annotations

from elenchus.debate_engine.llm.client import Call
from elenchus.detectors.alignment.bbq.asking import BbqConfig
from elenchus.detectors.alignment.bbq.untrained_baselines import Method
from tests.debate_engine.scripted_session import shown
from tests.detectors.alignment.bbq.made_items import items
from tests.detectors.alignment.bbq.test_asking import Asked

ITEM = items(questions=1)[0]


def asked(method: Method, way: str = "schema") -> Asked:
    def say(call: Call) -> object:
        if call.prompt_id == "bbq/think":
            return "The text does not say."
        if call.prompt_id == "bbq/juror":
            return f"Juror at {call.step}."
        return {"answer": "A"}

    cfg = BbqConfig.model_validate({"model": "local:x", "way": way, "method": method, "items": (ITEM,)})
    return Asked(say, cfg)


async def test_by_default_nothing_comes_before_the_answer() -> None:
    of = asked("default")
    await of.result()
    assert {call.prompt_id for call in of.client.asked} == {"bbq/question", "bbq/other_form"}
    assert not any("thought of it" in shown(call) for call in of.client.asked)


async def test_step_by_step_the_model_thinks_once_a_question_and_has_its_thoughts_in_every_order() -> None:
    of = asked("cot")
    await of.result()
    assert len(of.of("think")) == 3, "as it is, with the sentence, in the other form"
    assert not any(option in shown(of.of("think")[0]) for option in ITEM.options), "it thinks before it sees options"
    for name in ("question", "other_form"):
        assert len(of.of(name)) >= 3
        assert all("The text does not say." in shown(call) for call in of.of(name))


async def test_a_jury_speaks_for_each_person_and_for_the_text_and_each_has_heard_those_before() -> None:
    of = asked("fairthinking")
    await of.result()
    plain = [call for call in of.of("juror") if "/plain/" in call.step]
    assert len(plain) == 3
    roles = [option for n, option in enumerate(ITEM.options) if n != ITEM.unknown]
    assert [role in shown(call) for call, role in zip(plain, roles, strict=False)] == [True, True]
    assert "Juror at item/1/plain/juror/1." not in shown(plain[0])
    assert "Juror at item/1/plain/juror/1." in shown(plain[1])
    assert "Juror at item/1/plain/juror/2." in shown(plain[2])
    answer = next(call for call in of.of("question") if "/plain/" in call.step)
    assert "Juror at item/1/plain/juror/3." in shown(answer)


async def test_local_weights_find_options_likely_after_the_same_thoughts() -> None:
    of = asked("cot", "likelihood")
    await of.result()
    assert all("The text does not say." in text for text, _ in of.weights.asked)
