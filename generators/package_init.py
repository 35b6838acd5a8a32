"""Emits the package's door: __init__.py, __main__.py and py.typed."""

from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.vocabulary import UNKNOWN_RUNTIME
from melleafy_tui.generators.document_words import runtime_title
from melleafy_tui.generators.literals import plain_words
from melleafy_tui.generators.provenance import Page

PACKAGE_VERSION: Final = "0.1.0"
"""The version that a package is born with; its owner counts on from there."""

_EXPORTS: Final = """from .pipeline import BackendError, PipelineError, run_pipeline
from .schemas import AgentReply

__all__ = ["AgentReply", "BackendError", "PipelineError", "run_pipeline"]"""


def generate_package_init(committed: CommittedPlan) -> list[EmittedFile]:
    """Return __init__.py, __main__.py and py.typed."""
    folder = committed.package_name
    classification = committed.classification
    runtime = classification.hybrid_primary or classification.source_runtime
    init = Page(f"{folder}/__init__.py")
    origin = committed.source_titles.get(runtime) or _of_other_runtime(committed, runtime)
    init.add(f'"""{plain_words(committed.project_name)}: an agent converted from {plain_words(origin)}."""')
    init.blank()
    init.add(_EXPORTS)
    main = Page(f"{folder}/__main__.py")
    main.add(
        f'"""Run the agent with `python -m {folder}`."""\n\nimport sys\n\nfrom .main import main\n\nsys.exit(main())'
    )
    return [init.emitted(), main.emitted(), EmittedFile(f"{folder}/py.typed", b"")]


def _of_other_runtime(committed: CommittedPlan, runtime: str) -> str:
    if runtime == UNKNOWN_RUNTIME:
        return "a workspace"
    return f"a workspace of {runtime_title(runtime, committed)}"
