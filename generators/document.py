"""The one way from a template to an emitted document: every workspace text passes a filter of `markdown_text`."""

from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.generators.environment import render_template


def document(path: str, template: str, **values: object) -> EmittedFile:
    """Return the emitted file at `path`, rendered from one of our templates."""
    lines = _folded(render_template(template, **values).split("\n"))
    return EmittedFile(path, "\n".join(lines).encode("utf-8"))


def _folded(lines: list[str]) -> list[str]:
    """Return the lines with the runs of empty ones folded that conditions leave behind outside of fenced blocks.

    The last one is empty, so that the text ends with one line end.
    """
    folded = (
        _folded_outside_fences(lines)
        if any(line.startswith("```") for line in lines)
        else _folded_plain(lines)
    )
    while folded and not folded[-1]:
        folded.pop()
    return [*folded, ""]


def _folded_plain(lines: list[str]) -> list[str]:
    stripped = [line.rstrip() for line in lines]
    return [line for line, above in zip(stripped, ["", *stripped], strict=False) if line or above]


def _folded_outside_fences(lines: list[str]) -> list[str]:
    folded: list[str] = []
    fence = ""
    for line in lines:
        kept = line if fence else line.rstrip()
        if not fence and kept == "" and (not folded or folded[-1] == ""):
            continue
        if kept.startswith("```"):
            ticks = kept[: len(kept) - len(kept.lstrip("`"))]
            if not fence:
                fence = ticks
            elif kept == ticks and len(ticks) >= len(fence):
                fence = ""
        folded.append(kept)
    return folded
