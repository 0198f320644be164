"""Who may see what of a person in a scene, and how long: a table made of the scene and the way it is played. Pure."""

from __future__ import annotations

from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from elenchus.debate_engine.protocols.rulegen.people.consent import readers
from elenchus.debate_engine.protocols.rulegen.people.ending import withdrawal_days

HEAD = ("what", "where it is", "who sees it", "how long")


def datasheet(cfg: SceneConfig) -> list[tuple[str, str, str, str]]:
    """The rows below HEAD."""
    seen = _who_reads(cfg)
    runs = "whoever runs the scene, with made-up names; exports"
    kept, back = kept_in_words(cfg), withdrawal_days(cfg)
    measures = ", ".join(one.name for one in cfg.scene.measures) or "none"
    personal = ", ".join(one.name for one in cfg.scene.measures if one.serves == "demographic")
    rows = [
        ("account; id of a recruiting platform", "the key file, nowhere else", "whoever has the key file",
         "until the last session of the person is removed, or the key is destroyed"),
        ("made-up name", "the log", runs, kept),
        ("what the person says and asks", "the log", f"{seen}; {runs}", kept),
        (f"what the person states: {measures}", "the log", f"{seen}; {runs}", kept),
        ("how long each answer took, and at which front end", "the log", runs, kept),
        ("yes or no to the consent, when, and to which version", "the log", "exports", kept),
        ("who declined, stopped or withdrew", "the log", "nobody: whoever runs the scene sees counts", kept),
        ("completion code", "a secret of the session in the store", "the person alone",
         "for good; it leads back to nobody"),
        ("withdrawal code", "its hash in the store", "the person alone", f"{back} day{'' if back == 1 else 's'}"),
        ("that a session was withdrawn, of which scene, on which day", "the store", "exports", "for good"),
        ("counts: version, how it ended, yes or no", "the store", "whoever runs the scene", "for good"),
    ]  # fmt: skip
    if cfg.age is not None:
        rows.insert(6, (f"yes or no to “at least {cfg.age} years old”", "the log", "exports", kept))
    if cfg.misled:
        rows.insert(6, ("yes or no to what was said being kept, once told of the deception", "the log",
                        "exports; of who did not say yes, counts alone", kept))  # fmt: skip
    if personal:
        rows.insert(4, (f"questions about the person, each of which may be skipped: {personal}", "the log", runs, kept))
    return rows


def kept_in_words(cfg: SceneConfig) -> str:
    """How long the session is kept."""
    if cfg.mode == "study" and cfg.terms:
        return f"{cfg.terms.retention_days} days after the end, or until it is withdrawn"
    return "24 hours after the end, or until it is withdrawn" if cfg.mode else "until somebody removes it"


def _who_reads(cfg: SceneConfig) -> str:
    models = readers(cfg)
    others = len(cfg.people) > 1
    told = (
        f"language models: {models}" if models else "no language model",
        "the others in the scene" if others else "",
    )
    return ", ".join(part for part in (*told, "a person who judges" if cfg.human_judges else "") if part)
