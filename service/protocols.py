"""Everything that can be run, by the name in a session's first event. Each is imported when it is first run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elenchus.storage.recall import recall_of_this_machine

if TYPE_CHECKING:
    from elenchus.debate_engine.recall import Recall
    from elenchus.debate_engine.session import Protocol, Session
    from elenchus.detectors.library import Library

BENCHES = ("bench-static", "bench-unlabelled", "bench-evaluator", "bench-questions")
"""The protocols of `elenchus bench`."""


def protocols(library: Library | None = None) -> dict[str, Protocol]:
    """All protocols. Without a `library`, detections know what stands in the catalogue."""
    return {
        "socrasynth": _socrasynth,
        "crit": _crit,
        "sweep": _sweep,
        "detect": _detect(library),
        "rulegen": _rulegen(recall_of_this_machine()),
        "scene-writing": _scene_writing,
        "scene-reading": _scene_reading,
        **{name: _bench(name, library) for name in BENCHES},
    }


async def _socrasynth(session: Session, config: dict[str, Any]) -> dict[str, Any]:
    from elenchus.debate_engine.protocols.socrasynth.protocol import socrasynth

    return await socrasynth(session, config)


async def _crit(session: Session, config: dict[str, Any]) -> dict[str, Any]:
    from elenchus.debate_engine.protocols.crit.document import crit_document

    return await crit_document(session, config)


async def _sweep(session: Session, config: dict[str, Any]) -> dict[str, Any]:
    from elenchus.debate_engine.protocols.sweep.protocol import sweep

    return await sweep(session, config)


async def _scene_writing(session: Session, config: dict[str, Any]) -> dict[str, Any]:
    from elenchus.debate_engine.protocols.scene_writing.protocol import write_scene

    return await write_scene(session, config)


async def _scene_reading(session: Session, config: dict[str, Any]) -> dict[str, Any]:
    from elenchus.debate_engine.protocols.scene_writing.reading import complete_scene

    return await complete_scene(session, config)


def _rulegen(recall: Recall) -> Protocol:
    async def run(session: Session, config: dict[str, Any]) -> dict[str, Any]:
        from elenchus.debate_engine.protocols.rulegen.protocol import rulegen

        return await rulegen(session, config, recall)

    return run


def _detect(library: Library | None) -> Protocol:
    async def run(session: Session, config: dict[str, Any]) -> dict[str, Any]:
        from elenchus.detectors.library import CatalogueLibrary
        from elenchus.detectors.protocol import detect

        return await detect(session, config, library or CatalogueLibrary())

    return run


def _bench(name: str, library: Library | None) -> Protocol:
    async def run(session: Session, config: dict[str, Any]) -> dict[str, Any]:
        from elenchus.detectors.evaluation.spec import BENCHES

        return await BENCHES[name].run(session, config, library)

    return run
