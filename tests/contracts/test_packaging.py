"""The project file and the folders agree; what is built from them is looked at in `test_install_routes`."""

import re
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

PROJECT = Path(__file__).resolve().parents[2]
SOURCE_FOLDERS = {
    "melleafy_tui": "melleafy_tui",
    "screens": "melleafy_tui.screens",
    "generators": "melleafy_tui.generators",
}

IMPORTS = re.compile(
    r"""^[ ]*(?:import|from)[ ](\w+)[.\w]*(?:[ ](?:as|import)[ ].*)?$|\bimport_module\(f?"(\w+)""",
    re.MULTILINE,
)


def packages_on_disk() -> set[str]:
    found = set()
    for folder, package in SOURCE_FOLDERS.items():
        for marker in sorted((PROJECT / folder).rglob("__init__.py")):
            inside = marker.parent.relative_to(PROJECT / folder)
            if "__pycache__" in inside.parts or (
                folder == "melleafy_tui" and inside.parts[:1] in (("screens",), ("generators",))
            ):
                continue
            found.add(".".join((package, *inside.parts)))
    return found


def data_files_on_disk() -> set[str]:
    found = set()
    for folder in SOURCE_FOLDERS:
        for path in (PROJECT / folder).rglob("*"):
            inside = path.relative_to(PROJECT / folder)
            linked = folder == "melleafy_tui" and inside.parts[0] in ("screens", "generators")
            if path.is_file() and path.suffix not in (".py", ".pyc") and not linked:
                prefix = "melleafy_tui" if folder == "melleafy_tui" else f"melleafy_tui/{folder}"
                found.add(f"{prefix}/{inside.as_posix()}")
    return found


def test_every_package_on_disk_is_listed_in_the_project_file() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(settings["tool"]["setuptools"]["packages"]) == packages_on_disk()


@pytest.mark.parametrize("name", ["screens", "generators"])
def test_the_committed_links_lead_to_the_top_level_folders(name: str) -> None:
    link = PROJECT / "melleafy_tui" / name
    assert link.is_symlink()
    assert link.readlink().as_posix() == f"../{name}"
    assert link.resolve() == (PROJECT / name).resolve()


def test_every_dependency_is_declared_and_every_declared_one_is_imported() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = [line for extra in project["optional-dependencies"].values() for line in extra]
    modules = {
        name: {file.parts[0].removesuffix(".py") for file in distribution(name).files or ()}
        for name in (Requirement(line).name for line in (*project["dependencies"], *optional))
        if name != "xllamacpp"
    } | {"xllamacpp": {"xllamacpp"}}  # not on every machine that runs this: it has no wheel for some
    imported = {
        found[1] or found[2]
        for folder in SOURCE_FOLDERS
        for path in (PROJECT / folder).rglob("*.py")
        if not path.is_relative_to(PROJECT / "generators" / "runtime")  # packages copy and import it
        for found in IMPORTS.finditer(path.read_text(encoding="utf-8"))
    } - {"melleafy_tui", *sys.stdlib_module_names}
    assert {name for name, held in modules.items() if not held & imported} == set(), "declared, not imported"
    assert imported - set().union(*modules.values()) == set(), "imported, not declared"
