"""The points of the evidence for secrets, in tenths; `scripts/fit_secret_weights.py` fitted and wrote the numbers.

A value is a secret if `START` and the points of its evidence come to more than zero. `.` stands for no points.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

START: Final = -36

FORMS: Final = """
              | word phrase key pin recovery seed none
digits3       |   -8      .  -8  -8       -6   -4  -11
digits4       |    4      .   7  23       -5   -1   -7
digits5       |   -3      .  -2   8       -3    .   -5
digits6       |   -2      .  -3  21        3    .   -6
digits7       |    .      .   .  -4        .    .   -2
digits8       |    9      .   .  -4       12    .   -1
digits9       |    4      .  -6  -4        .    .   -4
digits13      |   -2      .   6  -7        .    .   -3
digit pair    |   -1      .  -1  -5        6    .   -6
digit groups  |    .      .  -1  11       24    .    .
keyed         |    .      .   .  24        .    .    .
lettered      |    .      .  -1  10        .    .   -1
year          |    .      .   .   3        .    .    .
round         |    .      .   .   .        .    .    .
time          |    .      .   .   .        .    .    .
date          |    .      .   .   .        .    .    .
groups        |    .      .   3   5       16    .  -10
letter groups |    .      .   .   .        .    .    .
product key   |    .      .   .   .        2    .    .
random        |    .      .   9   .        .    .    1
long random   |   -1      .  18   .        .    .  -12
plain random  |   -1      .   3   .        .    .  -11
hex           |    .      .  20   .        .    .    .
commit        |    .      .  10   .        .    .    .
short hex     |    2      .   2   .        .    .   -2
uuid          |    .      .  -3   .        .    .    .
token         |    3      .  -9   .        .    .  -13
strong        |   16      .  -4  -4        5    .  -12
marked        |   -5      .  -7 -15       -8   -1  -20
mixed         |    7      .   1 -12        3    .  -14
numbered      |   29      .  25  12        .    .   -6
numbered once |   29      .   1   1        6    .    4
camel digits  |   11      .   3   .        .    .    1
joined digits |   15      .  18   3        3    .  -11
dotted digits |    1      .   4  -6       -1    .   -7
named         |   -1      .   .  -1        .    .   -3
ticket        |    .      .  -2   .        .    .    .
at            |   -2      .  -2   .        .    .   -7
odd           |  -14      .  -9  -8       -8    .  -14
word          |    2      6  -8  -4       -3   -2   -4
title         |   -7      6 -18  -7       -6    .   -7
capitals      |   -2      .  -1  -1        .    .    .
foreign       |   -3      .   .   .        .    .    .
solid         |    .     13  -7  -2        .    .    .
camel         |    3      .  -5   3       -2    .   -6
joined        |   -3      6  -9  -3       -2   -3  -12
dotted        |    9      .  -2  -5       -2   -1   -2
phrase 2      |   -4     -4 -12  -6       -3    .   -2
phrase 3      |   -5      9  -8 -10       -1    .   -2
phrase        |    5     19   1  -2       -1    .   -1
"""
"""The form of a value, by the family of the word that is closest to it: `word: strong`."""

RELATIONS: Final = """
         | column cell tight field  is beside far_field far_is  as item near before far
password |     23   -1    36    30  22     29        19     22  11    1   13      2  -4
pass     |      7   -1    14     8   1     -1        -1     -1   .   -4   -7     -4  -3
phrase   |      3   -1    -5    19  10     -6        12      3   .   -7    .     -4  -9
pin      |     10    .     .     8   2     12         6      2   .   11    1     -4   4
code     |     -6   -2    -6   -10   3      2        -1      5   .   -9    2     -1   1
recovery |      .    .     .     4   .     -7        18      1   .   14    4     -1  10
token    |     12    .    10    17   2      7         9      4   .   -7    2      .  -8
key      |      3   -2    -4     5   4      7         2     13   .   -7    3      .  -1
seed     |      .    .     .    -4   .     -2        -3     -1   .   -3   -6     -1  -2
login    |     -3    .    -2     .   1     -1        -2     -3  11  -11   13      2  12
user     |      .   -1     .     .   .      .        -8     -4   .  -10    5     -1   .
wifi     |      .   -1     .    -7  -1     -2        11      3   .   -3   11     -2  11
service  |     -2   -1     .   -12   3     -7        -3      7  -1   -4    4     -7   3
vault    |     -1   -1     .    12  -2    -15         3     -1   .    2    2     -2  -7
lock     |      .    .     .    13   8      5         3     11   5    4   10      1  -4
device   |      .   -1    -1     9  -1    -13         .      1   .    1   -2     -2   5
enter    |     -1   -1     .    -1  -4     12        -6      4   .   -5    5      7  -6
spare    |      3   -1     .    17  -2      9         6      4   .    9    4     -3   7
"""
"""The word that is closest to a value, by its relation to it: `password is`."""

GROUPS: Final = """
                      | digits groups long made word phrase
