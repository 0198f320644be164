"""The queue's tables: those of procrastinate, and ours beside them, in a schema of their own.

procrastinate makes its tables itself and brings a file of SQL for each change between its versions. A newer range in
`pyproject.toml` comes with a step here that applies those files.
"""

from __future__ import annotations

from elenchus.storage.postgres_schema import Steps

OURS = """
CREATE TABLE served (
    worker BIGINT PRIMARY KEY, queue TEXT NOT NULL, slots BIGINT NOT NULL, origin TEXT NOT NULL, host TEXT NOT NULL,
    pid BIGINT NOT NULL, version TEXT NOT NULL, since TIMESTAMPTZ NOT NULL DEFAULT now());
CREATE TABLE refusals (
    session TEXT NOT NULL, origin TEXT NOT NULL, why TEXT NOT NULL, PRIMARY KEY (session, origin));
CREATE INDEX jobs_by_lock ON procrastinate_jobs (lock) WHERE status IN ('todo', 'doing');
"""
"""Which workers there are: `worker` is procrastinate's number, `origin` is that of the log in its process. Rows of
workers that are gone stay for a day: a session that such a one holds is known to be nobody's by them."""


WAITING = """
CREATE TABLE waiting (
    session TEXT PRIMARY KEY, seq BIGINT NOT NULL, until TIMESTAMPTZ, leave_on TEXT[] NOT NULL,
    woken BOOLEAN NOT NULL DEFAULT false);
CREATE TABLE counts (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
"""
"""Sessions that wait for people and have no job: `seq` is the last event that was taken into account, `until` when a
deadline or a reminder is due; `woken` once there is a job, which removes the row as it begins. And what is counted."""


def steps() -> Steps:
    """The steps of the schema, oldest first."""
    from procrastinate.schema import SchemaManager

    theirs = SchemaManager.get_schema().replace("{", "{{").replace("}", "}}")
    return (("procrastinate 3.10", theirs), ("workers", OURS), ("waiting for people", WAITING))
