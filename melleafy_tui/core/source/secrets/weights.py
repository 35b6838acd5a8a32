"""The points of the evidence for secrets, in tenths; `scripts/fit_secret_weights.py` fitted and wrote the numbers.

A value is a secret if `START` and the points of its evidence come to more than zero. `.` stands for no points.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

START: Final = -40

FORMS: Final = """
                      | word phrase key pin recovery seed none
digits3               |   -8     -3  -6  -7       -8   -4   -5
digits4               |    2      .   4  25        .   -3    3
digits5               |  -10     -1  -2  19      -12    .   -1
digits6               |    6      .  -3  25        9    .    .
digits7               |    4      .  -1  -1        .    .   -1
digits8               |    8      .   .   2       16    .    .
digits9               |   -2      .  -2 -11        .    .   -3
digits13              |    4      .   8 -11        .    .   -1
digit pair            |   -3      .  -2  -7        5    .   -2
digit groups          |    1      .   6  15       25    .    .
keyed                 |    .      7   .  30       -2    .   -1
lettered              |   -1     -7   6   6        .    .   -1
year                  |    .      .  -3  -2        .    .    .
round                 |    .      .  -1 -16        .    .    .
time                  |    .      .   . -11        .    .    .
date                  |    .      .   .   .        .    .    .
groups                |    5      1   8  -2       19    .   -8
letter groups         |    .      .   .   .        .    .    .
product key           |    .      .   .   .        3    .    .
random                |    6      .  14   .        .    .    .
long random           |   -3      .  21   8        .    .    2
plain random          |    2     -1  14  -1        .    .   -6
hex                   |   10      .  21  10       -2    .    7
commit                |    .      .  20   .        .    .   -8
short hex             |    5      .  -1   6        .    .   -8
uuid                  |   -5     -3   1   2        .    .  -17
token                 |    5      .   3  -9        8    .  -17
strong                |   20     11   1   .        1    .    3
marked                |  -12     -3  -7 -21      -10   -5  -19
mixed                 |   11      2  -6   .       20    .   -7
numbered              |   29     11  21  26        .    .   16
numbered once         |   21     -4   2  -1       11    .    1
camel digits          |   16      .  -9   7        .    .   17
joined digits         |   20     15  16   8        6    .   -4
capital strong        |   -2      .  -1  -1        .   -1  -12
capital mixed         |    .      .   8  -7        4    .  -10
capital numbered      |    .      .   .   .        .    .    .
capital numbered once |    .      .   .   .        .    .    .
capital camel digits  |    .      .   .   .        .    .    .
capital joined digits |   -6     -1  -5   .        .    .   -8
dotted digits         |   13      .  -2  -2        .    .   -5
named                 |   -1      .   .   .        .    .   -5
ticket                |  -10     -1  -5  -9       -3    .  -13
at                    |  -10      .  -3   8        .    .   -7
odd                   |  -21     -2 -12 -13       -6    .  -15
word                  |   -9     -3 -17 -16      -12  -10  -10
title                 |  -18      2 -26 -17      -13   -7  -15
capitals              |   -9      .  -9  -4        .   -7    .
foreign               |  -17     -1  -7  -7        .    .    .
solid                 |  -24      2 -15 -13        .    .    .
camel                 |  -10     -3 -15 -20      -11   -8  -20
joined                |  -12    -10 -15 -19       -1   -9  -23
joined 3              |   -2     12  -3  -1        1   -8  -16
snake                 |   -9     -9 -21 -16      -15   -9  -20
dotted                |   -8     -7 -14  -8      -11   -8  -12
dotted 3              |   12      1  -5   1       -8    .   -2
phrase 2              |  -19      1 -28 -16      -18   -7  -10
phrase 3              |  -23     15 -18 -28      -14   -7   -9
phrase                |   -6     25 -11 -18       -2   -8   -9
"""
"""The form of a value, by the family of the word that is closest to it: `word: strong`."""

RELATIONS: Final = """
         | column cell tight field  is beside far_field far_is  as list item near before behind far before_a_value behind_a_value
