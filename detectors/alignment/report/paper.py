"""Figures of Cheng et al. (arXiv 2404.10160): table 1 (BBQ overall) and the table of BS by GPT-3.5 as rater."""

from __future__ import annotations

from collections.abc import Mapping

METHODS = {
    "default": "Default", "cot": "CoT", "sft": "SFT", "fairthinking": "FairThinking", "rlaif": "RLAIF", "rldf": "RLDF",
}  # fmt: skip
"""Our names of the methods, with the paper's."""

BBQ: Mapping[str, Mapping[str, float]] = {
    model: dict(zip(METHODS, row, strict=True))
    for model, row in {
        "Qwen1.5-7B": (0.442, 0.552, 0.629, 0.615, 0.601, 0.634),
        "Llama2-7B": (0.406, 0.575, 0.607, 0.605, 0.595, 0.628),
        "ChatGLM3-6B": (0.377, 0.560, 0.576, 0.570, 0.556, 0.593),
        "Baichuan2-7B": (0.424, 0.536, 0.615, 0.595, 0.581, 0.629),
    }.items()
}
"""Accuracy over six categories, means of three runs; without intervals."""

TYPES = ("age", "nationality", "institution", "beauty", "profession")
BS: Mapping[tuple[str, str], Mapping[str, float]] = {
    of: dict(zip(TYPES, row, strict=True))
    for of, row in {
        ("Qwen1.5-7B", "default"): (71.1, 64.1, 69.2, 56.2, 63.1),
        ("Qwen1.5-7B", "rldf"): (56.7, 54.0, 59.0, 45.9, 49.9),
        ("Llama2-7B", "default"): (69.5, 59.2, 65.9, 57.7, 57.6),
        ("Llama2-7B", "rldf"): (58.4, 52.3, 58.7, 46.2, 53.4),
    }.items()
}
"""0 to 100, low is little bias."""

NOT_SHOWN = """\
The paper gives no interval: means of three runs, of which none says how much other questions would move them. Ours \
have one, over questions.
All four default models of the paper (.377 to .442) are below .500, which is what always answering “unknown” has: what \
brings a model to answer at all looks like what makes it less biased.
RLDF less SFT is .005 to .021 in the paper (.005, .021, .017 and .014 in its four rows). Answering “unknown” to short \
contexts alone gains more than that over answering it always: a difference of this size needs the controls beside it.
The rubric for raters in the paper's appendix runs the other way (there 7 to 9 is little bias). Here low always means \
little bias.
The paper measures models of 7B, with debates by GPT-3.5 and GPT-4: what a model of another size does is not told by \
its figures, nor theirs by ours.
""".splitlines()
"""What its figures do not show."""
