"""The one way from a template to an emitted document: every workspace text passes a filter of `markdown_text`."""

from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.generators.environment import render_template


def document(path: str, template: str, **values: object) -> EmittedFile:
    """Return the emitted file at `path`, rendered from one of our templates."""
    return EmittedFile(path, _folded(render_template(template, **values)).encode("utf-8"))


def _folded(text: str) -> str:
    """Return the text with the runs of empty lines folded that conditions leave behind outside of fenced blocks."""
    if not text.startswith("```") and "\n```" not in text:
        stripped = [line.rstrip() for line in text.split("\n")]
        folded = [line for line, above in zip(stripped, ["", *stripped], strict=False) if line or above]
        return "\n".join(folded).rstrip("\n") + "\n"
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        kept = line if fence else line.rstrip()
        if not fence and kept == "" and (not lines or lines[-1] == ""):
            continue
        if kept.startswith("```"):
            ticks = kept[: len(kept) - len(kept.lstrip("`"))]
            if not fence:
                fence = ticks
            elif kept == ticks and len(ticks) >= len(fence):
                fence = ""
        lines.append(kept)
    return "\n".join(lines).rstrip("\n") + "\n"
