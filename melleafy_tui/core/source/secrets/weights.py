"""The points of the evidence for secrets, in tenths; `scripts/fit_secret_weights.py` fitted and wrote the numbers.

A value is a secret if `START` and the points of its evidence come to more than zero. `.` stands for no points.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

START: Final = -33

FORMS: Final = """
                      | word phrase key pin recovery seed none
digits3               |   -9     -3  -7  -7       -5   -3   -7
digits4               |    6      .   3  23        .   -2    3
digits5               |   -9     -2  -3  16      -10    .   -2
digits6               |    4      .  -4  23        8    .   -1
digits7               |    3      .  -1   .        .    .   -1
digits8               |   10      .   .   1       16    .    .
digits9               |    .      .  -6 -10        .    .   -4
digits13              |    5      .   8 -11        .    .   -1
digit pair            |   -3     -1  -3  -8        6    .   -3
digit groups          |    2      .   5  10       25    .   -1
keyed                 |    1      7   .  26       -2    .   -1
lettered              |   -3     -5   7  12        .    .   -1
year                  |    .      .   .  -2        .    .    .
round                 |    .      .   .  -8        .    .    .
time                  |    .      .   . -13        .    .    .
date                  |    .      .   .   .        .    .    .
groups                |    2      1   1   1       13    .   -9
letter groups         |    .      .   .   .        .    .    .
product key           |    .      .   .   .        3    .    .
random                |    2      .  12   .        .    .    .
long random           |   -3      .  20   .        .    .    .
plain random          |    3     -1  12  -2        .    .   -7
hex                   |    7      .  21  10       -1    .    9
commit                |    .      .  18   .        .    .   -8
short hex             |    3      .  -2   5        .    .   -8
uuid                  |   -6     -3   1   5        .    .  -16
token                 |    3      .   3  -9       10    .  -16
strong                |   15     13  -2   .        1    .   -1
marked                |   -9     -3  -7 -17       -7   -3  -16
mixed                 |    9      2  -5  -1       13    .  -14
numbered              |   30     12  22  25        .    .   14
numbered once         |   23     -4   2   .       10    .    2
camel digits          |   17      .   2   6        .    .   13
joined digits         |   19      7  16   6        .    .   -6
capital strong        |   -2      .  -1  -1        .    .  -10
capital mixed         |    1      .   7  -2        5    .  -10
capital numbered      |    .      .   .   .        .    .    .
capital numbered once |    .      .   .   .        .    .    .
capital camel digits  |    .      .   .   .        .    .    .
capital joined digits |   -5     -2  -5  -1       -1    .   -9
dotted digits         |   10      .  -7   2       -1    .   -5
named                 |   -1      .   .  -1        .    .   -6
ticket                |   -9     -1  -5  -9       -3    .  -13
at                    |   -8      .  -4   8        .    .   -8
odd                   |  -20     -2 -12 -14       -5    .  -14
word                  |    1      2  -8  -6       -3   -2    .
title                 |   -8      7 -18  -9       -6    .   -6
capitals              |   -3      .  -2   2        .    .    .
foreign               |   -6      .   .   .        .    .    .
solid                 |  -16      9  -8  -5        .    .    .
camel                 |   -1      2  -5  -9        .    .  -11
joined                |   -4     -2  -6 -10       -3   -1  -13
joined 3              |    5     16   2   5       10   -1   -8
snake                 |   -1     -2 -13  -7       -8   -2  -11
dotted                |    5      .  -5   2       -3   -1   -3
dotted 3              |   15      .   3   9       -1    .    .
phrase 2              |   -8      4  -9  -4       -7    .   -2
phrase 3              |  -14     11  -7 -17       -3    .   -1
phrase                |   -2     10  -2  -9        7    .   -2
"""
"""The form of a value, by the family of the word that is closest to it: `word: strong`."""

RELATIONS: Final = """
         | column cell tight field  is beside far_field far_is  as item near before behind far before_a_value behind_a_value
