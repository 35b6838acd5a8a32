"""Reads a skill's scripts and decides whether each can be called unchanged or becomes a stub.

Scripts are never run: Python is parsed, other languages are read line by line.
"""

import re
from pathlib import PurePosixPath
from typing import Final

from melleafy_tui.core.dialects.element_factory import ElementFactory, Home, SourceSpan
from melleafy_tui.core.dialects.tool_facts import shown_call
from melleafy_tui.core.language.wording import first_sentence
from melleafy_tui.core.models.facts import Facts, ToolFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.python_code import facts_of

PYTHON: Final = (".py",)
SHELL: Final = (".sh", ".bash", ".zsh")
RUN: Final = (".js", ".mjs", ".cjs", ".rb", ".pl")
"""Languages that the package runs by their own interpreter."""
OTHER_LANGUAGES: Final = (".ts", ".ps1", ".go", ".rs", ".php", ".r", ".lua")
"""Languages whose scripts become stubs, because they are compiled first or their interpreter is rare."""

_UNFINISHED: Final = re.compile(
    r"NotImplementedError|\b(?:TODO|FIXME)\b[^\n]{0,20}\b(?:implement|write|finish)\b", re.IGNORECASE
)
_COMMENT: Final = re.compile(r"^\s*(?:#|//|--|;)\s?(?P<words>.*)$")


def is_script(path: str) -> bool:
    """Return whether the ending of a file in scripts/ marks it as a program."""
    return PurePosixPath(path).suffix.lower() in (*PYTHON, *SHELL, *RUN, *OTHER_LANGUAGES)


_MODULE: Final = Home(Tag.NO_DECOMPOSE, Category.NONE, "script.module", "")
_MENTION: Final = Home(Tag.NO_DECOMPOSE, Category.NONE, "script.mention", "")
_NOT_USED: Final = "The skill's text doesn't say to run it, so it is no tool."
_STUB: Final = Home(Tag.DETERMINISTIC, Category.C6, "script.stub", "skill.script.stub")
_PROGRAM: Final = Home(Tag.DETERMINISTIC, Category.C6, "script.file", "skill.script")


def read_script(
    file: SourceFile, rule_id: str, *, is_used: bool, calls: tuple[str, ...] = ()
) -> tuple[Element, tuple[Diagnostic, ...]]:
    """Return the single element of a script, with a finding if it becomes a stub.

    Args:
        file: The script.
        rule_id: The file rule that claims it.
        is_used: Whether the skill orders a run of it or describes its use.
        calls: How the skill calls it.
    """
    reason, imported = _obstacle(file)
    name = PurePosixPath(file.path).stem
    about = _description(file)
    shown = f"{name}: {about}" if about else name
    fact = (
        ToolFact(name=name, subtype="abstract", source_script=file.path)
        if reason
        else ToolFact(
            name=name,
            script=file.path,
            command=shown_call(calls),
            subtype="concrete_script",
            calls=calls,
        )
    )
    decision = _MODULE if imported else _decision(reason, is_used=is_used)
    element = ElementFactory(file, rule_id).make(
        SourceSpan(1, len(file.lines), "file"),
        shown,
        decision,
        Facts() if imported else Facts(fact),
        notes=_notes(reason, decision),
    )
    found = (
        (diagnose("skill-script-stub", file.path, reason=reason),)
        if reason and is_used and not imported
        else ()
    )
    return element, found


def _decision(reason: str, *, is_used: bool) -> Home:
    """Return what a script that isn't a module becomes, given why it can't be called unchanged."""
    if not is_used:
        return _MENTION
    return _STUB if reason else _PROGRAM


def _notes(reason: str, decision: Home) -> tuple[str, ...]:
    if reason:
        return (f"{reason[0].upper()}{reason[1:]}.",)
    return (_NOT_USED,) if decision is _MENTION else ()


def _obstacle(file: SourceFile) -> tuple[str, bool]:
    """Return why a script can't be called unchanged, or `""`, and whether it is only meant to be imported."""
    ending = PurePosixPath(file.path).suffix.lower()
    text = file.text or ""
    if ending in OTHER_LANGUAGES:
        return f"it is written in {ending[1:]}, which the package has no interpreter for", False
    if ending in (*SHELL, *RUN):
        if not any(line.strip() and not line.lstrip().startswith("#") for line in file.lines):
            return "it holds no command", False
    elif problem := facts_of(file).problem:
        return f"it does not parse ({problem})", False
    elif not facts_of(file).runs:
        return "it only defines functions and has no entry that can be called", True
    return ("it is unfinished" if _UNFINISHED.search(text) else ""), False


def _description(file: SourceFile) -> str:
    """Return the first sentence of a script's docstring or leading comment."""
    docstring = facts_of(file).docstring if file.path.endswith(PYTHON) else ""
    if docstring:
        return first_sentence(" ".join(docstring.split("\n\n")[0].split()))
    return first_sentence(_leading_comment(file))


def _leading_comment(file: SourceFile) -> str:
    found: list[str] = []
    for line in file.lines:
        match = _COMMENT.match(line)
        if line.startswith("#!") or (not found and not line.strip()):
            continue
        if match is None or not match["words"].strip():
            break
        found.append(match["words"].strip())
    return " ".join(found)
