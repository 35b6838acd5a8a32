"""A test over the rows of a table: one case for pytest, and every row that fails is told."""

import functools
import inspect
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

Test = Callable[..., None]

_NAMED_ROW: Final = type(pytest.param())
_LONGEST: Final = 300


def every_row(names: str | Sequence[str], rows: Iterable[object]) -> Callable[[Test], Test]:
    """Run a test on every row of a table within one case, where `parametrize` would make a case a row.

    Each row has a folder of its own where the test takes `tmp_path`; the rows share the test's other fixtures.

    Args:
        names: The argument that takes a whole row, or the arguments that take its cells.
        rows: The table; a row may be a `pytest.param` with an id.
    """
    table = list(rows)
    taken = (names,) if isinstance(names, str) else tuple(names)

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)

        @functools.wraps(test)
        def over_all_rows(**fixtures: object) -> None:
            __tracebackhide__ = True
            failures = []
            for number, row in enumerate(table):
                cells = dict(zip(taken, _cells(row, isinstance(names, str)), strict=True))
                try:
                    test(**_of_row(fixtures, number), **cells)
                except (Exception, pytest.fail.Exception) as error:
                    failures.append(f"{_title(row)}\n{_told(error)}")
            if failures:
                raise AssertionError("\n\n".join([f"{len(failures)} of {len(table)} rows fail", *failures]))

        left = [parameter for name, parameter in signature.parameters.items() if name not in taken]
        vars(over_all_rows)["__signature__"] = signature.replace(parameters=left)
        return over_all_rows

    if not table:
        raise ValueError("a table without rows checks nothing")
    return decorate


def _cells(row: object, whole: bool) -> Iterator[object]:
    if isinstance(row, _NAMED_ROW):
        yield from row.values
    elif whole:
        yield row
    else:
        assert isinstance(row, Sequence)
        yield from row


def _of_row(fixtures: dict[str, object], number: int) -> dict[str, object]:
    folder = fixtures.get("tmp_path")
    if not isinstance(folder, Path):
        return fixtures
    own = folder / str(number)
    own.mkdir()
    return {**fixtures, "tmp_path": own}


def _title(row: object) -> str:
    said = repr(row.id or row.values) if isinstance(row, _NAMED_ROW) else repr(row)
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]} …"


def _told(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = frames[1] if len(frames) > 1 else frames[0]
    return f"  line {place.lineno}: {type(error).__name__}: {error}"
