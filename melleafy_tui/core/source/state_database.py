"""Reads the scheduled jobs out of OpenClaw's state database, without touching it.

Database and write-ahead log are copied to a private temporary folder: opening the database in place would leave files
beside it, and opening it as immutable would miss the log. Only what says when a job runs and what it does is taken, so
that a run of a job changes nothing in the snapshot.
"""

import json
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

STATE_DATABASES: Final = ("state/openclaw.sqlite", "../state/openclaw.sqlite")
"""Where the database is since 2026.6.1, in the workspace or in the state folder that it lies in."""

_LARGEST: Final = 64 * 1024 * 1024
_MOST_JOBS: Final = 1_000
_COLUMNS: Final = {
    "id": ("job_id", "id"),
    "name": ("name",),
    "agentId": ("agent_id",),
    "text": ("payload_message", "payload_text", "message"),
    "expr": ("schedule_expr", "cron_expr"),
    "tz": ("schedule_tz",),
    "everyMs": ("schedule_every_ms", "every_ms"),
    "at": ("schedule_at", "at"),
}


def jobs_in(database: Path) -> str:
    """Return the jobs of a database in the form of `cron/jobs.json`.

    Args:
        database: The file; `<name>-wal` beside it counts too.

    Raises:
        OSError: it can't be read, or is too large.
        ValueError: it isn't such a database.
    """
    with TemporaryDirectory(prefix="melleafy-") as folder:
        copy = Path(folder) / "state.sqlite"
        for name, place in ((database, copy), (Path(f"{database}-wal"), Path(f"{copy}-wal"))):
            if name.is_file() and not name.is_symlink():
                if name.stat().st_size > _LARGEST:
                    raise OSError(f"it has more than {_LARGEST} bytes")
                shutil.copyfile(name, place)
        try:
            with closing(sqlite3.connect(copy)) as connection:
                connection.execute("PRAGMA query_only = ON")
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.row_factory = sqlite3.Row
                rows = connection.execute(f"SELECT * FROM cron_jobs LIMIT {_MOST_JOBS}").fetchall()
        except sqlite3.Error as error:
            raise ValueError(str(error)) from error
    jobs = sorted((_job(dict(row)) for row in rows), key=lambda job: str(job.get("id")))
    return json.dumps({"jobs": jobs}, indent=1, ensure_ascii=False) + "\n"


def _job(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return one job: from its columns, else from the JSON beside them."""
    try:
        whole = json.loads(row.get("job_json") or "{}")
    except ValueError:
        whole = {}
    whole = whole if isinstance(whole, dict) else {}
    found = {
        key: next((row[name] for name in names if row.get(name)), None) for key, names in _COLUMNS.items()
    }
    schedule = {key: found[key] for key in ("expr", "tz", "everyMs", "at") if found[key]}
    given = whole.get("payload")
    payload = given if isinstance(given, dict) else {}
    job = {
        **{key: found[key] or whole.get(key) for key in ("id", "name", "agentId")},
        "enabled": bool(row.get("enabled", whole.get("enabled", True))),
        "schedule": schedule or whole.get("schedule"),
        "message": found["text"] or payload.get("message") or payload.get("text"),
    }
    return {key: value for key, value in job.items() if value is not None}
