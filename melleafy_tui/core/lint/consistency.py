"""Lints that compare the manifest, the persona channel and the runtime defaults with the emitted code."""

import ast
from collections import Counter
from collections.abc import Iterator

from msgspec import ValidationError, convert

from melleafy_tui.core.language.python_syntax import parse_python
from melleafy_tui.core.lint.artifacts import text_of
from melleafy_tui.core.lint.modules import (
    Function,
    Module,
    Problem,
    called,
    defaults,
    function_named,
    keyword,
    parameters,
    session_calls,
)
from melleafy_tui.core.lint.view import ENVIRONMENT_EXAMPLE, NotValidatable, PackageView
from melleafy_tui.core.models.manifest import Manifest
from melleafy_tui.core.models.vocabulary import PLAN_CATEGORIES, Category

NAME = "melleafy.json"
_MANIFEST_CONSISTENCY_HINT = "Convert again, or make the manifest say what the package does."
CATEGORIES = tuple(name for category, name in PLAN_CATEGORIES.items() if category is not Category.NONE)
FROM_CLASSIFICATION = ("source_runtime", "modality", "archetype", "shape", "tool_involvement")


def check_manifest_consistency(view: PackageView) -> Iterator[Problem]:
    """Yield each difference between the manifest and the code, plan and classification."""
    document = view.artifact(NAME)
    try:
        manifest = convert(document, Manifest)
    except ValidationError:
        yield from _malformed(view, document)
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


def _malformed(view: PackageView, document: object) -> Iterator[Problem]:
    """Yield what is wrong with a manifest, all of it: msgspec stops at the first error."""
    from pydantic import TypeAdapter
    from pydantic import ValidationError as Malformed

    try:
        TypeAdapter(Manifest).validate_python(document)
    except Malformed as error:
        for found in error.errors()[:10]:
            place = ".".join(map(str, found["loc"]))
            yield view.problem(NAME, f"{place}: {found['msg']}", _MANIFEST_CONSISTENCY_HINT)


def _signature(view: PackageView, manifest: Manifest) -> Iterator[Problem]:
    try:
        declared = parse_python(f"def {manifest.entry_signature}: ...").body[0]
    except SyntaxError:
        declared = None
    if not isinstance(declared, ast.FunctionDef) or manifest.entry_signature.startswith("def "):
        yield view.problem(
            NAME, "entry_signature is not a signature", "Write run_pipeline(message: str) -> AgentReply."
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
    """Return the parameter names and types, which ones have a default, and the return type.

    The defaults themselves are left out, because the manifest may shorten them.
    """
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
    shown = {
        entry.entry_id: (str(entry.disposition), str(entry.source_of_decision), entry.target)
        for category in resolved.values()
        for entry in category.entries
    }
    for entry_id in sorted({entry_id for entry_id, _ in shown.items() ^ _planned(view).items()}):
        yield view.problem(NAME, f"{entry_id} differs from the dependency plan", _MANIFEST_CONSISTENCY_HINT)


def _planned(view: PackageView) -> dict[str, tuple[str, str, str]]:
    """Return disposition, source of the decision and target of each plan entry."""
    return {
        text_of(row, "entry_id"): (
            text_of(row, "disposition"),
            text_of(row, "source_of_decision"),
            text_of(row, "target"),
        )
        for row in view.rows("intermediate/dependency_plan.json", "entries")
        if text_of(row, "category") in CATEGORIES
    }


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


DIRECTIVE = "intermediate/runtime_directive.json"
PREFIX, SYSTEM = "prefix", "system"
HINTS = {
    PREFIX: "Pass prefix=config.PREFIX_TEXT.",
    SYSTEM: "Pass model_options={ModelOption.SYSTEM_PROMPT: config.PREFIX_TEXT}.",
}


def check_persona_channel(view: PackageView) -> Iterator[Problem]:
    """Yield the model calls that are not given the persona."""
    config = view.module("config.py")
    if "PREFIX_TEXT" not in config.defined:
        return
    try:
        wanted = text_of(view.artifact(DIRECTIVE), "persona_channel")
    except NotValidatable:
        wanted = ""
    for module in view.modules.values():
        for call in session_calls(module):
            if getattr(call.func, "attr", "") not in ("instruct", "ainstruct"):
                continue
            channel = _channel(call)
            wanted = wanted or channel or PREFIX
            if channel != wanted:
                said = (
                    "the persona does not reach this call"
                    if not channel
                    else f"the persona goes by {channel}"
                )
                yield module.problem(call, f"{said}, the settings say {wanted}", HINTS.get(wanted, ""))


def _channel(call: ast.Call) -> str:
    options = keyword(call, "model_options")
    if options is not None and "SYSTEM_PROMPT" in ast.unparse(options):
        return SYSTEM
    prefix = keyword(call, "prefix")
    return PREFIX if prefix is not None and not isinstance(prefix, ast.Constant) else ""


CONSTANTS = {"BACKEND": "backend", "MODEL_ID": "model_id"}


def check_runtime_defaults(view: PackageView) -> Iterator[Problem]:
    """Yield the backend and model settings that are missing, differ from the runtime directive or are not used."""
    config = view.module("config.py")
    try:
        directive = view.artifact(DIRECTIVE)
    except NotValidatable:
        directive = {}
    for name, key in CONSTANTS.items():
        value = _constant(config, name)
        if value is None:
            yield view.problem("config.py", f"there is no constant {name}", f'Write {name}: Final = "…".')
        elif directive and value != text_of(directive, key):
            said = f"{name} is {value!r}, the runtime directive says {text_of(directive, key)!r}"
            yield config.problem(config.defined[name], said, "Make the two agree.")
    for module in view.modules.values():
        yield from _sessions(module)
    yield from _entry(view)


def _constant(config: Module, name: str) -> str | None:
    found = config.defined.get(name)
    value = found.value if isinstance(found, ast.Assign | ast.AnnAssign) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def _sessions(module: Module) -> Iterator[Problem]:
    for call in module.calls if module.may_call("start_session") else ():
        if called(call) != "start_session":
            continue
        given = [
            *call.args[:2],
            *(k.value for k in call.keywords if k.arg in ("backend_name", "model_id", None)),
        ]
        if len(given) < 2 and not _is_unpacked(call):
            what = "a session is opened without backend and model"
            yield module.problem(call, what, "Pass config.BACKEND and config.MODEL_ID.")
        for part in given:
            if isinstance(part, ast.Constant):
                what = f"a session is opened with the literal {part.value!r}"
                yield module.problem(part, what, "Pass config.BACKEND and config.MODEL_ID.")


def _is_unpacked(call: ast.Call) -> bool:
    """Return whether a call gets arguments from `*` or `**`."""
    starred = any(isinstance(part, ast.Starred) for part in call.args)
    return starred or any(keyword.arg is None for keyword in call.keywords)


def _entry(view: PackageView) -> Iterator[Problem]:
    pipeline = view.module_at("pipeline.py")
    entry = function_named(pipeline, "run_pipeline") if pipeline else None
    if pipeline is None or entry is None:
        return
    for name, default in defaults(entry).items():
        if not isinstance(default, ast.Constant):
            yield pipeline.problem(
                default, f"the default of {name} is not a literal", "Use a literal, and resolve it inside."
            )
