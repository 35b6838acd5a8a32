# Static module of melleafy-tui 0.2.0, not to be edited.
"""Asks the package of another agent, which `convert --all` writes beside this one."""

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from .tool_calls import shared
from .tools_common import ToolRefused, canned_answer

PACKAGE = Path(__file__).parents[1]
MAX_HANDOVERS = 3
"""The most agents that are asked in a run, those included whom an asked one asks."""


def ask_agent(workspace: str, question: str) -> str:
    """Ask the package made from a workspace and return its reply.

    It runs in this process with its own configuration, policy, memory and variables.
    Only the question crosses, quoted; what its source wants confirmed is refused.

    Args:
        workspace: The folder of the workspace, beside the one of this package.
        question: What it is asked.

    Raises:
        NotImplementedError: its package isn't beside this one.
        ToolRefused: the agent waits for an answer itself, or enough agents were asked.
    """
    known, answer = canned_answer(f"ask {workspace}: {question}")
    if known:
        return str(answer)
    package = _beside(workspace)
    run = shared.get({})
    waiting = run.get("waiting", (PACKAGE,))
    asked = run.setdefault("asked", [])
    if package in waiting:
        raise ToolRefused(f"{workspace} waits for an answer itself")
    if len(asked) == MAX_HANDOVERS:
        raise ToolRefused(f"{MAX_HANDOVERS} agents were asked in this run")
    asked.append(package)
    # Under a name of its own: two packages may have the same one.
    name = f"{package.name} in {package.parent}".replace(".", "_")
    _load(name, package)
    pipeline = import_module(f"{name}.pipeline")
    if its_calls := sys.modules.get(f"{name}._runtime.tool_calls"):
        its_calls.shared.set({"asked": asked, "waiting": (*waiting, package)})
    quoted = "\n".join(f"> {line}" for line in question.splitlines())
    reply = pipeline.run_pipeline(f"Another agent asks:\n\n{quoted}")
    return str(getattr(reply, "text", "") or reply.model_dump_json())


def _beside(workspace: str) -> Path:
    """Return the folder of the package made from a workspace beside this one's."""
    # `convert --all` puts the folders above a workspace before its name.
    above, mark, _ = PACKAGE.parent.name.rpartition("--")
    folder = PACKAGE.parent.with_name(f"{above}{mark}{workspace}")
    found = [path.parent for path in folder.glob("*/melleafy.json")]
    if len(found) != 1:
        raise NotImplementedError(f"{folder} doesn't have the package of that agent")
    return found[0]


def _load(name: str, package: Path) -> None:
    """Import a package under another name, whole or not at all."""
    if name in sys.modules:
        return
    inside = [str(package)]
    path = package / "__init__.py"
    spec = spec_from_file_location(name, path, submodule_search_locations=inside)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
