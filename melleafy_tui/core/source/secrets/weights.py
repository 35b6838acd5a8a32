"""The points of the evidence for secrets, in tenths; `scripts/fit_secret_weights.py` fitted and wrote the numbers.

A value is a secret if `START` and the points of its evidence come to more than zero. `.` stands for no points.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

START: Final = -41

FORMS: Final = """
                      | word phrase key pin recovery seed none
digits3               |   -8     -3  -7  -8       -8   -3   -6
digits4               |    3      .   5  28       -1   -2    2
digits5               |   -9     -1  -2  21      -12    .   -2
digits6               |    6      .  -3  23        7    .   -1
digits7               |    1      .  -1  -1        .    .   -1
digits8               |    9      .   .   3       18    .   -1
digits9               |   -1      .  -1 -10        .    .   -4
digits13              |    3      .   8 -12        .    .   -3
digit pair            |   -2      .  -3  -7        6    .   -2
digit groups          |    1      .   6  17       27    .    .
keyed                 |    .      7   .  33       -4    .   -1
lettered              |   -1     -8   5   7        .    .   -1
year                  |    .      .  -2   .        .    .    .
round                 |    .      .  -1 -22        .    .    .
time                  |    .      .   . -13        .    .    .
date                  |    .      .   .   .        .    .    .
groups                |    6      1  11  -5       24    .   -9
letter groups         |    .      .   .   .        .    .    .
product key           |    .      .   .   .        3    .    .
random                |    8      .  15   .        .    .    .
long random           |   -3      .  21  10        .    .    4
plain random          |    3     -1  15   1        .    .   -9
hex                   |   11      .  22  11       -2    .    8
commit                |    .      .  20   .        .    .   -7
short hex             |    5      .  -1   4        .    .   -8
uuid                  |   -5     -4   1   .        .    .  -17
token                 |    5      .   3  -9        7    .  -19
strong                |   23     13   6  -2        1   -1    8
marked                |  -13     -3  -9 -22      -11   -4  -19
mixed                 |   10      1  -6  -1       22    .   -8
numbered              |   29     14  20  28        .    .   18
numbered once         |   18     -4   1  -1       12    .    2
camel digits          |   16      . -16   7        .    .   20
joined digits         |   22     19  15   9        4    .   -3
capital strong        |   -1      .  -1  -1        .    .  -12
capital mixed         |   -1      .  10  -7        4    .  -13
capital numbered      |    .      .   .   .        .    .    .
capital numbered once |    .      .   .   .        .    .    .
capital camel digits  |    .      .   .   .        .    .    .
capital joined digits |   -6     -1  -4   .        .    .   -7
dotted digits         |   13      .  -1  -4        .    .   -5
named                 |   -1      .   .  -1        .    .   -5
ticket                |  -10      .  -4 -10       -2    .  -12
at                    |  -14      .  -4   8        .    .   -6
odd                   |  -23     -2 -11 -15       -6    .  -19
word                  |   -9     -1 -17 -15      -15  -10  -10
title                 |  -18      4 -26 -16      -13   -7  -16
capitals              |   -9      .  -9  -4        .   -7    .
foreign               |  -16     -3  -7  -7        .    .    .
solid                 |  -22      5 -16 -13        .    .    .
camel                 |  -11     -3 -14 -21      -10   -8  -21
joined                |  -13     -9 -14 -20        .   -9  -23
joined 3              |    .     14  -3  -1        3   -8  -16
snake                 |  -11     -9 -22 -18      -16  -10  -21
dotted                |  -10     -8 -16 -11      -10   -8  -13
dotted 3              |   11      2  -6   2       -8    .   -3
phrase 2              |  -20      2 -27 -18      -22   -7  -10
phrase 3              |  -25     18 -18 -30      -19   -7   -9
phrase                |   -4     32 -12 -20       -4   -9   -8
"""
"""The form of a value, by the family of the word that is closest to it: `word: strong`."""

RELATIONS: Final = """
         | column cell tight field  is beside far_field far_is  as list item near before behind far before_a_value behind_a_value
