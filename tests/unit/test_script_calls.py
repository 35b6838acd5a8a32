"""How a bundled script is called: its own parser first, else what the examples show."""

from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.package.script_calls import Argument, script_call
from melleafy_tui.generators.tools import declaration_of
from tests.rows import every_row

PARSER = "import argparse\nparser = argparse.ArgumentParser()\n"


def declared(code: str) -> dict[str, str]:
    source = SourceFile("scripts/bake.py", None, PARSER + code)
    found = script_call(ToolFact(script="scripts/bake.py"), source)
    return {each.name: declaration_of(each).partition(": ")[2] for each in found.arguments} if found else {}


@every_row(
    ("code", "arguments"),
    [
        ("parser.add_argument('town')", {"town": "str"}),
        ("parser.add_argument('town', nargs='?')", {"town": 'str = ""'}),
        ("parser.add_argument('towns', nargs='+')", {"towns": "list[str]"}),
        ("parser.add_argument('-t', '--town', required=True)", {"town": "str"}),
        ("parser.add_argument('--days', type=int)", {"days": "int | None = None"}),
        ("parser.add_argument('--rye', action='store_true')", {"rye": "bool = False"}),
        ("parser.add_argument('--add', action='append')", {"add": "list[str] | None = None"}),
        (
            "parser.add_argument('--form', choices=['loaf', 'roll'])",
            {"form": 'Literal["loaf", "roll"] | None = None'},
        ),
        (
            "parser.add_argument('--with', choices=['\U0001f950', 'a\"b'])",
            {"with_value": """Literal["\U0001f950", 'a"b'] | None = None"""},
        ),
        (
            f"parser.add_argument('--of', choices={[f'choice {number}' for number in range(9)]})",
            {"of": 'str = ""'},
        ),
        ("parser.add_argument('--out', dest='target')", {"target": 'str = ""'}),
        ("group = parser.add_mutually_exclusive_group()\ngroup.add_argument('--a')", {"a": 'str = ""'}),
        (
            "subs = parser.add_subparsers()\none = subs.add_parser('bake')\none.add_argument('--rye', required=True)\n"
            "two = subs.add_parser('sell')",
            {"command": 'Literal["bake", "sell"]', "rye": 'str = ""'},
        ),
        ("for name in names:\n    parser.add_argument(name)", {}),
        ("parser.add_argument('--a', **more)", {}),
        ("parser.add_argument('--a')\nparser.parse_known_args()", {}),
        ("parser.add_argument('--version', action='version')", {}),
        ("def (", {}),
    ],
)
def test_a_parser_that_is_written_out_says_what_a_script_takes(code: str, arguments: dict[str, str]) -> None:
    assert declared(code) == arguments


@every_row(
    ("calls", "words", "arguments"),
    [
        (["bake.sh <town>"], ["{town}"], ["town: str"]),
        (["bake.sh 'Hof'", "bake.sh 'Ulm'"], ["{value}"], ["value: str"]),
        (["bake.sh --town <town> --days {days}"], ["{options}"], ["town: str", "days: str"]),
        (["bake.sh --kg 25", "bake.sh --kg 40 --rye"], ["{options}"], ["kg: str", "rye: bool = False"]),
        (["bake.sh list", "bake.sh add --kg 3"], ["{command}", "{options}"], ['command: Literal["list", "add"]', 'kg: str = ""']),
        (["bake.sh --json -n <days> out.txt"], ["--json", "{options}", "out.txt"], ["n: str"]),
        (['bake.sh "<user name>" --json'], ["{user_name}", "--json"], ["user_name: str"]),
        (["bake.sh to-<town>.txt"], ["to-{town}.txt"], ["town: str"]),
        (["bake.sh $TOWN  # any"], ["{town}"], ["town: str"]),
        (["scripts/bake.sh", "bake.sh --kg <kg>"], ["{options}"], ["kg: str"]),
        (["scripts/bake.sh", "bake.sh May"], [], []),
        (['bake.sh "<1>"', "bake.sh Ulm"], ["{value}"], ["value: str"]),
        (["bake.sh <month> | jq ."], ["{month}"], ["month: str"]),
        (["bake.sh <month> [--all]"], ["{month}"], ["month: str"]),
        (["bake.sh list", 'bake.sh add "$(date)" > x'], ["{command}"], ['command: Literal["list", "add"]']),
        (["bake.sh --note 'a (b) | c' <town>"], ["{options}", "{town}"], ["town: str", "note: str"]),
        (["bake.sh 'one loaf' 'two'"], ["{value}", "{value_2}"], ["value: str", "value_2: str"]),
        (["bake.sh $(date) <month>"], [], []),
        (["bake.sh list --loaf baker/loaf"], ["list", "{options}"], ["loaf: str"]),
        (["bake.sh list --loaf=town/baker/loaf"], ["list", "{options}"], ["loaf: str"]),
        (["bake.sh loaf show baker/loaf"], ["loaf", "show", "{loaf}"], ["loaf: str"]),
        (["bake.sh list --loaf ulm/rye <kg>"], ["list", "--loaf", "ulm/rye", "{kg}"], ["kg: str"]),
        (["bake.sh list lists/rye <kg>"], ["list", "lists/rye", "{kg}"], ["kg: str"]),
    ],
)  # fmt: skip
def test_what_differs_between_examples_is_a_parameter(
    calls: list[str], words: list[str], arguments: list[str]
) -> None:
    found = script_call(ToolFact(script="scripts/bake.sh", calls=tuple(calls)), None)
    assert [*found.words] == words if found else not words
    assert [declaration_of(each) for each in found.arguments] == arguments if found else not arguments


def test_a_call_is_filled_as_the_package_fills_it() -> None:
    found = script_call(ToolFact(script="bake.sh", calls=("bake.sh list", "bake.sh add --kg 3 --rye")), None)
    assert found is not None
    assert found.filled({"command": "add", "kg": "3", "rye": True}) == ["add", "--kg", "3", "--rye"]
    assert found.filled(found.samples) == ["list"]


def test_a_program_of_its_own_keeps_a_free_request() -> None:
    many = "".join(f"parser.add_argument('--a{number}')\n" for number in range(30))
    assert not declared(many)


def test_what_a_script_says_of_itself_is_one_line_of_text() -> None:
    said = PARSER + """parser.add_argument("--a", help='one \\n \\"\\"\\" two')"""
    found = script_call(ToolFact(script="bake.py"), SourceFile("bake.py", None, said))
    assert found is not None
    assert found.arguments[0].about == 'one """ two'


CHANGED = {
    "days: whole number = 3": "days: int = 3",
    "days: whole number = 007": "days: int = 7",
    "days: whole number = \uff11\uff12": "days: int = 12",
    "days: number = 007.5": "days: float = 7.5",
    "how_many: number": "how_many: float",
    "days: short/long = long": 'days: Literal["short", "long"] = "long"',
    "days: text (optional)": 'days: str = ""',
    "days: whole number = many": "'many' can't be the default of days",
    "days": "'days' is no parameter",
    "class: text": "'class' can't be the name of a parameter",
    "days: yes/no": "The script takes whole number for days",
}


def test_a_parameter_is_changed_by_its_words_or_what_is_wrong_is_said() -> None:
    argument = Argument("days", "--days", "int")
    assert argument.changed(argument.words) == argument

    def changed(words: str) -> str:
        try:
            return declaration_of(argument.changed(words))
        except UsageError as error:
            return error.message

    assert {words: changed(words) for words in CHANGED} == CHANGED
