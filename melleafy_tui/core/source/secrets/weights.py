"""The points of the evidence for secrets, in tenths; `scripts/fit_secret_weights.py` fitted and wrote the numbers.

A value is a secret if `START` and the points of its evidence come to more than zero. `.` stands for no points.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

START: Final = -38

FORMS: Final = """
                      | word phrase key pin recovery seed none
digits3               |   -8     -3  -6  -7       -7   -4   -5
digits4               |    2      .   4  24        .   -2    3
digits5               |   -9     -1  -2  18      -12    .   -2
digits6               |    7      .  -2  25        9    .    .
digits7               |    4      .  -1  -1        .    .   -1
digits8               |    8      .   .   2       15    .    .
digits9               |   -1      .  -3 -10        .    .   -2
digits13              |    4      .   9 -11        .    .   -1
digit pair            |   -3      .  -2 -10        6    .   -2
digit groups          |    1      .   6  16       25    .    .
keyed                 |    .      7   .  30       -2    .   -1
lettered              |   -1     -7   7   5        .    .   -1
year                  |    .      .  -2  -1        .    .    .
round                 |    .      .   . -18        .    .    .
time                  |    .      .   . -11        .    .    .
date                  |    .      .   .   .        .    .    .
groups                |    6      1   8  -2       18    .   -7
letter groups         |    .      .   .   .        .    .    .
product key           |    .      .   .   .        3    .    .
random                |    2      .  15   .        .    .    .
long random           |   -3      .  19   .        .    .    .
plain random          |    3      .  13  -2        .    .   -7
hex                   |    9      .  22  10       -2    .    8
commit                |    .      .  20   .        .    .   -8
short hex             |    5      .  -1   6        .    .   -8
uuid                  |   -5     -4   2   2        .    .  -17
token                 |    5      .   3 -10        8    .  -17
strong                |   19     16   .   .        2    .    3
marked                |   -9     -3  -4 -17       -7   -3  -14
mixed                 |    9      1  -8   .       17    .   -8
numbered              |   28     11  21  25        .    .   15
numbered once         |   21     -4   3   .       10    .    1
camel digits          |   16      . -10   7        .    .   14
joined digits         |   20     14  17   8        4    .   -5
capital strong        |   -3      .  -1   .        .   -1  -11
capital mixed         |   -1      .   8  -7        4    .  -10
capital numbered      |    .      .   .   .        .    .    .
capital numbered once |    .      .   .   .        .    .    .
capital camel digits  |    .      .   .   .        .    .    .
capital joined digits |   -7     -2  -5   .       -1    .   -8
dotted digits         |   11      .  -6  -2       -1    .   -5
named                 |   -1      .   .  -1        .    .   -6
ticket                |  -10     -1  -5  -9       -3    .  -13
at                    |   -9      .  -3   8        .    .   -7
odd                   |  -22     -2 -12 -13       -6    .  -16
word                  |   -2      2 -10  -8       -5   -2   -3
title                 |  -11      9 -19 -10       -6    .   -8
capitals              |   -2      .  -2   3        .    .    .
foreign               |  -10      6   .   .        .    .    .
solid                 |  -16      9  -8  -6        .    .    .
camel                 |   -3      4  -8 -13       -5   -1  -14
joined                |   -5     -2  -8 -12        6   -2  -16
joined 3              |    6     20   4   6        9   -1  -10
snake                 |   -2     -2 -14  -9       -9   -2  -14
dotted                |   -1      .  -7  -1       -4   -1   -5
dotted 3              |   19      9   3   8       -1    .    5
phrase 2              |  -12      8 -21  -9      -10    .   -3
phrase 3              |  -16     23 -11 -21       -7   -1   -2
phrase                |    .     32  -5 -11        5   -1   -2
"""
"""The form of a value, by the family of the word that is closest to it: `word: strong`."""

RELATIONS: Final = """
         | column cell tight field  is beside far_field far_is  as item near before behind far before_a_value behind_a_value