column                |     13      .   11    6   16      3
cell                  |     -2     -1    2   -3   -7     -1
tight                 |      9      .   11   28   17     -5
field                 |     18     15   22   15   15     19
is                    |     21      .    8   18   21     10
beside                |     14      7   16   19    6     -6
far field             |     11     13   10    9   17     12
far is                |     12      .    7   20   13      3
as                    |      7      .    .   13    7      .
item                  |     -7      3   -5  -17  -16     -7
near                  |      7      3    8    8   -7      .
before                |     -5     -1    5    3  -11     -4
far                   |      3      .    .    1   -5     -9
then end              |     13     17   13   18    2      9
then stop             |      7      3   16    1  -19    -19
then cell             |      8     -1    6   -1   -7     -5
then sign             |     -4     -1    7  -11  -22     -3
then label            |     -2      .    6   -2  -16     -2
then word             |      3      4    5    1  -16     -8
on line with password |     11      9    4   26   32      9
on line with phrase   |     -4      1    .   10   22     41
on line with pin      |     25      .    .    5   -3     -3
on line with code     |     18     13   18   -5   -2     -1
on line with token    |     -7      3   19    4   -7     -5
on line with key      |      6      8   18    1    .     -5
on line with seed     |      2      .    .   -4   -5     -1
on line with login    |      2     -1   -7    1    4     -3
on line with wifi     |      9      .    3   10    9      7
on line with service  |     -3     10    5   -1    7      2
on line with vault    |     -7      1   -1    3    .     19
on line with lock     |     30      5    3    9   -5     -5
on line with enter    |     15      .    .    9   -3     10
on line with spare    |     17     12    2   10   -2      3
on line with other    |    -12     -7   -7   -8  -11     -8
on line with public   |     -2      .  -13  -16   -5     -6
below password        |     -1      .    .    1    5     -6
below phrase          |      .      .    .   -2    6     -3
below pin             |      .      .    .    .   -2     -1
below code            |      8      3    4  -12   -5     -3
below token           |      2     -1   -2  -20   -8     -5
below key             |     -5     -1    6  -10  -12     -6
below seed            |     -1      .    .   -3   -5     -1
below login           |     -7     -2   -5   -9  -12    -11
below wifi            |     -1      .    .   -9   -9     -1
below service         |    -10      2   -5  -12   -9    -10
below vault           |     -5      .   -3   -3   -5    -14
below lock            |     -9     -3   -6  -14  -14     -9
below enter           |     -4      .    1  -10   -8     -6
below spare           |      .      7    5   -8  -15     -7
below other           |    -23     -8  -17  -21  -21    -21
below public          |    -11      .   -9   -5   -5     -4
after talk            |      1      9   -2    5    .      2
after other           |     -7     -3   -7   -6   -1     -3
of other              |      2      .   -5   -6   -5     -1
in pair               |      5      8   17   18   17      .
as user               |      .      .    .    .   -5      .
ends note             |     13     11   13    4    3      6
like others           |     33      9   15   30   35      .
asked for             |      7      .    .    5   -2      .
in quotes             |      .      .    4   -2    2      4
in ticks              |      3      .  -11  -10    2      2
in code               |    -18     -7   -4   -6   -8     -7
in table              |     -6      .    .   -4  -10     -2
in talk               |     -1      4    .   -2   -7    -14
in much talk          |     -2      .    .   -1   -6     -6
on long line          |    -17     -8  -19  -22  -12    -12
glued                 |     -2     -2  -26  -20  -20     -2
short                 |    -14      .    .  -27  -20      .
wide                  |     -3      7   24    .    9      4
beside digits         |    -18      .    .    .    .      .
of time               |      .      .    .    .    .      .
of state              |      .      .    .    .  -23    -15
with talk             |      .      .    .    .  -14    -14
with much talk        |      .      .    .    .  -11    -14
with small words      |      .      .    .    .    .    -12
of small words        |      .      .    .    .    .     -8
begins small          |      .      .    .    .    .     -2
with digits           |      .      .    .    .    .      9
with capitals         |      .      .    .    .    .    -15
"""
"""What else is said about a value, by the group of its form: `digits below lock`."""

PAIRS: Final = """
      | email known name of_login of_user of_wifi of_service ends_note
slash |    19    28   -3       13      -2       5         12        17
colon |    -2    10  -11        8      -1       6          8         2
comma |    16     5  -15        4       4       2          2         6
dash  |    14     .  -18       -3      -1      -3          9         6
bar   |     1     3    1       -1       .       .          .         5
word  |     .    12  -10       12      -1      -1          9         1
blank |     7    -2  -19       -6      -7      -1         -7         3
"""
"""What separates a value from the name before it, by the kind of name and by whose it is: `pair slash email`."""

TABLES: Final[dict[str, Callable[[str, str], str]]] = {
    "FORMS": lambda row, column: f"{column}: {row}",
    "RELATIONS": lambda row, column: f"{row} {column}",
    "GROUPS": lambda row, column: f"{column} {row}",
    "PAIRS": lambda row, column: f"pair {row} {column}",
}
"""How the evidence of each table is called."""


@cache
def points() -> dict[str, int]:
    """Return the points of each evidence."""
    found: dict[str, int] = {}
    for table, name_of in zip((FORMS, RELATIONS, GROUPS, PAIRS), TABLES.values(), strict=True):
        head, *rows = (line.partition("|") for line in table.strip("\n").splitlines())
        columns = [column.replace("_", " ") for column in head[2].split()]
        for row, _, cells in rows:
            found.update(
                (name_of(row.strip(), column), int(cell))
                for column, cell in zip(columns, cells.split(), strict=True)
                if cell != "."
            )
    return found
