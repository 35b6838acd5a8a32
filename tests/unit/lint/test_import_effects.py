"""What runs at import is found by syntax: many ways to run code while a package is imported, and lints that run none."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from melleafy_tui.cli.main import main
from melleafy_tui.core.lint.table import lint_file_set, lint_package
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.generators.static_modules import own_modules

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
    "import os\ntry:\n    raise ValueError\nexcept os.mkdir('ran'):\n    pass",
    "import os\nfrom typing import Literal\nX: Literal[os.mkdir('ran')] = 1",
    "import os\nfrom typing import Literal\ndef f(x: Literal[os.mkdir('ran')]) -> None: ...",
    "import os\nLiteral = {None: int}\nX: Literal[os.mkdir('ran')] = 1",
    "import os\ntry:\n    raise ValueError from os.mkdir('ran')\nexcept ValueError:\n    pass\nexcept TypeError:\n    pass",
    "import os\nfrom enum import Enum\nclass E(Enum):\n    A = 'ran'\n    def __init__(self, v): os.mkdir(v)",
    "import os\nfrom enum import Enum\nclass E(Enum):\n    A = 'ran'\n    def __new__(cls, v):\n        os.mkdir(v)\n        o = object.__new__(cls)\n        o._value_ = v\n        return o",
    "import os\nfrom enum import Enum, auto\nclass E(Enum):\n    def _generate_next_value_(name, a, b, c): return os.mkdir('ran')\n    A = auto()",
    "import os\nfrom pydantic import BaseModel, ConfigDict\nclass A(BaseModel):\n    model_config = ConfigDict(alias_generator=os.mkdir)\n    ran: int = 1",
    "import os\nfrom pydantic import BaseModel\nclass A(BaseModel):\n    model_config = {'alias_generator': os.mkdir}\n    ran: int = 1",
    "import os\nfrom pydantic import BaseModel\ndef g(name: str) -> str:\n    os.mkdir('ran')\n    return name\nclass A(BaseModel):\n    model_config = {'alias_generator': g}\n    x: int = 1",
    "import os\nfrom pydantic import BaseModel\nclass A(BaseModel):\n    @classmethod\n    def __pydantic_init_subclass__(cls, **k): os.mkdir('ran')\nclass B(A):\n    pass",
    "import os\nfrom pydantic import BaseModel\nclass T:\n    @classmethod\n    def __get_pydantic_core_schema__(cls, s, h):\n        os.mkdir('ran')\n        return h(int)\nclass A(BaseModel):\n    x: T",
    "import os\nfrom pydantic import BaseModel\nclass A(BaseModel):\n    x: int = 1\n    @classmethod\n    def __pydantic_on_complete__(cls): os.mkdir('ran')",
    "import os\nfrom typing import Annotated\nfrom pydantic import BaseModel, GetPydanticSchema\nclass A(BaseModel):\n    x: Annotated[int, GetPydanticSchema(lambda s, h: (os.mkdir('ran'), h(s))[1])]",
    "import os\nfrom pydantic import BaseModel, field_validator\nclass A(BaseModel):\n    x: int = 1\n    @field_validator('x')\n    @classmethod\n    def v(cls, x):\n        os.mkdir('ran')\n        return x\nX = A(x=1)",
    "import antigravity",
    "from test import autotest",
    "import __hello__",
    "import os\nfrom abc import ABC\nclass A(ABC):\n    @classmethod\n    def __subclasshook__(cls, c): os.mkdir('ran')\nX = isinstance(1, A)",
    "import os\nfrom pydantic import TypeAdapter\nX = TypeAdapter(\"os.mkdir('ran')\")",
    "import os\nfrom datetime import tzinfo, datetime\nclass Z(tzinfo):\n    def utcoffset(self, d): os.mkdir('ran')\nX = str(datetime(2020, 1, 1, tzinfo=Z()))",
    "import os\nfrom datetime import tzinfo, datetime\nclass Y(tzinfo): ...\nclass Z(Y):\n    def utcoffset(self, d): os.mkdir('ran')\nX = str(datetime(2020, 1, 1, tzinfo=Z()))",
    "import os\nfrom fractions import Fraction\nclass A(float):\n    def as_integer_ratio(self):\n        os.mkdir('ran')\n        return (1, 1)\nX = Fraction(A(1))",
    "import ctypes\nX = ctypes.cdll['libm.so.6']",
    "from ctypes import cdll\ntry:\n    X = cdll.ran\nexcept OSError:\n    pass",
    "import sys\nP = sys.path\nX = P.append('/evil')",
    "import sys, types\nM = sys.modules\nX = M.update({'json': 1})",
    "import os\nD = os.__dict__\nX = D.update({'system': print})",
    "import os\nX = list(zip(iter(os.getcwd, ''), [1]))",
    "import os\nfrom collections import defaultdict\nX = defaultdict(os.getcwd)['a']",
    "import os\nimport re\nX = re.compile('ran').sub(lambda m: os.mkdir('ran') or '', 'ran')",
    "import os\nX = max(['ran'], key=os.mkdir)",
    "import os\nL = ['ran']\nX = L.sort(key=os.mkdir)",
    "import os\nK = {'key': os.mkdir}\nX = sorted(['ran'], **K)",
    "import os\nX = sorted(*[['ran']], **{'key': os.mkdir})",
    "import os\nfrom pydantic import Field\nK = {'default_factory': os.getcwd}\nX = Field(**K)",
    "import os\nfrom dataclasses import dataclass, field\n@dataclass\nclass A:\n    x: object = field(default_factory=os.getcwd)\nX = A()",
    "import os\nB = type('B', (), {'__init_subclass__': classmethod(lambda c: os.mkdir('ran'))})\nclass C(B): pass",
    "import os\nclass D:\n    def __set_name__(self, o, n): os.mkdir('ran')\nclass C:\n    d = object.__new__(D)",
    "import os\nclass B:\n    __init_subclass__ = os.getcwd\nclass C(B): pass",
    "import os\ndef g(cls): os.mkdir('ran')\nclass B:\n    __init_subclass__ = classmethod(g)\nclass C(B): pass",
    "import os\nclass B:\n    __class_getitem__ = os.mkdir\nX: B['ran'] = 1",
    "import os\nclass B:\n    __init__ = os.chdir\n    __str__ = os.getcwd\nX = str(B())",
    "import os\ndef __getattr__(name): os.mkdir('ran')\nimport sys\nX = sys.modules[__name__].foo",
    "import os\nP = property(lambda self: os.mkdir('ran'))\nclass A:\n    x = P\nX = A().x",
    "import os\nclass A:\n    x = property(lambda self: os.mkdir('ran'))\nX = A().x",
    "import os\nF = [lambda: os.mkdir('ran')]\nX = F[0]()",
    "import os\nf = lambda: os.mkdir('ran')\nX = f()",
    "import os\ndef f(): return 1\ndef f(): os.mkdir('ran')\nX = f()",
    "import os\nclass A:\n    __hash__ = lambda self: os.mkdir('ran') or 1\nX = {A(): 1}",
    "import os\nclass A:\n    __or__ = lambda s, o: os.mkdir('ran')\nX = A() | 1",
    "import os\nclass Meta(type):\n    def __new__(m, *a):\n        os.mkdir('ran')\n        return type.__new__(m, *a)\nB = Meta('B', (), {})",
    "import os\nclass Meta(type):\n    def __init__(c, *a): os.mkdir('ran')\nclass C(Meta('B', (), {})): pass",
    "import os\nfrom collections import namedtuple\nclass A(namedtuple('B', 'x')):\n    def __new__(cls, x): os.mkdir('ran')\nX = A(1)",
    "import os\nclass A:\n    def __contains__(self, o): os.mkdir('ran')\nX = 1 in A()",
    "import os\nclass S(str):\n    def upper(self): os.mkdir('ran')\nX = S('a').upper()",
    "import os\nX = [0 for x in [os.mkdir] if x('ran')]",
    "import os\nclass A:\n    def keys(self): os.mkdir('ran'); return []\nX = {**A()}",
    "import os\nclass A:\n    def __iter__(self): os.mkdir('ran'); return iter(())\nX, *Y = A()",
    "import os\nX = staticmethod(os.mkdir)('ran')",
    "import os\nX = classmethod(os.mkdir).__func__('ran')",
    "import os\nX = [os.mkdir][0]('ran')",
    "import os\nfrom functools import lru_cache\n@lru_cache\ndef f(): os.mkdir('ran')\nX = f()",
    "import os\nfrom contextlib import contextmanager\n@contextmanager\ndef f():\n    os.mkdir('ran')\n    yield\nX = f().__enter__()",
    "import os\nfrom functools import wraps\n@wraps(os.mkdir)\ndef f(): os.mkdir('ran')\nX = f()",
    "import os\nfrom typing import NewType\nN = NewType('N', os.mkdir)\nX = N('ran')",
    "import os\nfrom typing import NewType\nN = NewType('N', os.mkdir)\nX = N.__supertype__('ran')",
    "import os\nfrom typing import Annotated\nfrom pydantic import TypeAdapter, BeforeValidator\nX = TypeAdapter(Annotated[int, BeforeValidator(os.mkdir)])",
    "import os\nfrom typing import Annotated\nfrom pydantic import BaseModel, Field, PlainValidator\nclass A(BaseModel):\n    x: Annotated[object, PlainValidator(os.mkdir)] = Field('ran', validate_default=True)\nX = A()",
    "import os\nfrom pydantic.dataclasses import dataclass\n@dataclass\nclass A:\n    x: int = 1\n    def __post_init__(self): os.mkdir('ran')\nX = A()",
    "import os\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    x: int = 1\n    def __post_init__(self): os.mkdir('ran')\nX = A()",
    "import os\nfrom functools import total_ordering\n@total_ordering\nclass A:\n    def __lt__(self, o): os.mkdir('ran'); return True\nX = sorted([A(), A()])",
    "import os\nclass A:\n    def __del__(self): os.mkdir('ran')\nX = A()",
    "X = 1\n\x0cimport os; os.mkdir('ran')",
    "X = 1\rimport os; os.mkdir('ran')",
    "import os\nglobal_x = 1\nif os.mkdir('ran'): pass",
    "import os\nwhile os.mkdir('ran'): pass",
    "import os\nX = 1 if os.mkdir('ran') else 2",
    "import os\nX = [1][os.mkdir('ran'):]",
    "import os\nX = f'{1:{os.mkdir(\"ran\")}}'",
    "import os\nclass A:\n    if True:\n        os.mkdir('ran')",
    "import os\nclass A(object, **{'x': os.mkdir('ran')}): pass",
    "import os\nX = lambda a=os.mkdir('ran'): a",
    "import os\nX = (lambda: os.mkdir('ran'))()",
    "import os\nX = list(map(os.mkdir, ['ran']))",
    "import os\nfrom itertools import starmap\nX = list(starmap(os.mkdir, [('ran',)]))",
    "import os\nfrom os import path as tuple\nX = tuple.abspath('x')",
    "import os\nimport shutil\nclass split:\n    pass\nX = shutil.copy('/etc/hostname', 'ran')",
    "import shutil\nS = shutil\nX = S.copy('/etc/hostname', 'ran')",
    "import shutil\nS = [shutil]\nX = S[0].copy('/etc/hostname', 'ran')",
    "import os\nO = os\nX = O.replace('a', 'ran')",
    "from pathlib import Path\nX = Path('a').replace('ran')",
    "from pathlib import Path\nP = Path('a')\nX = P.replace('ran')",
    "import os\nO, = [os]\nX = O.replace('a', 'ran')",
    "import os\ndef f(o): return o.replace('a', 'ran')\nX = f(os)",
    "import shutil\ndef f(o): return o.copy('/etc/hostname', 'ran')\nX = f(shutil)",
    "import shutil\nX = [o.copy('/etc/hostname', 'ran') for o in [shutil]]",
    "import shutil\nfrom typing import cast\nX = cast(object, shutil).copy('/etc/hostname', 'ran')",
    "def double(x: int) -> int:\n    return x * 2\nX = double(2)",
    "import os\nfrom enum import Enum\nclass E(Enum):\n    A = 1\n    @property\n    def x(self): os.mkdir('ran')\nX = E.A.x",
    "import os\nfrom enum import Enum\nclass E(Enum):\n    A = 1\n    def __str__(self): return os.mkdir('ran') or ''\nX = f'{E.A}'",
)
STILL = (
    "from operator import gt\nX = {'more': gt}",
    "from contextlib import AbstractContextManager\nfrom collections.abc import Callable\n"
    "X = Callable[[], AbstractContextManager[None]]",
    "import subprocess\nX: 'subprocess.Popen[bytes] | None' = None",
    "from enum import Enum\nclass E(Enum):\n    A = 1\n    def __str__(self) -> str:\n        return self.name",
    "class A:\n    __slots__ = ('x',)\n    def __getattr__(self, name):\n        return open(name)",
    "import urllib.error\nX = (urllib.error.URLError, ValueError)",
    "from pydantic import BaseModel, ConfigDict\nclass A(BaseModel):\n    model_config = ConfigDict(extra='forbid')",
    "import os\ndef f() -> None:\n    os.system('true')",
    "import os\nif __name__ == '__main__':\n    os.system('true')",
    "import re\nX = re.compile('a|b')",
    "import re as regex\nX = regex.compile('a|b')",
    "from pathlib import Path\nX = Path(__file__).resolve()",
    "from decimal import Decimal\nX = {'a': Decimal('1')}",
    "X = ' '.join(['a', 'b']).strip()",
    "X = [str(number) for number in range(3)]",
    "from typing import Literal\nX: Literal['print()'] = 'print()'",
    "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass A:\n"
    "    x: list[int] = field(default_factory=list)",
    "from functools import lru_cache\n@lru_cache(maxsize=1)\ndef f() -> str:\n    return open('x').read()",
    "from contextvars import ContextVar\nX: ContextVar[int] = ContextVar('x')",
)


def effects_of(make_file_set: MakeFileSet, codes: Sequence[str]) -> dict[str, list[str]]:
    """Return what is found in each code, as one module of its own."""
    modules = {f"extra_{number}.py": code for number, code in enumerate(codes)}
    report = lint_file_set(make_file_set({name: f"{code}\n" for name, code in modules.items()}))
    found: dict[str, list[str]] = {code: [] for code in codes}
    for each in report.findings:
        code = modules.get(each.file.partition("/")[2])
        if code is not None and each.lint == "import-side-effects":
            found[code].append(each.message)
    return found


def test_code_that_runs_at_import_is_found(make_file_set: MakeFileSet) -> None:
    found = effects_of(make_file_set, RUNS)
    missed = [code for code in RUNS if not found[code]]
    assert not missed
    compiled = [compile(code, "x", "exec") for code in RUNS]
    assert len(compiled) == len(set(RUNS))


def test_values_and_definitions_are_no_finding(make_file_set: MakeFileSet) -> None:
    found = {code: said for code, said in effects_of(make_file_set, STILL).items() if said}
    assert not found


def test_a_call_of_the_package_itself_is_found_whatever_its_name(make_file_set: MakeFileSet) -> None:
    for call in (
        "from .helper import make\nX = make()",
        "from desk_mellea.helper import make as tuple\nX = tuple()",
    ):
        helper = "import os\ndef make():\n    return os.system('true')\n"
        report = lint_file_set(make_file_set({"extra.py": f"{call}\n", "helper.py": helper}))
        assert [each.file for each in report.findings if each.lint == "import-side-effects"] == [
            "desk_mellea/extra.py"
        ]


@pytest.mark.parametrize("encoding", ["utf-7", "latin-1", "no-such-encoding"])
def test_code_in_another_encoding_is_a_finding(make_file_set: MakeFileSet, encoding: str) -> None:
    """Python would read other code than the one that people and the lints see."""
    code = f"# coding: {encoding}\nX = 1\n+AAo-import os\nos.mkdir('ran')\n"
    report = lint_file_set(make_file_set({"extra.py": code}))
    assert "parseable" in {each.lint for each in report.findings if each.file == "desk_mellea/extra.py"}


@pytest.mark.slow
def test_a_list_of_calls_is_read_in_time_that_grows_with_its_length(make_file_set: MakeFileSet) -> None:
    """Four times the calls take four times as long, and sixteen times if each is looked for among all of them."""
    costs = []
    for calls in (10_000, 40_000):
        files = make_file_set({"extra.py": f"X = [{'tuple(), ' * calls}]\n"})
        costs.append(
            min(_seconds_to_lint(files) for _ in range(3))
        )  # what else the process does only adds to it
    assert costs[1] < 7 * costs[0]


def _seconds_to_lint(files: FileSet) -> float:
    started = time.process_time()
    assert not [each for each in lint_file_set(files).findings if each.lint == "import-side-effects"]
    return time.process_time() - started


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
    lint_package(out, own_modules(), import_modules=True)
    assert ran.exists()
