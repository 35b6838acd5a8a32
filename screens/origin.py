"""Shows which source lines a line of an emitted file came from."""

from textual.app import ComposeResult
from textual.containers import Vertical

from melleafy_tui.actions.labels import element_title
from melleafy_tui.actions.traceability import provenance_at
from melleafy_tui.core.models.file_set import EmittedFile, LineProvenance
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.widgets.file_view import FileView
from melleafy_tui.widgets.styled_text import Line, Span, StyledText, Tone
from melleafy_tui.widgets.syntax import coloured


class Origin(Vertical):
    """One line that names the source, and the source itself."""

    def compose(self) -> ComposeResult:
        """Yield the line and the source."""
        self.border_title = "Where the line came from"
        yield StyledText(id="origin-line")
        yield FileView(id="origin-source")

    def show_line(self, conversion: Conversion, file: EmittedFile, line: int) -> None:
        """Show the source of a line of an emitted file."""
        found = provenance_at(file, line)
        element = conversion.inventory.by_id.get(found.element_id) if found else None
        title = element_title(element) if element else ""
        self.query_one("#origin-line", StyledText).show_lines([origin_line(found, title)])
        view = self.query_one("#origin-source", FileView)
        source = conversion.snapshot.file(found.source_file) if found else None
        if found is None or source is None:
            view.show_lines([])
            return
        lines = list(source.lines)
        path = found.source_file
        view.show_lines(lines, colour=lambda texts: coloured(path, texts))
        first, _, last = found.source_lines.partition("-")
        if first.isdigit():
            view.highlight(int(first), int(last or first))


def origin_line(origin: LineProvenance | None, title: str) -> Line:
    """Return one line that says where an emitted line came from."""
    if origin is None:
        return (("Generated code, no source line.", Tone.MUTED),)
    spans: list[Span] = [("← ", Tone.ACCENT), (f"{origin.source_file}:{origin.source_lines}", Tone.INFO)]
    if title:
        spans.append((f"  {title}", Tone.TEXT))
    return tuple(spans)
