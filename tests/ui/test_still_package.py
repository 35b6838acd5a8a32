"""The package that pictures show is a choice of the real one's files, and says of each element what the real one says."""

from pathlib import Path

from melleafy_tui.core.pipeline.conversion import Conversion
from tests.ui.conftest import open_session
from tests.ui.still_package import still_package


def elements_by_file(conversion: Conversion, *, still: bool) -> dict[str, set[str]]:
    files = still_package(conversion.committed) if still else conversion.rendered
    return {file.path: {each.element_id for each in file.provenance} for file in files.files}


def test_the_still_package_holds_files_of_the_real_one_with_the_same_elements(workspace: Path) -> None:
    conversion = open_session(workspace).conversion
    real = elements_by_file(conversion, still=False)
    still = elements_by_file(conversion, still=True)
    assert still.keys() <= real.keys()
    assert all(elements <= real[path] for path, elements in still.items())
    carried = {element for elements in still.values() for element in elements}
    assert len(carried) > 8
