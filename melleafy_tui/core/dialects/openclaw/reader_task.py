"""The input of every reader of one OpenClaw file."""

from msgspec import Struct

from melleafy_tui.core.dialects.base import FileRule, ReadingContext
from melleafy_tui.core.dialects.element_factory import ElementFactory
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile


class Task(Struct, frozen=True):
    """One file to split into elements, with its file rule."""

    file: SourceFile
    rule: FileRule
    snapshot: Snapshot
    context: ReadingContext

    @property
    def rule_id(self) -> str:
        """Return the id of the file rule."""
        return self.rule.rule_id

    @property
    def factory(self) -> ElementFactory:
        """Return the factory for the file's elements."""
        return ElementFactory(self.file, self.rule_id)
