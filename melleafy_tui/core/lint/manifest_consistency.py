"""`melleafy.json` says the same as the code, the plan and the classification."""

import ast
from collections import Counter
from collections.abc import Iterator

from pydantic import ValidationError

from melleafy_tui.core.lint.artifacts import text_of
from melleafy_tui.core.lint.module import Problem
from melleafy_tui.core.lint.syntax import Function, defaults, function_named, parameters
from melleafy_tui.core.lint.view import ENVIRONMENT_EXAMPLE, NotValidatable, PackageView
from melleafy_tui.core.models.manifest import Manifest
from melleafy_tui.core.models.vocabulary import PLAN_CATEGORIES, Category
from melleafy_tui.core.python_syntax import parse_python

NAME = "melleafy.json"
_MANIFEST_CONSISTENCY_HINT = "Convert again, or make the manifest say what the package does."
CATEGORIES = tuple(name for category, name in PLAN_CATEGORIES.items() if category is not Category.NONE)
FROM_CLASSIFICATION = ("source_runtime", "modality", "archetype", "shape", "tool_involvement")


def check_manifest_consistency(view: PackageView) -> Iterator[Problem]:
    """Yield where the manifest and the package differ."""
    try:
        manifest = Manifest.model_validate(view.artifact(NAME))
    except ValidationError as error:
        for found in error.errors()[:10]:
            place = ".".join(map(str, found["loc"]))
            yield view.problem(NAME, f"{place}: {found['msg']}", _MANIFEST_CONSISTENCY_HINT)
        return
    if manifest.package_name != view.package:
        yield view.problem(
            NAME,
            f"package_name is {manifest.package_name}, the folder {view.package}",
            _MANIFEST_CONSISTENCY_HINT,
        )
    yield from _signature(view, manifest)
    yield from _categories(view, manifest)
    yield from _against(view, "intermediate/classification.json", manifest, FROM_CLASSIFICATION)
    yield from _against(
        view, "intermediate/runtime_directive.json", manifest, ("backend", "model_id", "persona_channel")
    )
    yield from _variables(view, manifest)


def _signature(view: PackageView, manifest: Manifest) -> Iterator[Problem]:
    try:
        declared = parse_python(f"def {manifest.entry_signature}: ...").body[0]
    except SyntaxError:
        declared = None
    if not isinstance(declared, ast.FunctionDef) or manifest.entry_signature.startswith("def "):
        yield view.problem(
            NAME, "entry_signature is no signature", "Write run_pipeline(message: str) -> AgentReply."
        )
        return
    pipeline = view.module_at("pipeline.py")
    entry = function_named(pipeline, "run_pipeline") if pipeline else None
    if entry is None:
        raise NotValidatable("pipeline.py has no run_pipeline")
    if _shape(declared) != _shape(entry):
        yield view.problem(
            NAME, "entry_signature differs from run_pipeline in pipeline.py", _MANIFEST_CONSISTENCY_HINT
        )
    listed = [(found.name, found.required) for found in manifest.pipeline_parameters]
    actual = [(found.arg, found.arg not in defaults(entry)) for found in parameters(entry)]
    if listed != actual:
        yield view.problem(
            NAME, "pipeline_parameters differs from run_pipeline in pipeline.py", _MANIFEST_CONSISTENCY_HINT
        )


def _shape(function: Function) -> tuple[object, ...]:
    """Return names, types, which have a default, and the return type; defaults themselves may be shortened."""
    given = defaults(function)
    declared = [
        (found.arg, ast.unparse(found.annotation) if found.annotation else "", found.arg in given)
        for found in parameters(function)
    ]
    return (function.name, *declared, ast.unparse(function.returns) if function.returns else "")


def _categories(view: PackageView, manifest: Manifest) -> Iterator[Problem]:
    resolved = manifest.categories_resolved
    if sorted(resolved) != sorted(CATEGORIES):
        yield view.problem(
            NAME, "categories_resolved does not have the nine categories", _MANIFEST_CONSISTENCY_HINT
        )
    for name, category in resolved.items():
        counted = Counter(entry.disposition for entry in category.entries)
        if category.count != len(category.entries) or dict(counted) != dict(category.dispositions):
            yield view.problem(
                NAME, f"the counts of {name} differ from its entries", _MANIFEST_CONSISTENCY_HINT
            )
    planned = {
        text_of(row, "entry_id"): (
            text_of(row, "disposition"),
            text_of(row, "source_of_decision"),
            text_of(row, "target"),
        )
        for row in view.rows("intermediate/dependency_plan.json", "entries")
        if text_of(row, "category") in CATEGORIES
    }
    shown = {
        entry.entry_id: (str(entry.disposition), str(entry.source_of_decision), entry.target)
        for category in resolved.values()
        for entry in category.entries
    }
    for entry_id in sorted(planned.keys() | shown.keys()) if planned != shown else ():
        if planned.get(entry_id) != shown.get(entry_id):
            yield view.problem(
                NAME, f"{entry_id} differs from the dependency plan", _MANIFEST_CONSISTENCY_HINT
            )


def _against(
    view: PackageView, artifact: str, manifest: Manifest, keys: tuple[str, ...]
) -> Iterator[Problem]:
    data = view.artifact(artifact)
    for key in keys:
        if str(getattr(manifest, key)) != text_of(data, key):
            said = f"{key} is {getattr(manifest, key)}, {artifact} says {text_of(data, key)}"
            yield view.problem(NAME, said, _MANIFEST_CONSISTENCY_HINT)


def _variables(view: PackageView, manifest: Manifest) -> Iterator[Problem]:
    if not manifest.declared_env_vars or view.stands_alone:
        return
    file = view.file(ENVIRONMENT_EXAMPLE)
    lines = file.text.splitlines() if file else []
    names = {line.strip().removeprefix("#").strip().partition("=")[0].strip() for line in lines}
    for variable in manifest.declared_env_vars:
        if variable not in names:
            yield view.problem(
                NAME, f"{variable} is declared and not in .env.example", "Add it to .env.example."
            )
