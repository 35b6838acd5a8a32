"""Finds the programs that a skill's fences run: without `allowed-tools`, the host runs them through one stub."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from melleafy_tui.core.dialects.agent_skills.body import is_aside, is_maintenance
from melleafy_tui.core.dialects.agent_skills.tool_grants import ABOUT, BASH
from melleafy_tui.core.dialects.element_factory import ElementFactory, Home, SourceSpan
from melleafy_tui.core.dialects.tool_facts import SCRIPTS, is_use_refused
from melleafy_tui.core.models.facts import Facts, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.segments import Segment

MOST_NAMED: Final = 8
"""Programs that the stub's description names."""

_CONTINUED: Final = re.compile(r"\\\n\s*")
_PROGRAM: Final = re.compile(
    r"(?:[$>] )?(?:[A-Z_]\w*=\S* )*(?:(?:sudo|time|nohup|timeout \S+) )*"
    r"(?P<program>[a-z][\w+-]{1,40})(?= |$)(?! ?=)(?P<rest>[^\n]*)"
)
_INSTALLS: Final = re.compile(r" (?:\S+ )?(?:install|add|i|get|login|init|update|upgrade)\b")
_INSTALLERS: Final = frozenset(
    """
    apt apt-get brew bun cargo conda dnf gem go npm npx pip pip3 pipx pnpm poetry uv winget yarn
    """.split()  # noqa: SIM905 - a word list is easier to read in one piece
)
_SHELL: Final = frozenset(
    """
    alias awk break case cat cd chmod cp curl declare do done echo elif else env esac eval exit export false fi for
    function grep head if in kill let local ls mkdir mv printf pwd read return rm sed select set shift sleep sort source
    tail tee test then touch trap true type ulimit umask unset until wait wget while which xargs
    """.split()  # noqa: SIM905 - a word list is easier to read in one piece
)
"""Words of the shell and its everyday tools, which name no program of the skill."""


def commands_element(file: SourceFile, rule_id: str, fences: Iterable[Segment]) -> Element | None:
    """Return one element for all programs that a skill's command fences run, or None if they run none.

    Args:
        file: The spec.
        rule_id: The id of its file rule.
        fences: The fences of shell commands, in source order.
    """
    used = [(fence, programs) for fence in fences if (programs := tuple(_programs(fence)))]
    if not used:
        return None
    first = used[0][0]
    programs = tuple(dict.fromkeys(program for _, found in used for program in found))
    patterns = tuple(f"{program} *" for program in programs[:MOST_NAMED])
    return ElementFactory(file, rule_id).make(
        SourceSpan(first.first, first.last, "grant", section=first.section),
        f"{BASH}: {ABOUT[BASH]}, within {', '.join(patterns)}",
        Home(Tag.TOOL_TEMPLATE, Category.C6, "skill.commands", "skill.commands"),
        Facts(ToolFact(name=BASH, grant="Bash", subtype="abstract", patterns=patterns)),
        notes=("The skill runs programs and names no allowed-tools.",),
    )


def _programs(fence: Segment) -> Iterator[str]:
    """Yield the programs that a fence runs; setup, examples and what is forbidden run none."""
    if is_use_refused(fence) or is_aside(fence.section) or is_maintenance(fence.section):
        return
    for line in _command_lines(_CONTINUED.sub(" ", "\n".join(fence.lines)).splitlines()):
        found = _PROGRAM.match(line)
        if found is None or found["program"] in _SHELL:
            continue
        installs = found["program"] in _INSTALLERS and _INSTALLS.match(found["rest"])
        if not installs and not any(ending in found["rest"] for ending in SCRIPTS):
            yield found["program"]


def _command_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that begin a command, without those of a here-document or of a quoted text."""
    ending = quote = ""
    for line in lines:
        if ending:
            ending = "" if line.strip() == ending else ending
        elif quote:
            quote = "" if line.count(quote) % 2 else quote
        else:
            yield line
            opened = _HERE_DOCUMENT.search(line)
            ending = opened["end"] if opened else ""
            quote = "" if ending else next((mark for mark in "\"'" if line.count(mark) % 2), "")


_HERE_DOCUMENT: Final = re.compile(r"<<-?[ ]?[\"']?(?P<end>\w+)")
