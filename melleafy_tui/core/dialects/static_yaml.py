"""Reads YAML files with the lines of their keys and texts, for runtimes whose agents are written in it."""

from typing import Final

import yaml

from melleafy_tui.core.dialects.static_python import Text
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.yaml_block import LARGEST_BLOCK, NoMappingError, check_bounds

Value = Text | list["Value"] | dict[str, "Value"]
"""A value: a text with its lines, a list, or a mapping."""

_BLOCK: Final = ("|", ">")


def read_yaml(file: SourceFile) -> tuple[dict[str, Value], str]:
    """Return the mapping of a file by its keys, and what is wrong with it, or `""`.

    A key that stands twice has its last value, as the loaders have it.
    """
    text = file.text or ""
    if len(text) > LARGEST_BLOCK:
        return {}, f"it has more than {LARGEST_BLOCK:,} characters"
    try:
        check_bounds(text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except NoMappingError as error:
        return {}, str(error)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        return {}, "it is not valid YAML" + (f" (line {mark.line + 1})" if mark is not None else "")
    found = _value(node, file) if node is not None else {}
    return (found, "") if isinstance(found, dict) else ({}, "it is not a mapping")


def _value(node: yaml.Node, file: SourceFile) -> Value:
    if isinstance(node, yaml.MappingNode):
        pairs = ((key.value, value) for key, value in node.value if isinstance(key, yaml.ScalarNode))
        return {str(name): _value(value, file) for name, value in pairs}
    if isinstance(node, yaml.SequenceNode):
        return [_value(each, file) for each in node.value]
    first, last = node.start_mark.line + 1, node.end_mark.line + 1
    if getattr(node, "style", None) not in _BLOCK:
        words = str(node.value)
        if last > first:  # a plain or quoted text over several lines, which YAML joins
            words = " ".join(words.split())
        return Text(words, file, first, last)
    lines = list(file.lines[first : last - (node.end_mark.column == 0)])
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and lines[-1].lstrip().startswith("#") and len(lines) > node.value.count("\n") + 1:
        lines.pop()
    return Text("\n".join(line.rstrip() for line in lines) or "", file, first + 1, first + max(len(lines), 1))