password |     37   -1    43    28  27     35        32     20  13   14   -2   16     -1     -1  -7              .              .
pass     |     -1    .    15     8   6     -1        -5     -3   .   -3   -1    1     -3    -13  -9              .              .
phrase   |      7  -11    -3    20  21      5        12     16  -2    5  -11   -4     -4    -11 -23             -2             -1
pin      |     17    2     6    13 -12     10         8      3   .    7    .    5     -8      6   6              .              .
code     |     -5   -1    -6   -11   .      1         6      7   .   -4   -3   -1     -1     -3   1              .              .
recovery |     11    .     .     1   4     -6        19     -2   .   34    7    8     -1     -1  24              .              .
token    |     13   -6    13    22   .     15        15      2   .   -5   -3    2      7      3 -20              .              .
key      |      7   -2     3    10   2      5         8     10   2   -2   -3    7     -5     12   1              .              .
seed     |      .    .     .     3   .      2         1     -2   .   -4   -2   -3     -2     -1  -4              .              .
login    |     -3   -1    -2    -1   4      7         5      1  17   -7   -6   14     -4      4  12            -13             10
user     |     -3   -2     .     .   .      .         4     -3   .  -11   -2    7      .    -10 -11              1             -3
wifi     |     -2   -2     .    -8  -1     -6        15     -6   .   -6   -3   12     -7     -5   9            -19              9
service  |      7   -3     .   -11   6     -7         3      1   1  -14   -1    1     -7     -3  10              1              .
vault    |     -4   -3    -9     7  -6    -10         4     -3   4    2   -3    8     -1      .  -1              3              2
lock     |      3    1    -1    12   2      5         2     11   3    2   -3   12      2     -3   3             -2            -15
device   |     -1   -4    -1     6   4     -9         1      1   1   -8   -4    4      .     -4   7             -4              2
enter    |     -2   -4    -2   -13  -7      7        -9     -1  -2   -8   -2    5     15     -9   .              2              1
spare    |      8   -2     .    14  -9     12        17      1   .   17   14    5     -2      .  10             11             10
site     |     -2   -3    -3    -3  -3     -5       -11      .  -3  -10  -10   -5     -4     -2  -2            -11              8
say      |     -7   -6     .   -15  -5     -6        -9    -12  -1  -17   -7   -3     -5      4  -6             -2             -5
ssid     |      .    .     .     .   .      .         .      .   .    .    .   10      .      .   .              .              .
"""
"""The word that is closest to a value, by its relation to it: `password is`."""

GROUPS: Final = """
                      | digits groups long hex made joined word phrase
