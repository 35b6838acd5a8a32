"""Lints that compare the manifest, the persona channel and the runtime defaults with the emitted code."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import ValidationError, convert

from melleafy_tui.core.language.python_syntax import parse_python, text_in
from melleafy_tui.core.lint.linted_package import ENVIRONMENT_EXAMPLE, PLAN, NotValidatable, Package
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
from melleafy_tui.core.models.manifest import Manifest, ResolvedEntry
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.vocabulary import CATEGORIES, Category
from melleafy_tui.core.source.json5 import prepared

NAME: Final = "melleafy.json"
CLASSIFICATION: Final = "intermediate/classification.json"
DIRECTIVE: Final = "intermediate/runtime_directive.json"
_NAMES: Final = tuple(
    facts.plan_name for category, facts in CATEGORIES.items() if category is not Category.NONE
)
REPEATED: Final = {
    CLASSIFICATION: ("source_runtime", "modality", "archetype", "shape", "tool_involvement"),
    DIRECTIVE: ("backend", "model_id", "persona_channel"),
}
"""Fields of the manifest that repeat another record, by record."""

Fields = dict[str, object]


def check_manifest_consistency(package: Package) -> Iterator[Problem]:
    """Yield each difference between the manifest and the code, plan and classification."""
    document = package.record(NAME, Fields)
    try:
        manifest = convert(document, prepared(Manifest))
    except ValidationError as error:
        yield package.problem(NAME, str(error))
        return
    if manifest.package_name != package.name:
        yield package.problem(NAME, f"package_name is {manifest.package_name}, the folder {package.name}")
    yield from _signature(package, manifest)
    yield from _categories(package, manifest)
    for record, keys in REPEATED.items():
        fields = package.record(record, Fields)
        for key in keys:
            said, other = str(getattr(manifest, key)), fields.get(key, "")
            if said != other:
                yield package.problem(NAME, f"{key} is {said}, {record} says {other}")
    yield from _variables(package, manifest)


def _signature(package: Package, manifest: Manifest) -> Iterator[Problem]:
    try:
        declared = parse_python(f"def {manifest.entry_signature}: ...").body[0]
    except SyntaxError:
        declared = None
    if not isinstance(declared, ast.FunctionDef) or manifest.entry_signature.startswith("def "):
        hint = "Write run_pipeline(message: str) -> AgentReply."
        yield package.problem(NAME, "entry_signature is not a signature", hint)
        return
    entry = package.entry
    if _shape(declared) != _shape(entry):
        yield package.problem(NAME, "entry_signature differs from run_pipeline in pipeline.py")
    listed = [(found.name, found.required) for found in manifest.pipeline_parameters]
    if listed != [(found.arg, found.arg not in defaults(entry)) for found in parameters(entry)]:
        yield package.problem(NAME, "pipeline_parameters differs from run_pipeline in pipeline.py")


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


def _categories(package: Package, manifest: Manifest) -> Iterator[Problem]:
    resolved = manifest.categories_resolved
    if sorted(resolved) != sorted(_NAMES):
        yield package.problem(NAME, "categories_resolved does not have the nine categories")
    for name, category in resolved.items():
        counted = Counter(entry.disposition for entry in category.entries)
        if category.count != len(category.entries) or dict(counted) != dict(category.dispositions):
            yield package.problem(NAME, f"the counts of {name} differ from its entries")
    shown = _rows(entry for category in resolved.values() for entry in category.entries)
    planned = _rows(
        entry for entry in package.record(PLAN, DependencyPlan).entries if entry.category in _NAMES
    )
    for entry_id in sorted({entry_id for entry_id, _ in shown.items() ^ planned.items()}):
        yield package.problem(NAME, f"{entry_id} differs from the dependency plan")


def _rows(entries: Iterable[ResolvedEntry | PlanEntry]) -> dict[str, tuple[str, str, str]]:
    return {each.entry_id: (each.disposition, each.source_of_decision, each.target) for each in entries}


def _variables(package: Package, manifest: Manifest) -> Iterator[Problem]:
    if package.stands_alone:
        return
    file = package.files.get(ENVIRONMENT_EXAMPLE)
    lines = file.text.splitlines() if file else []
    names = {line.strip().removeprefix("#").strip().partition("=")[0].strip() for line in lines}
    for variable in manifest.declared_env_vars:
        if variable not in names:
            what = f"{variable} is declared and not in .env.example"
            yield package.problem(NAME, what, "Add it to .env.example.")


PREFIX, SYSTEM = "prefix", "system"
HINTS: Final = {SYSTEM: "Pass model_options={ModelOption.SYSTEM_PROMPT: config.PREFIX_TEXT}."}


def _directive(package: Package) -> Fields:
    """Return the runtime directive, empty if the package has none."""
    try:
        return package.record(DIRECTIVE, Fields)
    except NotValidatable:
        return {}


def check_persona_channel(package: Package) -> Iterator[Problem]:
    """Yield the model calls that are not given the persona."""
    if "PREFIX_TEXT" not in package.module("config.py").defined:
        return
    wanted = str(_directive(package).get("persona_channel", ""))
    for module in package.printed_modules.values():
        for call in session_calls(module):
            if called(call) not in ("instruct", "ainstruct"):
                continue
            channel = _channel(call)
            wanted = wanted or channel or PREFIX
            if channel != wanted:
                said = f"the persona goes by {channel}" if channel else "the persona does not reach this call"
                yield module.problem(call, f"{said}, the settings say {wanted}", HINTS.get(wanted, ""))


def _channel(call: ast.Call) -> str:
    options = keyword(call, "model_options")
    if options is not None and "SYSTEM_PROMPT" in ast.unparse(options):
        return SYSTEM
    prefix = keyword(call, "prefix")
    return PREFIX if prefix is not None and not isinstance(prefix, ast.Constant) else ""


def check_runtime_defaults(package: Package) -> Iterator[Problem]:
    """Yield the backend and model settings that are missing, differ from the runtime directive or are not used."""
    config = package.module("config.py")
    directive = _directive(package)
    for name in ("BACKEND", "MODEL_ID"):
        found = config.defined.get(name)
        value = text_in(found.value) if isinstance(found, ast.Assign | ast.AnnAssign) else None
        wanted = directive.get(name.lower(), value)
        if found is None or value is None:
            yield package.problem("config.py", f"there is no constant {name}", f'Write {name}: Final = "…".')
        elif value != wanted:
            said = f"{name} is {value!r}, the runtime directive says {wanted!r}"
            yield config.problem(found, said, "Make the two agree.")
    for module in package.printed_modules.values():
        yield from _sessions(module)
    pipeline = package.modules.get("pipeline.py")
    entry = function_named(pipeline, "run_pipeline")
    if pipeline is not None and entry is not None:
        for name, default in defaults(entry).items():
            if not isinstance(default, ast.Constant):
                what = f"the default of {name} is not a literal"
                yield pipeline.problem(default, what, "Use a literal, and resolve it inside.")


def _sessions(module: Module) -> Iterator[Problem]:
    for call in module.calls:
        if called(call) != "start_session":
            continue
        named = [given.value for given in call.keywords if given.arg in ("backend_name", "model_id", None)]
        given = [*call.args[:2], *named]
        starred = any(isinstance(part, ast.Starred) for part in call.args)
        if len(given) < 2 and not starred and all(each.arg for each in call.keywords):
            yield module.problem(call, "a session is opened without backend and model")
        for part in given:
            if isinstance(part, ast.Constant):
                yield module.problem(part, f"a session is opened with the literal {part.value!r}")
