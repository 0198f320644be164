"""What commands have in common that run until they are interrupted: their log, and the models of unnamed seats."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logging import LogRecord

    from elenchus.config.settings import Settings


async def settled(settings: Settings) -> Settings:
    """The settings with the models for seats that nobody names, told to whoever runs it.

    A server that does not answer now keeps nobody from what was in hand.
    """
    import logging

    from elenchus.config import defaults
    from elenchus.debate_engine.errors import UsageError
    from elenchus.service.lab import default_models

    log = logging.getLogger(__name__)
    try:
        settings = await default_models.settled(default_models.with_option(settings, ""))
    except UsageError as error:
        log.warning("%s", error)
        return settings
    for chosen in defaults.available(settings):
        log.info("seats that nobody names: %s (%s)", chosen.spec, chosen.why)
    return settings


def log_to_stderr(*, as_json: bool = False) -> None:
    """What goes on, and the references that people are given, for whoever runs it; `as_json`: a document a line.

    Each request of the web is told of in JSON, and elsewhere with `--debug`: too many for a terminal.
    """
    import logging

    from elenchus.service import log_format

    handler = log_format.to_stderr(log_format.WITH_TIME)
    if as_json:
        handler.setFormatter(log_format.JsonLines())
    elif logging.getLogger().level != logging.DEBUG:
        logging.getLogger("elenchus.service.web.requests").setLevel(logging.WARNING)
    if logging.getLogger().level != logging.DEBUG:
        logging.getLogger("procrastinate").setLevel(logging.WARNING)  # it tells of each job
        handler.addFilter(lambda record: not _is_of_a_lost_queue(record))
    logging.basicConfig(
        level=min(logging.INFO, logging.getLogger().level),  # `--debug` asked for more
        handlers=[handler],
        force=True,  # in place of the handler that keeps other commands silent
    )


def _is_of_a_lost_queue(record: LogRecord) -> bool:
    """Whether procrastinate tells, with a traceback, of a database that is lost or full: a worker has a sentence."""
    from elenchus.debate_engine.errors import DamagedLog, StorageError

    error = record.exc_info[1] if record.exc_info else None
    of_the_store = type(error).__name__ == "ConnectorException" or isinstance(error, StorageError)
    return record.name.startswith("procrastinate") and of_the_store and not isinstance(error, DamagedLog)


def allow_open_files() -> None:
    """Take as many open files as the system lets this account have: each stream is one."""
    try:
        import resource
    except ImportError:  # Windows knows no such limit
        return
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