column                |      4     10   15  11    3     -3   -4      7
cell                  |      .      .    .   .   -6    -10  -15    -11
tight                 |     10      .   10  10   28     11   11     -3
field                 |     26      7   17  20   16     14   10     20
is                    |     11      .   16   6    4     13   11     21
beside                |     22     11   11   4   16     11   13      5
far field             |     11     12   15   5   11     10    8     12
far is                |      3      .    9   8    6     15    7     16
as                    |      5      .    .   .   16      2   -3     -2
list                  |      3      6  -10  -1   -7     -3  -12      5
item                  |      .      .   -9  -2   -3    -11   -7    -11
near                  |     11      3   12  11    5      2   -3     -4
before                |      3     -2    1  -1   -6    -12   -8     -4
behind                |      4     -2   -2   1   -5    -10   -7    -11
far                   |      5      1   10   2    1     -3   -6    -23
then end              |     12     17   16   8   24     10    4      1
then stop             |     16      6   23  15   14     -7  -11    -11
then cell             |     -2      .    1   1    4     -5  -10     -6
then sign             |     -8     -1    .  -1  -11    -20  -21     -9
then label            |     10      .   11  -4    4     -2   -6     -4
then word             |     10      4   12  12   15      3   -2    -11
then quote            |     18      .    8   6   13    -13    1     -5
led by start          |      7      3    6   5    8     -2   -1      7
led by sign           |      .      7   12  -3  -11    -10    8      5
led by mark           |      7      6    2   2   -4     -5   -1     -6
led by dash           |     -2     -3   -7   1    .     -1    5    -21
led by cell           |     -4      .    .  -2   -8     -4    1     -2
led by bracket        |    -12     -4  -10  -5  -16    -16   -9     -9
led by then           |     15      .    .   .   42     16   -1      .
led by with           |     15      .   10   .   10      1   -3      1
led by use            |      5      .    .   .    5      3   -9    -13
led by type           |     12      .   10   3   15     15    4      1
led by say            |      .      .    .   .    .      3   -1      4
led by wants          |      4      .    .   .   14      4   -2      .
led by set            |      .      .    .   .    7      3    .      .
led by opens          |      .      .    .   .  -14     -3   -2     13
led by is             |     18      .   18  10   23      3   10     -9
led by and            |      7      .    9   1    4     -7   -6     -2
led by in             |     -9      7    .   .  -11     -6   -7     -8
led by for            |      .      .    .   .   -5     -9   -5      4
led by number         |    -11      .    .   .   -4     -1    1      .
led by small          |      2      .    8  -1    6    -10   -7     -5
led by word           |     -2     -1    6   6   -6     -6  -19     -3
before then           |     15      .    .   .    6      .    .      .
before with           |     -2      .    .   .    3      2   -3      .
before use            |      .      .    .   .   -5     -2   -1      .
before type           |      2      .    .   .    7      4    .      .
before say            |      .      .    .   .    .     -2    .      .
before wants          |      .      .    .   .    .     -1    .      .
before set            |      .      .    .   .    2     -8    .      .
before opens          |     15      .    .   .   14     14   10      .
before is             |     -2     -1    .  -3   -1      3   -2     -2
before and            |      9      .    .   .    5      2   -2      .
before in             |      2      .   -2   .    5      5   -1      .
before for            |     -2      .    .   .    2     -1   15      .
before number         |     -8      .    .   .   -3     -1    .      .
before small          |      8      .    .   .    1      .   -6     -1
before word           |    -13     -3   -2  -9  -20    -20  -21    -11
on line with password |     13      7    1  10   34     26   24     -5
on line with phrase   |     -3      1    .   .   20     20   26     25
on line with pin      |     30      .    .   .    4     -1   -2    -12
on line with code     |     18      9    2  13   -1      4   -2     -9
on line with token    |    -12     12   18  23    5     -1  -13     -3
on line with key      |     12      6   12  13    3     -1   -2     -8
on line with seed     |      4      .    .   .   -5     -5   -4     -1
on line with login    |     -2     -1   -5  -3    1      .    .     -9
on line with wifi     |     10      .   14   6   12     12    5      8
on line with service  |     -8     10   -4   5    2      6    3     -4
on line with vault    |    -13      7    3  -5    7      4    .     29
on line with lock     |     30     -2    7  -1   11      2    7      6
on line with enter    |     15      5    2   1   10     11   -3     18
on line with spare    |      6      6    2   6    1     -9   -4     10
on line with site     |     -6      4   -8  -6    1      4   -4    -10
on line with say      |      1     -2   -3  -4   -1     -4   -5    -14
on line with other    |    -26    -20   -7 -13   -7    -12  -20    -15
on line with public   |     -6     -1  -16 -24  -12      3  -10     -1
below password        |     -1      .    .   .   -3     -4    9     -1
below phrase          |      2      .    .   .   -6     -1   -1     -4
below pin             |      .      .    .   .    .      .    .      .
below code            |     -1      .    .   .  -10      1   -5     -4
below token           |      3      .   -2   .   -7     -9   -7     -3
below key             |     -3     -1    .   .  -12     -6   -4     -4
below seed            |      .      .    .   .   -4     -2   -2     -3
below login           |     -1     -1   -2  -1  -17     -7   -9     -9
below wifi            |     -1      .    .   .   -9     -9   -6     -3
below service         |     -7     -1   -7  -4  -12     -9   -3    -11
below vault           |     -7      .   -6  -1  -15     -8   -1    -11
below lock            |    -14     -1   -7  -1   -7    -11   -9    -12
below enter           |     -8      .    .  -3  -14    -11  -13    -10
below spare           |      2      .    .   .  -14     -9   -6     -6
below site            |     -4     -3   -7  -2  -14     -9  -10    -12
below say             |     -7     -1    .  -1   -9     -5   -9    -14
below other           |    -18     -6  -14 -14  -26    -20  -14    -23
below public          |     -2     -1    .  -1  -11     -4   -3     -4
after talk            |      1      4   -6  10    3     -1    1      1
after other           |      2     -2   -5  -9   -8     -5    5      4
of other              |      1      .   -3  -8  -18     -7    1     -2
in pair               |     13      3   10  14   18      7   13     10
as user               |      .      .    .   .    .      .   -7      .
ends note             |      8     10    3   .    4      1    3      4
like others           |     65     18   12  23   30     31   36      .
asked for             |      7      .    .   .   -1     -2   -2     -1
in quotes             |      3     -1    .  -2   -9     -7   -3      9
in ticks              |     -3     -1  -15 -24  -15    -16    2     -1
in code               |    -20    -10    3   2  -10     -3  -13     -9
in table              |     -3     -1   -6  -2   -7     -6   -8     -6
in talk               |     -3      9   13   9    1      1   -4     -6
in much talk          |      5      .    .   .    5    -11    .     -1
on long line          |    -14    -11  -26 -10  -26    -22  -11    -25
glued                 |     -7     -2  -12   .  -31    -32  -18     -5
before a value        |     -4      1   -4  -4  -10     -5   -2     -2
behind a value        |    -23     -4    4   1   -8     -3    2     -1
alone                 |      3      6    8  -9  -10      1   -1     -4
alone in list         |      .      .    .   .   -4     -6   -1      .
without words         |     -7     -2    .   .   -2      .  -10     12
in brackets           |     -7     -2   -2  -7  -10     -2   -1     -8
of a lock             |     -4      .    .   .    .      .    .      .
with the word         |      .      .  -11   .  -21    -15    2      1
short                 |    -17      .    .   .  -37    -14  -22      .
wide                  |      2      4   23  27    2     10    9      8
beside digits         |    -16      .    .   .    .      .    .      .
of time               |    -18      .    .   .    .      .    .      .
of state              |      .      .    .   .    .    -18  -22    -22
with talk             |      .      .    .   .    .    -19    .    -22
with much talk        |      .      .    .   .    .    -12    .    -26
with small words      |      .      .    .   .    .      .    .    -20
of small words        |      .      .    .   .    .      .    .    -24
begins small          |      .      .    .   .    .      .    .      6
with digits           |      .      .    .   .    .      .    .      7
with capitals         |      .      .    .   .    .      .    .    -14
"""
"""What else is said about a value, by the group of its form: `digits below lock`."""

PAIRS: Final = """
      | email known name of_login of_user of_wifi of_service of_site of_ssid ends_note
slash |    24    17   -4       10       2       1         13      13       .        20
colon |    -4    11  -13       10      -3       5          9      -2       .         1
comma |    18     5  -16        5       5       .          2       2       .         3
dash  |    11    -1  -19       -3      -1      -2         11      -1       .         3
bar   |    14    13   -1       -1       .       .          5      -1       .         4
word  |    14    21   -3       11       .      -5          9       9       .       -13
blank |    15    -2  -13       -1      -9      -1         -3      -1       .         2
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
