"""The floors as programs of their own: what no tool of this kind can do without.

    python -m benchmarks.floors read SOURCE
    python -m benchmarks.floors convert SOURCE WRITTEN OUT

`read` walks a folder, looks at every file, reads what isn't code, and parses its frontmatter with PyYAML's C loader.
`convert` imports what a conversion needs, reads the source, parses its Markdown into blocks, validates the elements
that a conversion found, renders one template, and writes the bytes that it wrote (WRITTEN) to OUT.
"""

import re
import sys
from pathlib import Path

FRONTMATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)


def read(source: Path) -> list[str]:
    """Look at every file, read what isn't code, and parse its frontmatter."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    texts = []
    for path in sorted(source.rglob("*")):
        if path.is_file() and path.suffix != ".py":
            text = path.read_bytes().decode("utf-8", "replace")
            texts.append(text)
            if found := FRONTMATTER.match(text):
                yaml.load(found[1], Loader=loader)
    return texts


def convert(source: Path, written: Path, out: Path) -> None:
    """Do the least that a conversion does."""
    import jinja2
    from markdown_it import MarkdownIt
    from pydantic import BaseModel, TypeAdapter

    class Element(BaseModel):
        element_id: str
        source_file: str
        source_lines: str
        tag: str
        content_summary: str

    class Inventory(BaseModel):
        elements: list[Element]

    parser = MarkdownIt("commonmark").enable("table").disable("inline")
    for text in read(source):
        parser.parse(text)
    for path in written.rglob("intermediate/inventory.json"):
        TypeAdapter(Inventory).validate_json(path.read_bytes())
    jinja2.Environment(autoescape=False).from_string("{{ name }}").render(name="x")
    for path in sorted(written.rglob("*")):
        if path.is_file():
            target = out / path.relative_to(written)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())


if __name__ == "__main__":
    if sys.argv[1] == "read":
        read(Path(sys.argv[2]))
    else:
        convert(*map(Path, sys.argv[2:5]))
