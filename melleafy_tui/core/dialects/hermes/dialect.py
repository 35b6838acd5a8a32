"""The Hermes dialect: a home folder with SOUL.md, `memories/`, `config.yaml` and `cron/`.

Its documents have the form of OpenClaw's, so OpenClaw's readers read them under the rows of the same documents there.
Imports that only reading needs are made in the methods: every conversion asks every dialect which files it wants.
"""

import re
from typing import Final

from melleafy_tui.core.dialects.base import Dialect, FileRule, Reading, ReadingContext
from melleafy_tui.core.dialects.element_factory import (
    UNCONVERTED,
    ElementFactory,
    Home,
    SourceSpan,
    listed_file,
    unread_file,
)
from melleafy_tui.core.dialects.signals import SIGNAL_TABLES
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule
from melleafy_tui.core.models.inventory import Element, InventoriedFile
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Runtime

RUNTIME: Final = Runtime.HERMES.value
_AS: Final = {
    "SOUL.md": "SOUL.md",
    "AGENTS.md": "AGENTS.md",
    "memories/USER.md": "USER.md",
    "memories/MEMORY.md": "MEMORY.md",
    "cron/jobs.json": "cron/jobs.json",
    ".env": ".env",
}
"""The file of OpenClaw whose form each file has."""

CONFIGURATION: Final = FileRule("hermes.config", "config.yaml", "configuration of Hermes", Category.NONE)
SKILL: Final = FileRule("openclaw.skill", "skills/**/SKILL.md", "skill of the home", Category.C6)
FILE_RULES: Final = (
    FileRule("hermes.soul", "SOUL.md", "persona", Category.C1, expected=True),
    FileRule("hermes.agents", "AGENTS.md", "operating rules", Category.C2),
    FileRule("hermes.user", "memories/USER.md", "user facts", Category.C3),
    FileRule("hermes.memory", "memories/MEMORY.md", "long-term memory", Category.C5),
    FileRule("hermes.cron", "cron/jobs.json", "scheduled jobs", Category.C9),
    FileRule("hermes.env", ".env", "environment variables", Category.C7),
    CONFIGURATION,
    SKILL,
)

_KEY: Final = re.compile(r"(?P<key>[A-Za-z_][\w-]*):")
_SKILL: Final = re.compile(r"skills/(?:[^/]+/)*SKILL\.md")


class HermesDialect(Dialect):
    """Hermes homes: SOUL.md, `memories/MEMORY.md`, `memories/USER.md`, `config.yaml`, `cron/`."""

    runtime = RUNTIME
    title = "Hermes"
    source_title = "a Hermes home"
    signals = SIGNAL_TABLES[RUNTIME]
    file_rules = FILE_RULES
    tables = ("openclaw", "agent_skills")
    surfaces = (*(rule.pattern for rule in FILE_RULES[:-1]), "skills/**")

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
        """Return every modality signal: the jobs."""
        from melleafy_tui.core.dialects.openclaw.modality import modality_evidence

        return modality_evidence(snapshot)

    def schedule(self, snapshot: Snapshot) -> Schedule:
        """Return the declared schedule: that of the jobs."""
        from melleafy_tui.core.dialects.openclaw.modality import schedule

        return schedule(snapshot)

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        return path in _AS or path == CONFIGURATION.pattern or _SKILL.fullmatch(path) is not None

    def belonging(self, snapshot: Snapshot) -> list[str]:
        """Return the documents that the persona and the rules name."""
        from melleafy_tui.core.dialects.named_documents import documents_in

        texts = (snapshot.file(path) for path in ("SOUL.md", "AGENTS.md"))
        return [
            name for file in texts if file is not None for name in documents_in(file.text or "", snapshot)
        ]

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:
        """Return the files and elements of a home."""
        from melleafy_tui.core.dialects.named_documents import read_documents

        files: list[InventoriedFile] = []
        elements: list[Element] = []
        for rule in FILE_RULES:
            paths = [each.path for each in snapshot.files if _is_of(each.path, rule)]
            if not paths and rule.expected:
                files.append(unread_file(rule.pattern, rule, RUNTIME, status="absent"))
            for path in paths:
                source = snapshot.file(path)
                if source is not None and source.text is not None:
                    files.append(listed_file(source, rule, RUNTIME))
                    elements += _elements(source, rule, snapshot, context)
        ordered = [*read_documents(elements, {file.path for file in files}, snapshot, RUNTIME)]
        return Reading(
            (*files, *(listed for listed, _ in ordered)),
            (*elements, *(element for _, element in ordered if element is not None)),
        )


def _is_of(path: str, rule: FileRule) -> bool:
    return path == rule.pattern or (rule is SKILL and _SKILL.fullmatch(path) is not None)


def _elements(
    source: SourceFile, rule: FileRule, snapshot: Snapshot, context: ReadingContext
) -> list[Element]:
    from melleafy_tui.core.dialects.openclaw.file_rules import rule_for
    from melleafy_tui.core.dialects.openclaw.reader import READERS
    from melleafy_tui.core.dialects.openclaw.reader_task import Task

    if rule is CONFIGURATION:
        return _keys(source)
    as_rule = SKILL if rule is SKILL else rule_for(_AS[source.path])
    return READERS[as_rule.rule_id](Task(source, as_rule, snapshot, context)) if as_rule is not None else []


def _keys(source: SourceFile) -> list[Element]:
    """Return a line for each key of the configuration: it runs Hermes, and the package has settings of its own."""
    starts = [number for number, line in enumerate(source.lines, 1) if _KEY.match(line)]
    ends = [*(start - 1 for start in starts[1:]), len(source.lines)]
    first = [(1, starts[0] - 1)] if starts and starts[0] > 1 else []
    factory = ElementFactory(source, CONFIGURATION.rule_id)
    found = []
    for start, end in (*first, *zip(starts, ends, strict=True)):
        key = match["key"] if (match := _KEY.match(source.lines[start - 1])) else "comment"
        shown = f"{key}: how Hermes itself runs; the package has settings of its own"
        home = Home(*UNCONVERTED, "a key of the configuration")
        found.append(factory.make(SourceSpan(start, end, "json"), shown, home, summary=shown))
    return found