password |     24    .    41    30  26     29        20     18  12    4    9     -1     -2  -9              .              .
pass     |     11   -1    14     9   3      1         6      7   .   -5    .     -4    -13  -9              .              .
phrase   |      2   -5   -11    13  10      .        11      8  -1   -2   -3     -7    -11 -16              3             -2
pin      |      9   -1     .     7   2      9         5      2   .    8    6     -7      2   4              .              .
code     |     -5   -1    -8    -7   1      3         6      6   .   -9    .     -1     -3   2              .              .
recovery |      .    .     .     .   4     -6        19     -1   .   28    5     -1     -1  11              .              .
token    |     10   -6    14    23  -3     12        12      4   .   -6   -1      7      1 -18              .              .
key      |      9   -3     3    10   1      2         7     10   1   -1    7     -6      9   1              .              .
seed     |      .    .     .     2   .      2        -1     -2   .   -4   -5     -1     -1  -5              .              .
login    |      .   -1    -3    -2   4      2        -3      3   5   -1   11     -4      .  11            -11             10
user     |      .    .     .     .   .      .         .     -2   .   -9    4      .      1  -4              1             -4
wifi     |     -2   -2     .    -8   3     -3         7     -3   .   -4   10     -4     -4  14            -15              3
service  |     -2   -3     .    -8   5     -4         .      4   1   -8    1     -7     -5   6              1             -1
vault    |     -4   -3    -7     6  -4     -8         .     -1   2    .    5     -5     -1   4              5              3
lock     |      9    1    -1    12   4      5         9     11   3    .   11      3     -4   8             -4             -6
device   |      2   -4    -1     6   5     -9         3      8   1   -6    4      .     -3   7              1              2
enter    |     -1   -4    -1    -9  -4      7        -9      1  -1   -5    4     15     -9   .              .              1
spare    |      5   -1     .    12  -4     13         8      1  -1   19    8     -3      1   7             14              5
site     |     -4   -3   -11    -2  -2     -9       -11      1  -3   -9   -5     -1      .   .             -8             10
say      |     -1   -4     .   -10   .      .        -7     -6  -1  -12  -10     -4      4  -5             -1             -1
"""
"""The word that is closest to a value, by its relation to it: `password is`."""

GROUPS: Final = """
                      | digits groups long hex made joined word phrase
