"""What runs at import is found by syntax: many ways to run code while a package is imported, and lints that run none."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from melleafy_tui.cli.main import main
from melleafy_tui.core.lint.runner import lint_file_set, lint_package
from melleafy_tui.core.models.file_set import FileSet

MakeFileSet = Callable[..., FileSet]

EVIL = "import os\nclass Evil:\n    {}\n"
RUNS = (
    "print('x')",
    "from os import system as Path\nX = Path('true')",
    "from os import system as tuple\nX = tuple('true')",
    "import os\nPath = os.system\nX = Path('true')",
    "import os\nX = os.system('true')",
    "import os as re\nX = re.system('true')",
    "import atexit\n@atexit.register\ndef f() -> None: ...",
    "import os\n@os.system\ndef f() -> None: ...",
    "import os\n@(lambda f: os.system('true'))\ndef f() -> None: ...",
    "import os\ndef f(x: os.system('true')) -> None: ...",
    "import os\ndef f() -> os.system('true'): ...",
    "import os\ndef f(*x: os.system('true')) -> None: ...",
    "import os\ndef f(x=os.system('true')) -> None: ...",
    "import os\nf = lambda x=os.system('true'): x",
    "import os\nx: os.system('true') = 1",
    "import os\nx: 'os.system(1)' = 1",
    "import os\nfrom pydantic import BaseModel\nclass M(BaseModel):\n    x: \"list[os.system('true')]\"",
    "import os\nfrom pydantic import BaseModel\nclass M(BaseModel):\n    x: list[\"os.system('true')\"]",
    "import os\nclass A(os.system('true')): ...",
    "import os\nclass A(metaclass=os.system): ...",
    "import os\nclass A:\n    os.system('true')",
    "import os\nclass A:\n    x = os.system('true')",
    "import os\nclass A:\n    def __init_subclass__(cls): os.system('true')",
    "import os\nclass A:\n    def __set_name__(self, a, b): os.system('true')",
    "import os\nclass A:\n    @classmethod\n    def __class_getitem__(cls, a): os.system('true')",
    EVIL.format("def __init__(self): os.system('true')") + "X = Evil()",
    EVIL.format("def __new__(cls): os.system('true')") + "X = Evil()",
    EVIL.format("def __or__(self, other): os.system('true')") + "X = Evil() | 1",
    EVIL.format("def __str__(self): os.system('true')") + "X = f'{Evil()}'",
    EVIL.format("def __getattr__(self, name): os.system('true')") + "X = Evil().y",
    EVIL.format("def __hash__(self): os.system('true')") + "X = {Evil(): 1}",
    EVIL.format("def __iter__(self): os.system('true')") + "X = [*Evil()]",
    EVIL.format("@property\n    def y(self): os.system('true')") + "X = Evil().y",
    EVIL.format("def strip(self): os.system('true')") + "X = Evil().strip()",
    EVIL.format("def __init__(self): os.system('true')") + "class Child(Evil): ...\nX = Child()",
    "import os\ndef f(): return os.system('true')\nX = f()",
    "import os\ndef f(): return g()\ndef g(): return os.system('true')\nX = f()",
    "import os\ndef f(g): return g('true')\nX = f(os.system)",
    "import os\ndef f(tuple): return tuple('true')\nX = f(os.system)",
    "import os\ndef f(): os.system('true')\n@f\ndef h() -> None: ...",
    "def f():\n    import os\n    return 1\nX = f()",
    "def f():\n    with open('x') as x: return x\nX = f()",
    "import os\nX = [Path('true') for Path in [os.system]]",
    "import os\nX = [str('true') for str in [os.system]]",
    "import os\nX = sorted(['true'], key=os.system)",
    "import os\nX = sorted(['true'], key=lambda word: os.system(word))",
    "import os\nfrom pydantic import Field\nX = Field(default_factory=lambda: os.system('true'))",
    "import os\nfrom pydantic import Field\nX = Field(default_factory=os.getcwd)",
    "import os\nX = (y := os.system)",
    "import os\nX = [*map(os.system, ['true'])]",
    "import os\nfor x in ['true']: os.system(x)",
    "while True: break",
    "with open('x') as x: pass",
    "import os\ntry:\n    pass\nfinally:\n    os.system('true')",
    "import os\nif os.system('true'):\n    pass",
    "import os\nif __name__ != '__main__':\n    os.system('true')",
    "import os\nif __name__ == '__main__':\n    pass\nelse:\n    os.system('true')",
    "import sys\nsys.modules['json'] = 1",
    "import json\njson.loads = print",
    "import json\ndel json.loads",
    "assert print('x')",
    "import os\nX = getattr(os, 'system')('true')",
    "X = __import__('os').system('true')",
    "import importlib\nX = importlib.import_module('os').system('true')",
    "X = eval('1')",
    "import pickle\nX = pickle.loads(b'')",
    "from os import *\nX = tuple('true')",
    "import os\nX = os.environ['B']",
    "from os import environ\nX = environ.get('B')",
    "from pathlib import Path\nX = Path('x').read_text()",
    "from pathlib import Path\nX = Path('x').unlink()",
    "from pydantic import TypeAdapter, ImportString\nX = TypeAdapter(ImportString).validate_python('os.system')",
    "import os\nmatch os.system('true'):\n    case _: pass",
    "X = 1\nX += print('x')",
)
STILL = (
    "import os\ndef f() -> None:\n    os.system('true')",
    "import os\nif __name__ == '__main__':\n    os.system('true')",
    "import re\nX = re.compile('a|b')",
    "import re as regex\nX = regex.compile('a|b')",
    "from pathlib import Path\nX = Path(__file__).resolve()",
    "from decimal import Decimal\nX = {'a': Decimal('1')}",
    "X = ' '.join(['a', 'b']).strip()",
    "X = [str(number) for number in range(3)]",
    "from typing import Literal\nX: Literal['print()'] = 'print()'",
    "def double(x: int) -> int:\n    return x * 2\nX = double(2)",
    "def made(x: int):\n    def check() -> int:\n        return int(input())\n    return check\nX = made(2)",
    "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass A:\n"
    "    x: list[int] = field(default_factory=list)\nX = A()",
    "from functools import lru_cache\n@lru_cache(maxsize=1)\ndef f() -> str:\n    return open('x').read()",
    "from contextvars import ContextVar\nX: ContextVar[int] = ContextVar('x')",
)


def effects(make_file_set: MakeFileSet, code: str) -> list[str]:
    report = lint_file_set(make_file_set({"extra.py": f"{code}\n"}))
    return [each.message for each in report.findings if each.lint == "import-side-effects"]


def test_code_that_runs_at_import_is_found(make_file_set: MakeFileSet) -> None:
    missed = [code for code in RUNS if not effects(make_file_set, code)]
    assert not missed
    compiled = [compile(code, "x", "exec") for code in RUNS]
    assert len(compiled) == len(set(RUNS))


def test_values_and_definitions_are_no_finding(make_file_set: MakeFileSet) -> None:
    found = {code: said for code in STILL if (said := effects(make_file_set, code))}
    assert not found


def test_a_helper_of_another_module_is_read(make_file_set: MakeFileSet) -> None:
    for call in (
        "from .helper import make\nX = make()",
        "from desk_mellea.helper import make as tuple\nX = tuple()",
    ):
        helper = "import os\ndef make():\n    return os.system('true')\n"
        report = lint_file_set(make_file_set({"extra.py": f"{call}\n", "helper.py": helper}))
        assert [each.file for each in report.findings if each.lint == "import-side-effects"] == [
            "desk_mellea/extra.py"
        ]


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_lint_runs_nothing_of_the_package(
    tmp_path: Path, make_file_set: MakeFileSet, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    out, ran = tmp_path / "out", tmp_path / "ran"
    for file in make_file_set().files:
        place = out / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.data)
    for place in out.rglob("*.py"):
        with place.open("a") as stream:
            stream.write(f"\nfrom pathlib import Path as _Path\n_Path({os.fspath(ran)!r}).touch()\n")
    code = main(["lint", str(out), *options])
    said = capsys.readouterr().out
    assert code == 11
    assert "--import" in said
    assert not ran.exists()
    lint_package(out, import_modules=True)
    assert ran.exists()