password |     36   -2    42    27  26     34        27     19  15    8   -4   13      .     -1  -8              .              .
pass     |     -1    .    14    10   5     -1        -3     -3   .   -4   -1    1     -3    -13  -9              .              .
phrase   |      7  -11    -3    17  18      5         9     12  -2    7  -11   -3     -4    -11 -22             -2             -2
pin      |     18    3     5     6  -8      9         7      4   .    4    .    6     -7      6   5              .              .
code     |     -5   -2    -5    -9   1      2         5      6   .  -10   -5   -1     -1     -3   3              .              .
recovery |     10    .     .     1   4     -6        19     -1   .   38    7    8     -1     -1  18              .              .
token    |     12   -6    13    24   .     14        14      4   .   -3   -3    .      6      2 -18              .              .
key      |      7   -2     2     9   2      4         8      9   2    .   -3    6     -5     11   1              .              .
seed     |     -1    .     .     3   .      2         .     -2   .   -4   -2   -4     -2     -1  -5              .              .
login    |     -3   -1    -3    -1   5      6         2      2  13    .   -6   12     -4      3  10            -12              9
user     |     -4   -2     .     .   .      .         3     -3   .   -9   -2    5      .     -5  -9              1             -3
wifi     |     -2   -2     .    -8  -1     -6        10     -6   .   -4   -3    9     -7     -5  10            -19              9
service  |      6   -3     .    -9   7     -5         2      3   1  -10   -2    2     -8     -4   9             -1             -2
vault    |     -4   -3   -10     8  -4    -10         3     -2   3    1   -3    7      .      .  -1              3              3
lock     |      4    2    -1     9   3      3         2     12   3    2   -3   10      3     -4   2             -4            -12
device   |     -1   -4    -1     6   4    -10         3      3   .   -5   -3    4     -1     -4   7             -1              1
enter    |     -2   -4    -1   -12  -5      7        -9      .  -2   -5   -2    4     14     -8   .              1              1
spare    |      6   -2     .    12  -6     11        14      1   .   19   12    6     -3      .   8             10              6
site     |     -4   -4    -3    -3  -2     -6        -9      1  -4   -6   -9   -5     -2     -2  -1            -11              9
say      |     -8   -5     .   -13  -3     -5       -10    -10  -1  -10   -7   -4     -4      4  -6             -3             -4
ssid     |      .    .     .     .   .      .         .      .   .    .    .   11      .      .   .              .              .
"""
"""The word that is closest to a value, by its relation to it: `password is`."""

GROUPS: Final = """
                      | digits groups long hex made joined word phrase
