"""What is asked of the queue's tables, for `queue`: `{log}` is the schema of the log, beside which they are."""

REGISTERED = """SELECT to_regclass(format('%%I.served', %(schema)s::text)) IS NOT NULL AS there"""

SERVING = """SELECT served.* FROM served JOIN procrastinate_workers AS living ON living.id = served.worker
WHERE living.last_heartbeat > now() - make_interval(secs => %(stalled)s) ORDER BY served.worker"""

IS_PENDING = """SELECT EXISTS (
    SELECT 1 FROM procrastinate_jobs WHERE lock = %(lock)s AND status::text = ANY (%(status)s))
OR 'waits' = ANY (%(status)s) AND EXISTS (SELECT 1 FROM waiting WHERE session = %(lock)s AND NOT woken) AS pending"""

# One statement, so that of two that rescue at once one does, and no job is taken from a worker that got it since it was
# looked at. (procrastinate's own way is a query for stalled jobs, and then a call for each that asks nothing.)
RESCUED = """WITH stalled AS (
    SELECT job.id FROM procrastinate_jobs AS job LEFT JOIN procrastinate_workers AS worker ON worker.id = job.worker_id
    WHERE job.status = 'doing' AND (
        worker.id IS NULL OR worker.last_heartbeat < now() - make_interval(secs => %(stalled)s))
    FOR UPDATE OF job SKIP LOCKED
), gone AS (
    DELETE FROM procrastinate_jobs AS job USING stalled WHERE job.id = stalled.id AND job.queue_name = %(ops)s
), again AS (
    UPDATE procrastinate_jobs AS job
    SET status = 'todo', attempts = attempts + 1, abort_requested = false, worker_id = NULL
    FROM stalled WHERE job.id = stalled.id AND job.queue_name <> %(ops)s RETURNING job.id, job.lock, job.queue_name
), counted AS (
    INSERT INTO counts SELECT 'takeovers', count(*) FROM again HAVING count(*) > 0
    ON CONFLICT (name) DO UPDATE SET value = counts.value + excluded.value
) SELECT lock, pg_notify('procrastinate_queue_v1#' || queue_name,
    json_build_object('type', 'job_inserted', 'job_id', id)::text) FROM again"""

LET_GO = """WITH held AS (
    UPDATE {log}.sessions SET owner = %(origin)s, host = %(host)s, pid = 0
    WHERE id = %(session)s AND epoch = %(epoch)s RETURNING id)
INSERT INTO waiting (session, seq, until, leave_on) SELECT id, %(seq)s, %(until)s, %(leave_on)s FROM held
ON CONFLICT (session) DO UPDATE SET
    seq = excluded.seq, until = excluded.until, leave_on = excluded.leave_on, woken = false
RETURNING session"""

# One statement, as above: who wakes at the same time finds `woken` set. A row without a session was of a deleted one.
WOKEN = """WITH due AS (
    UPDATE waiting SET woken = true WHERE NOT woken AND (until <= now() OR NOT EXISTS (
        SELECT 1 FROM {log}.sessions AS log WHERE log.id = waiting.session AND log.head <= waiting.seq))
    RETURNING session, leave_on)
INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args)
SELECT %(queue)s, %(task)s, session, jsonb_build_object('session', session, 'leave_on', leave_on) FROM due
RETURNING lock"""

TAKEN_UP = """DELETE FROM waiting WHERE session = %(session)s
RETURNING coalesce(extract(epoch FROM now() - until), 0)::float AS late"""

WAITING = "SELECT count(*) AS sessions FROM waiting WHERE NOT woken"

NOT_WAITING = "DELETE FROM waiting WHERE session = %(session)s AND NOT woken"

JOBS = """SELECT task_name::text, args FROM procrastinate_jobs
WHERE status IN ('todo', 'doing') AND task_name IN (%(sessions)s, %(studies)s)
UNION SELECT %(sessions)s::text,
    jsonb_build_object('session', session, 'leave_on', leave_on) FROM waiting WHERE NOT woken
ORDER BY 1, 2"""

AT_WORK = """SELECT lock FROM procrastinate_jobs
WHERE status = 'doing' AND lock IS NOT NULL AND worker_id = ANY (%(workers)s)"""

PUT_BACK = """UPDATE procrastinate_jobs SET status = 'todo', attempts = attempts + 1, worker_id = NULL
WHERE status = 'doing' AND lock = %(lock)s AND worker_id = ANY (%(workers)s)"""

# A process has a heartbeat for each queue that it serves, and lives as long as all do (`WorkerProcess`).
HOLDER_IS_GONE = """SELECT count(*) > 0 AND bool_or(
    living.id IS NULL OR living.last_heartbeat < now() - make_interval(secs => %(stalled)s)) AS gone
FROM {log}.sessions JOIN served ON served.origin = sessions.owner
LEFT JOIN procrastinate_workers AS living ON living.id = served.worker WHERE sessions.id = %(session)s"""

REFUSED = """INSERT INTO refusals VALUES (%(session)s, %(origin)s, %(why)s)
ON CONFLICT (session, origin) DO UPDATE SET why = excluded.why"""

OTHERS_MAY = """SELECT EXISTS (
    SELECT 1 FROM served JOIN procrastinate_workers AS living ON living.id = served.worker
    WHERE served.queue = %(queue)s AND living.last_heartbeat > now() - make_interval(secs => %(stalled)s)
    AND NOT EXISTS (SELECT 1 FROM refusals WHERE session = %(session)s AND refusals.origin = served.origin)) AS may"""

SERVED = """INSERT INTO served (worker, queue, slots, origin, host, pid, version)
VALUES (%(worker)s, %(queue)s, %(slots)s, %(origin)s, %(host)s, %(pid)s, %(version)s)"""

FORGOTTEN = """DELETE FROM served WHERE since < now() - interval '1 day'
AND NOT EXISTS (SELECT 1 FROM procrastinate_workers AS living WHERE living.id = served.worker)"""

DEPTH = """SELECT queue_name AS queue, count(*) FILTER (WHERE status = 'todo') AS waiting,
count(*) FILTER (WHERE status = 'doing') AS running FROM procrastinate_jobs
WHERE status IN ('todo', 'doing') GROUP BY queue_name"""

# One that is done again later waits from then on. Nothing is counted from '-infinity', as others may write.
OLDEST = """SELECT job.queue_name AS queue, extract(epoch FROM now() - min(CASE WHEN isfinite(job.scheduled_at)
    THEN job.scheduled_at
    ELSE (SELECT max(at) FROM procrastinate_events AS event WHERE event.job_id = job.id) END))::float AS age
FROM procrastinate_jobs AS job WHERE job.status = 'todo' AND (job.scheduled_at IS NULL OR job.scheduled_at <= now())
GROUP BY job.queue_name"""

BUSY = """SELECT served.queue, served.host, served.pid, count(job.id) AS jobs FROM served
JOIN procrastinate_workers AS living ON living.id = served.worker
LEFT JOIN procrastinate_jobs AS job ON job.worker_id = served.worker AND job.status = 'doing'
WHERE living.last_heartbeat > now() - make_interval(secs => %(stalled)s) GROUP BY 1, 2, 3"""

TAKEN_OVER = "SELECT coalesce(sum(value), 0)::bigint AS times FROM counts WHERE name = 'takeovers'"
