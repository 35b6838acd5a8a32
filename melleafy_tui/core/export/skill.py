"""The skill of an exported workspace that lets the OpenClaw agent call the converted package."""

import json
import re
from collections.abc import Collection
from typing import Final

from melleafy_tui.core.models.manifest import Manifest
from melleafy_tui.core.visible import visible

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_LONGEST_DESCRIPTION: Final = 300
_BODY: Final = """\
# {title}

`{package}` is this agent as a typed program: the same persona and
rules, with each rule checked on the reply. Use it when the user asks for a reply
that must keep every rule, or when a script needs one.

## Run it

Install it once, from the folder that holds its `pyproject.toml`: `python3 -m pip install .`

1. Write the user's message to a file. Never put it into the command line itself.
2. Run `python3 -m {package} --json < message.txt`
3. Standard output is one JSON object. `text` is the reply, `unmet` lists rules that it does not keep, `notes` what
   the run had to do without. Tell the user of both lists where they are not empty.

An exit status other than 0 means that there is no reply; standard error says why.

## Parameters

| flag | without it |
|---|---|
{rows}
"""


def skill_path(manifest: Manifest, taken: Collection[str]) -> str:
    """Return where the skill lies in a workspace; a name that is taken gets a number.

    Args:
        manifest: The package's manifest.
        taken: Paths of the workspace.
    """
    stem = re.sub(r"[^a-z0-9]+", "-", manifest.package_name.lower()).strip("-")[:60] or "package"
    folders = {
        path.split("/")[1].lower() for path in taken if path.startswith("skills/") and path.count("/") > 1
    }
    name, number = stem, 2
    while name in folders:
        name, number = f"{stem}-{number}", number + 1
    return f"skills/{name}/SKILL.md"


def skill_text(manifest: Manifest, path: str) -> str | None:
    """Return the text of the skill, or None where the manifest's names are none.

    Args:
        manifest: The package's manifest, untrusted.
        path: Where the skill will lie.
    """
    package = manifest.package_name
    names = [parameter.name for parameter in manifest.pipeline_parameters]
    if not all(_NAME.fullmatch(name) for name in (package, *names)):
        return None
    name = path.split("/")[1]
    described = manifest.categories_resolved.get("c1_identity")
    says = (
        next((entry.description for entry in described.entries if entry.description), "") if described else ""
    )
    about = " ".join(visible(says or "").split())[:_LONGEST_DESCRIPTION]
    description = f"Run the converted agent {package}, whose rules are checked in code. {about}".strip()
    metadata = {"openclaw": {"requires": {"bins": ["python3"]}}}
    head = (
        f"---\nname: {name}\ndescription: {json.dumps(description, ensure_ascii=False)}\n"
        f"metadata: {json.dumps(metadata)}\n---\n\n"
    )
    rows = "\n".join(
        f"| `--{parameter.name.replace('_', '-')}` | {'standard input' if parameter.required else 'its default'} |"
        for parameter in manifest.pipeline_parameters
        if parameter.type == "str"
    )
    return head + _BODY.format(title=package.replace("_", " "), package=package, rows=rows)