column                |      5      8   15  11    2     -3   -4      7
cell                  |      1      .    .   .   -6    -11  -16    -11
tight                 |     10      .   10   8   30      9    9     -3
field                 |     24      8   15  20   17     13    9     17
is                    |     10      .   15   6    6     12   10     18
beside                |     20     10    9   3   17     10   12      5
far field             |     10     10   15   5   10     10    8      9
far is                |      2      .    8   7    8     14    5     12
as                    |      4      .    .   .   12      3   -3     -2
list                  |     -1      4   -7  -2    .     -2   -8      7
item                  |     -1      .   -7  -2   -6    -12   -7    -11
near                  |     11      3   12  12    6      2   -3     -3
before                |      4     -2    .  -1   -6    -13   -6     -4
behind                |      4     -2   -2   .   -4    -10   -7    -11
far                   |      5      1    8   2    2     -4   -5    -22
then end              |     16     16   17   9   24     12    5      4
then stop             |     16      6   22  15   15     -6  -10    -10
then cell             |     -3      .    .   1    3     -5  -10     -5
then sign             |     -7     -1    .  -1  -10    -20  -21     -8
then label            |      9      .   11  -5    5      .   -6     -4
then word             |     11      3   13  11   15      4   -2     -9
then quote            |     19      .    8   5   15    -11    1     -5
led by start          |      9      2    3   6    8     -3   -2      4
led by sign           |      .      9   11  -3  -10     -8    9      6
led by mark           |      8      6    1   3   -2     -4   -1     -5
led by dash           |     -2     -2   -6   1    .      1    6    -18
led by cell           |     -4      .    3  -2   -7     -5    2     -2
led by bracket        |     -9     -4   -9  -6  -15    -14   -8     -9
led by then           |     14      .    .   .   39     14   -1      .
led by with           |     14      .    9   .    9      3   -4      .
led by use            |      5      .    .   .    7      3   -9    -10
led by type           |     11      .    9   3   13     13    5      1
led by say            |      .      .    .   .    .      3   -1      6
led by wants          |      4      .    .   .   13      5   -2      .
led by set            |      .      .    .   .    7      3    .      .
led by opens          |      .      .    .   .   -9      .   -2     11
led by is             |     17      .   18  10   19      3    8     -8
led by and            |      6      .   10   1    5     -7   -6     -2
led by in             |     -5      6    .   .   -9     -7   -7     -6
led by for            |      .      .    .   .   -5     -9   -5      3
led by number         |    -11      .    .   .   -5     -1    .      .
led by small          |      2      .    8  -1    5     -9   -7     -3
led by word           |     -2     -3    7   5   -5     -5  -18     -4
before then           |     12      .    .   .    6      .    .      .
before with           |     -2      .    .   .    4      3   -3      .
before use            |      .      .    .   .   -5     -2    .      .
before type           |      1      .    .   .    7      3    .      .
before say            |      .      .    .   .    .     -2    .      .
before wants          |      .      .    .   .    .     -1    .      .
before set            |      .      .    .   .    1     -4    .      .
before opens          |     14      .    .   .   12     13    9      .
before is             |      .     -1    .  -3   -1      5   -2     -2
before and            |      8      .    .   .    5      3   -2      .
before in             |      2      .    2   .    5      .   -1      .
before for            |     -1      .    .   .    3     -1   14      .
before number         |     -5      .    .   .   -3      .    .      .
before small          |      8      .    .   .    2     -1   -6     -1
before word           |    -14     -4   -1  -9  -18    -20  -21     -9
on line with password |     13      7    2   9   31     25   25     -7
on line with phrase   |     -4      1    .   .   16     17   24     24
on line with pin      |     28      .    .   .    2     -1   -2     -9
on line with code     |     16      9    1  12   -3      3   -1     -9
on line with token    |    -11      9   17  22    9     -1  -13     -2
on line with key      |     12      6   12  13    2     -1   -2     -8
on line with seed     |      3      .    .   .   -5     -6   -3     -1
on line with login    |      .     -2   -5  -2    1     -1    .     -9
on line with wifi     |      9      .   11   6    9     11    5      8
on line with service  |     -8     10   -3   5    1      6    3     -2
on line with vault    |    -13      6    3  -5    3      6    2     27
on line with lock     |     27      2    8   .    9      1    7      4
on line with enter    |     14      4    2   1   10     11   -4     14
on line with spare    |      7      6    2   5    2     -8   -4      9
on line with site     |     -7      2   -7  -6    1      3   -3     -9
on line with say      |      1     -2   -1  -4   -1     -4   -4    -14
on line with other    |    -22    -15   -7 -13   -6    -11  -19    -14
on line with public   |     -2      .  -15 -24  -11      4  -10      .
below password        |     -6      .    .   .    2     -4    5     -6
below phrase          |      3      .    .   .   -2      7   -2     12
below pin             |      5      .    .   .    .      .    .     -1
below code            |     -1      1   -2   .   -8      6   -6     -6
below token           |      .      .    7   .  -20    -12   -9     -5
below key             |     -8     -1    .   .  -14     -8   -8    -13
below seed            |     -1      .    .   .   -8     -5   -4     -4
below login           |     -5     -1   -4  -2  -13    -13   -8    -13
below wifi            |      2      .    .   .   -7    -13   -7     -1
below service         |    -13      .  -11  -5  -11    -10   -5    -14
below vault           |     -8     -4   -5  -1  -12     -9   -4    -11
below lock            |    -14     -2   -6  -2  -12    -14  -13    -14
below enter           |    -12     -2   -3   .  -16    -15  -15    -14
below spare           |      .      6    .   .   -8     -8   -9    -14
below site            |     -9     -4   -7  -2  -19    -14  -13    -15
below say             |     -8     -1   -6  -1   -8    -10  -11    -17
below other           |    -25     -9  -18 -15  -27    -25  -17    -26
below public          |     -5     -1  -24  -4  -10     -7   -5     -8
after talk            |      .      5   -6   9    3     -1    2      2
after other           |      1     -3   -4  -9   -7     -5    5      5
of other              |      1      .   -2  -8  -13     -7    .     -3
in pair               |     14      3   11  13   15      6   13     11
as user               |      .      .    .   .    .      .   -5      .
ends note             |      6      9    .   1    4      2    5      4
like others           |     57     14   10  22   30     32   36      .
asked for             |      5      .    .   .    .     -1   -2     -1
in quotes             |      5      .   -1  -3   -9     -6   -2      8
in ticks              |     -2     -1  -14 -21  -17    -15    3      1
in code               |    -20     -9    .   2  -10     -4  -13     -7
in table              |     -3     -1   -4  -2   -7     -6   -8     -5
in talk               |      .      7   12  10    2      .   -5     -6
in much talk          |      5      .    .   .    5    -11    .      1
on long line          |    -14    -10  -27 -10  -27    -23  -12    -25
glued                 |     -7     -1  -11   .  -27    -29  -17     -5
before a value        |     -4      2   -4  -4   -9     -4   -2     -2
behind a value        |    -22     -3    3   2   -7     -2    3     -2
alone                 |      6      4    5  -7   -9      1    .     -3
alone in list         |      .      .    .   .   -4     -6   -1      .
without words         |     -7     -2   -1   .    1     -1   -9      8
in brackets           |     -6     -1    .  -7  -10     -1   -1     -8
of a lock             |     -2      .    .   .    .      .    .      .
with the word         |      .      .  -11   .  -16    -14    2      2
short                 |    -15      .    .   .  -32    -14  -21      .
wide                  |      2      5   24  26    4     10   10      7
beside digits         |    -12      .    .   .    .      .    .      .
of time               |    -16      .    .   .    .      .    .      .
of state              |      .      .    .   .    .    -18  -22    -19
with talk             |      .      .    .   .    .    -18    .    -18
with much talk        |      .      .    .   .    .    -12    .    -22
with small words      |      .      .    .   .    .      .    .    -17
of small words        |      .      .    .   .    .      .    .    -19
begins small          |      .      .    .   .    .      .    .      5
with digits           |      .      .    .   .    .      .    .      8
with capitals         |      .      .    .   .    .      .    .    -12
"""
"""What else is said about a value, by the group of its form: `digits below lock`."""

PAIRS: Final = """
      | email known name of_login of_user of_wifi of_service of_site of_ssid ends_note
slash |    23    18   -5       11       .       2         11      13       .        18
colon |    -4    11  -11        9      -3       5         10      -1       .        -1
comma |    17     6  -14        4       4       1          1       2       .         3
dash  |    10    -1  -18       -3      -2      -1         10      -1       .         2
bar   |    14    13   -1       -1       .       .          5      -1       .         3
word  |    12    21   -3        9      -1      -3          9       9       .       -11
blank |    11     .  -12       -2      -9       2         -3      -1       .         1
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