password |     34   -1    42    27  27     34        24     22  15    4   13      1     -1  -7              .              .
pass     |     12   -1    14    10   4     -1        -3     -3   .   -4    1     -3    -13  -9              .              .
phrase   |      7  -11    -2    19  19      4         9      6  -1   -1   -2     -3    -11 -22             -2             -2
pin      |     18    4     6     6  -8      9         8      4   .    5    7     -7      5   4              .              .
code     |     -6   -2    -6    -9   1      2         5      7   .  -10   -1     -1     -3   3              .              .
recovery |     11    .     .     3   5     -6        20      .   .   38    5     -1     -1  19              .              .
token    |     11   -6    16    23   .     14        12      6   .   -7   -2      5      2 -18              .              .
key      |      7   -2     3    10   2      4         8      2   2   -2    7     -5     11   2              .              .
seed     |     -1   -1     .     3   .      2         .     -2   .   -4   -4     -2     -1  -5              .              .
login    |     -3   -1    -3    -1   5      6         2      5  13   -2   12     -3      2  11            -12             11
user     |     -4   -2     .     .   .      .         2     -2   .   -9    5      .     -6 -10              1             -2
wifi     |     -3   -2     .    -7   .     -6        10    -14   .   -7   11     -7     -5  11            -18             10
service  |      5   -4     .    -9   6     -5         1      6   .   -9    2     -8     -5   8              .             -1
vault    |     -4   -3    -9     6  -4     -9         3      2   3    2    6     -3      .  -1              4              2
lock     |      4    3    -1    10   4      2         4     15   4   -1   10      3     -4   2             -4            -11
device   |     -1   -4    -1     6   4     -9         2      6   .   -7    4      .     -3   7             -2              2
enter    |     -2   -4    -1   -12  -6      7        -9      2  -2   -6    4     14     -8  -1              2              1
spare    |      6   -3     .    13  -6     11        12      2  -1   20    6     -3      .   8             12              7
site     |     -1   -4   -12    -2  -2     -7       -10      3  -4   -9   -5     -2     -1   .            -10              8
say      |     -8   -5     .   -13  -4     -3       -10     -7  -1  -15   -4     -5      3  -6             -3             -4
ssid     |      .    .     .     .   .      .         .      .   .    .   11      .      .   .              .              .
"""
"""The word that is closest to a value, by its relation to it: `password is`."""

GROUPS: Final = """
                      | digits groups long hex made joined word phrase
