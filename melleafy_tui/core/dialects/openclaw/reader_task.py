"""What a reader of one file is given."""

from msgspec import Struct

from melleafy_tui.core.dialects.base import FileRule, ReadingContext
from melleafy_tui.core.dialects.element_factory import ElementFactory
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile


class Task(Struct, frozen=True):
    """One file to cut into elements, with the row that claims it."""

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
        """Return what makes the file's elements."""
        return ElementFactory(self.file, self.rule_id)