column                |     16      .   14   7    1      6    5      2
cell                  |     -5     -1    .   .   -7     -9  -11     -5
tight                 |     13      .   12   5   28      9    9    -11
field                 |     19     13   11  14   17     12    9     13
is                    |     12      .   11   5    8     11   13     10
beside                |     16      6   11   4   17      8   15      .
far field             |     11      9   17   4   12     12   12     11
far is                |      2      .    7   7   10     12    4      8
as                    |      3      .    .   .    5      4   -4     -1
item                  |     -4      2   -5  -4   -4     -8  -12     -2
near                  |      9      2   12  12    9      4    1     -3
before                |      3     -2   -2  -2   -5    -10   -5     -7
behind                |      2     -3   -4  -3   -1     -9   -7    -11
far                   |      7      1    5   2    1     -3   -4    -16
then end              |     16     13   14   9   19      4   -5      1
then stop             |     14      3   19  14   12    -13  -19    -17
then cell             |     -2     -2    3  -1   -3    -12  -14    -13
then sign             |      1     -2    .  -2  -12    -25  -25    -11
then label            |     11      .   13  -1    2     -2   -5     -6
then word             |     11      1   11  12   11     -5   -5    -11
led by start          |      7      3    1   7    9     -6   -2     -4
led by sign           |     -1     12   10   .  -11     -8    9      4
led by mark           |      5      5    3   3   -3     -8   -5     -7
led by dash           |     -5     -3   -4   1   -4     -4    6    -17
led by bracket        |    -10     -4  -10 -10  -18    -15   -8    -12
led by then           |     14      .    .   .   19      2   -1      .
led by with           |     12      .    7   .    7      .   -6     -4
led by use            |      4      .    .   .    5      1  -10     -6
led by type           |     10      .    8   3   10      9    4     -2
led by say            |      .      .    .   .    .      3   -5      9
led by wants          |      5      .    .   .   11      5   -2     -1
led by set            |      .      .    .   .    9      3   -1      .
led by opens          |      .      .    .   .    1      1   -2      8
led by is             |     14      .   16   8   13      2    5     -8
led by and            |      5      .    8   1    1     -9   -9     -3
led by in             |      .      4    .   .  -10     -7   -9     -7
led by for            |     -1      .    .   .   -7     -9   -6      3
led by number         |    -10      .    .   .   -7     -1    .      .
led by small          |      2      .    7  -2    5     -8   -8     -3
led by word           |     -2     -8    8   4   -7     -6  -20     -7
before then           |     13      .    .   .    5      .   -1      .
before with           |     -2      .    .   .    4      3   -2      .
before use            |      .      .    .   .   -6     -2   -1      .
before type           |      1      .    .   .    6      3   -1      .
before say            |      .      .    .   .    .     -2    .      .
before wants          |      .      .    .   .   -1     -1    .      .
before set            |      .      .    .   .    .      .   -1      .
before opens          |     12      .    .   .   10     14    5      .
before is             |     -1     -1    1  -3   -3      1    .     -6
before and            |      9      .    6   .    4      3   -3     -3
before in             |      .      .    8  -1    6     -8    7      1
before for            |     -5      .    3   .    4      .   12      .
before number         |     -4      .    .   .   -3      .    .      .
before small          |      8      .    .   .    2     -1   -6     -2
before word           |    -10     -4   -1  -9  -14    -17  -20     -6
on line with password |      9      9    6   7   31     29   25      2
on line with phrase   |     -5      1    .   .   10      7   23     34
on line with pin      |     28      .    .   .    4     -1    .     -6
on line with code     |     14     10    3  10   -2      3    .     -4
on line with token    |    -11      2   17  22    9      1   -9     -2
on line with key      |     12      5   13  13    1      .   -3     -8
on line with seed     |      3      .    .   .   -5     -5   -3     -1
on line with login    |      .     -3   -3   .    4      .    2     -7
on line with wifi     |      7      .    6   7    4     11    6      9
on line with service  |     -5      6   -3   7    2      7    5     -5
on line with vault    |    -11      4    1  -8    .      6    3     27
on line with lock     |     25      8    9   2    8     -1    8      1
on line with enter    |     14      3    2   3   10     11   -3      9
on line with spare    |      5      9    3   1    3     -4   -3      7
on line with site     |    -11      .   -7  -4    .      4   -2     -8
on line with say      |      1     -2   -3  -3    .     -3   -2     -7
on line with other    |    -14     -5   -6 -12   -8    -10  -18    -11
on line with public   |     -1     -1  -14 -22  -11      .   -9      2
below password        |     -4      .    .   .    4      3    5     -5
below phrase          |      3      .    .   .    1     11   -3     -7
below pin             |      6      .    .   .   -1      .    .     -1
below code            |     -1      .   -1   .  -10      2   -4     -7
below token           |      .      .    4   .  -17    -11   -8     -5
below key             |     -8     -1    .   .  -12     -8   -9     -7
below seed            |     -1      .    .   .   -5     -4   -3     -3
below login           |     -8     -2   -3  -4  -13    -11   -9    -13
below wifi            |      1      .    .   .   -6    -12   -9     -2
below service         |    -12      2  -10  -5  -11    -15   -6    -14
below vault           |    -10     -3   -5  -1   -8     -6   -3    -14
below lock            |    -14     -4   -6  -2  -11    -13  -13    -15
below enter           |    -14     -2   -2   1  -14    -14  -15    -13
below spare           |     -2      5    .   .   -7    -12   -7     -9
below site            |    -13     -4   -6  -3  -15    -13  -13    -15
below say             |    -10     -1   -5  -2   -8     -8  -11    -15
below other           |    -25     -9  -16 -15  -24    -24  -18    -26
below public          |     -6     -1  -17  -5   -6     -6   -5     -7
after talk            |     -3      7   -4   7    2     -2    .      .
after other           |     -3     -4   -6  -8   -6     -4    4      4
of other              |      2      .   -1 -10   -8     -6    1     -5
in pair               |     11      3   12  10   13      7   11      5
as user               |      .      .    .   .    .      .   -5      .
ends note             |      6      7   -5   2    .     -1    5      4
like others           |     45      8   12  20   28     33   34      .
asked for             |      2      .    .   .    .     -1   -2     -1
in quotes             |      8     -2   -4  -5  -10     -5    2      3
in ticks              |     -1     -1  -20 -21  -15    -15    8      2
in code               |    -21     -8   -6  -4  -10     -5  -13    -11
in table              |     -9     -1   -2  -2   -7     -7   -9     -5
in talk               |     -1      5   10   9    2     -1   -6     -6
in much talk          |     -2      .    .   .    3    -10   -1      2
on long line          |    -18     -9  -26  -9  -26    -22  -11    -21
glued                 |     -6     -2  -10   .  -24    -25  -20     -5
before a value        |     -6      2   -8  -6  -11     -3   -3      3
behind a value        |    -18     -1    2   .   -8     -2    3     -2
alone                 |      3      6    2  -5   -6      3    2     -5
alone in list         |      .      .    .   .   -1     -3   -1      .
without words         |     -3     -4   -1  -1    3      1   -3     -7
in brackets           |     -6     -2    .  -6   -7      1   -2    -11
of a lock             |      6      .    .   .    .      .    .      .
with the word         |      .      .  -11   .  -19    -14    1      2
short                 |    -16      .    .   .  -28    -13  -19      .
wide                  |     -1      7   22  23    7     11   10      7
beside digits         |    -11      .    .   .    .      .    .      .
of time               |    -10      .    .   .    .      .    .      .
of state              |      .      .    .   .    .    -17  -20    -16
with talk             |      .      .    .   .    .    -16    .    -17
with much talk        |      .      .    .   .    .    -11    .    -19
with small words      |      .      .    .   .    .      .    .    -10
of small words        |      .      .    .   .    .      .    .    -11
begins small          |      .      .    .   .    .      .    .      4
with digits           |      .      .    .   .    .      .    .     10
with capitals         |      .      .    .   .    .      .    .     -7
"""
"""What else is said about a value, by the group of its form: `digits below lock`."""

PAIRS: Final = """
      | email known name of_login of_user of_wifi of_service of_site ends_note
slash |    18    19   -4       12      -2       3         11      12        16
colon |    -3    13  -10        8      -3       5          9       .         .
comma |    15     8  -12        4       4       3          2       1         5
dash  |    12     1  -16       -2      -2       1         10      -1         4
bar   |     3     4   -1       -1       .       .          .       .         4
word  |    12    20   -1        8      -1       .          9       9        -4
blank |     6     1  -12       -3      -9       1         -3      -1         2
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