column                |      5      9   14  12    3     -3   -3      7
cell                  |      1      .    .   .   -6    -11  -16    -11
tight                 |     10      .   11   7   28      8    9     -2
field                 |     23      8   15  19   18     12    8     19
is                    |     10      .   15   6    7     12   12     19
beside                |     19     10    9   4   18     10   12      4
far field             |     10     11   17   5   12     10    9      9
far is                |      1      .    8   8   -1     14    2      6
as                    |      5      .    .   .   12      3   -3     -1
item                  |     -2      2   -9  -3   -1     -9  -11     -1
near                  |     11      2   13  12    8      2   -2     -2
before                |      4     -2    .  -1   -4    -13   -7     -3
behind                |      5     -2   -3  -1   -3    -10   -8    -11
far                   |      5      1    8   1    3     -4   -4    -22
then end              |     16     15   16   9   24     12    4      4
then stop             |     16      6   23  15   15     -6  -10    -10
then cell             |     -2      .    1   1    3     -5  -10     -5
then sign             |    -11     -2    1  -1  -10    -20  -21     -8
then label            |      9      .   12  -5    3      .   -6     -4
then word             |     11      3   14  11   15      5   -2     -9
then quote            |     20      .    7   4   14    -12    1     -4
led by start          |      8      4    5   5    8     -3   -2      5
led by sign           |     -1      9   11  -3  -11     -7   10      5
led by mark           |      8      6    3   3    .     -4   -2     -5
led by dash           |     -2     -2   -5   2   -1      1    7    -18
led by cell           |     -3      .    2  -1   -7     -5    2     -4
led by bracket        |     -9     -4  -10  -6  -15    -14   -8     -9
led by then           |     15      .    .   .   39     13   -1      .
led by with           |     14      .   10   .    9      2   -4     -2
led by use            |      5      .    .   .    7      3   -9    -10
led by type           |     12      .    8   3   12     13    5      1
led by say            |      .      .    .   .    .      3   -2      6
led by wants          |      3      .    .   .   12      5   -2      .
led by set            |      .      .    .   .    9      3    .      .
led by opens          |      .      .    .   .   -9      .   -2     12
led by is             |     16      .   18  10   18      2    7     -7
led by and            |      6      .    9   1    5     -7   -7     -2
led by in             |     -6      6    .   .   -9     -7   -7     -6
led by for            |      .      .    .   .   -6     -9   -5      4
led by number         |    -11      .    .   .   -6     -1    .      .
led by small          |      2      .    8  -2    6     -7   -7     -3
led by word           |     -2     -5    7   5   -6     -5  -18     -3
before then           |     13      .    .   .    5      .    .      .
before with           |     -2      .    .   .    3      3   -1      .
before use            |      .      .    .   .   -5     -2    .      .
before type           |      1      .    .   .    7      3    .      .
before say            |      .      .    .   .    .     -2    .      .
before wants          |      .      .    .   .   -1     -1    .      .
before set            |      .      .    .   .    1      .    .      .
before opens          |     14      .    .   .   11     13    9      .
before is             |      2      .    .  -2   -2      4   -2     -2
before and            |      9      .    .   .    7      3   -2      .
before in             |     -1      .    2   .    4     -1   -1      .
before for            |     -3      .    .   .    3     -1   14      .
before number         |     -5      .    .   .   -4      .    .      .
before small          |      9      .    .   .    2     -1   -5     -1
before word           |    -13     -4   -1  -8  -18    -20  -21     -9
on line with password |     13      7    1   9   31     26   26     -8
on line with phrase   |     -4      2    .   .   16     16   22     23
on line with pin      |     28      .    .   .    4     -1   -2     -9
on line with code     |     17      8    2  12   -4      2   -1    -10
on line with token    |    -15     10   17  22    9     -1  -12     -2
on line with key      |     12      6   11  13   -2     -1   -2     -9
on line with seed     |      3      .    .   .   -5     -6   -3     -1
on line with login    |      .     -2   -4  -2    2     -1    .     -9
on line with wifi     |      8      .   11   6    7     11    5      9
on line with service  |     -9     10   -3   5    1      6    4     -2
on line with vault    |    -14      5    .  -7    3      6    3     27
on line with lock     |     26      1   10   .    8      1    7      4
on line with enter    |     15      5    3   2   10     11   -3     14
on line with spare    |      7      6    2   4    2     -8   -3      7
on line with site     |     -9     -1   -8  -6    1      3   -3     -9
on line with say      |      1     -2   -2  -5    .     -5   -3    -15
on line with other    |    -20    -16   -7 -12   -6    -11  -19    -15
on line with public   |     -1      .  -15 -26   -8      5   -9      1
below password        |     -5      .    .   .    2     -4    5     -5
below phrase          |      3      .    .   .   -2      9   -2     14
below pin             |      5      .    .   .   -1      .    .     -1
below code            |     -2      2   -3   .   -8      7   -5     -8
below token           |      1      .    5   .  -19    -12   -9     -5
below key             |     -8     -1    .   .  -13     -9   -8    -12
below seed            |     -1      .    .   .   -5     -4   -4     -4
below login           |     -6     -1   -3  -2  -14    -13   -8    -14
below wifi            |      2      .    .   .   -7    -13   -7     -2
below service         |    -13      2  -11  -5  -11    -11   -5    -14
below vault           |     -8     -3   -4  -1  -11     -8   -4    -12
below lock            |    -14     -2   -6  -2  -12    -14  -13    -15
below enter           |    -13     -2   -3   .  -15    -15  -15    -13
below spare           |     -1      5    .   .   -9     -9   -9    -14
below site            |    -12     -3   -6  -2  -17    -14  -13    -15
below say             |     -8     -1   -6  -2   -8     -9  -11    -19
below other           |    -25     -8  -17 -14  -26    -25  -17    -26
below public          |     -4     -1  -24  -4   -7     -6   -4     -7
after talk            |     -1      6   -5  10    3     -1    1      2
after other           |      1     -3   -5  -9   -8     -5    5      6
of other              |      1      .   -2  -7  -11     -6    .     -3
in pair               |     13      4    9  13   15      6   13     12
as user               |      .      .    .   .    .      .   -5      .
ends note             |      7      8   -1   1    3      2    5      4
like others           |     56     13   12  22   31     33   36      .
asked for             |      1      .    .   .    .     -1   -2     -1
in quotes             |      5      1    1  -3  -10     -6   -2      7
in ticks              |     -2     -1  -12 -21  -15    -15    3      1
in code               |    -20     -8    1   2   -9     -4  -13     -7
in table              |     -8     -1   -4  -2   -7     -6   -8     -5
in talk               |      .      7   11  10    1      .   -8     -6
in much talk          |     -2      .    .   .    4    -11    .      1
on long line          |    -15    -10  -26 -10  -27    -23  -12    -24
glued                 |     -6     -1  -10   .  -28    -29  -18     -5
before a value        |     -4      2   -5  -5  -10     -3   -3     -2
behind a value        |    -22     -2    4   1   -8     -3    2     -2
alone                 |      3      5    8  -7   -6      4    1     -1
alone in list         |      1      .    .   .   -4     -5    .      .
without words         |     -7     -3   -2   .    2      2   -8     10
in brackets           |     -6     -1    .  -7  -10     -1   -1     -8
of a lock             |     -1      .    .   .    .      .    .      .
with the word         |      .      .   -9   .  -18    -15    2      2
short                 |    -15      .    .   .  -31    -14  -20      .
wide                  |      2      7   24  26    4     10   10      7
beside digits         |    -14      .    .   .    .      .    .      .
of time               |    -16      .    .   .    .      .    .      .
of state              |      .      .    .   .    .    -18  -21    -19
with talk             |      .      .    .   .    .    -18    .    -18
with much talk        |      .      .    .   .    .    -12    .    -22
with small words      |      .      .    .   .    .      .    .    -17
of small words        |      .      .    .   .    .      .    .    -18
begins small          |      .      .    .   .    .      .    .      5
with digits           |      .      .    .   .    .      .    .      8
with capitals         |      .      .    .   .    .      .    .    -11
"""
"""What else is said about a value, by the group of its form: `digits below lock`."""

PAIRS: Final = """
      | email known name of_login of_user of_wifi of_service of_site of_ssid ends_note
slash |    23    17   -5       10       .       1         10      12       .        17
colon |    -4    12  -11        9      -3       5          8      -1       .         .
comma |    16     7  -14        5       4      -1          .       1       .         3
dash  |    11    -1  -18       -3      -2       .         10      -1       .         2
bar   |    13    13   -2       -1       .       .          5      -1       .         3
word  |    12    21   -3        9      -1      -1          9       8       .       -10
blank |    11     1  -14       -1      -9      -3         -2      -1       .         2
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
