"""The points of the evidence for secrets, in tenths; `scripts/fit_secret_weights.py` fitted and wrote the numbers.

A value is a secret if `START` and the points of its evidence come to more than zero. `.` stands for no points.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

START: Final = -40

FORMS: Final = """
                      | word phrase key pin recovery seed none
digits3               |   -8     -3  -6  -7       -7   -4   -5
digits4               |    2      .   4  24        .   -3    3
digits5               |  -10     -2  -2  18      -13    .   -1
digits6               |    6      .  -3  25        9    .    .
digits7               |    4      .  -1  -1        .    .   -1
digits8               |    8      .   .   2       14    .    .
digits9               |   -1      .  -2 -11        .    .   -3
digits13              |    4      .   8 -11        .    .   -1
digit pair            |   -3      .  -2  -7        6    .   -2
digit groups          |    1      .   6  15       25    .    .
keyed                 |    .      7   .  30       -2    .   -1
lettered              |   -1     -7   5   6        .    .   -1
year                  |    .      .  -3  -2        .    .    .
round                 |    .      .  -1 -17        .    .    .
time                  |    .      .   . -11        .    .    .
date                  |    .      .   .   .        .    .    .
groups                |    6      1   8  -2       18    .   -7
letter groups         |    .      .   .   .        .    .    .
product key           |    .      .   .   .        4    .    .
random                |    2      .  15   .        .    .    .
long random           |   -2      .  21   8        .    .    .
plain random          |    3      .  14  -1        .    .   -6
hex                   |    9      .  22  10       -2    .    8
commit                |    .      .  20   .        .    .   -8
short hex             |    5      .  -1   6        .    .   -8
uuid                  |   -5     -3   2   2        .    .  -16
token                 |    5      .   3  -9        8    .  -17
strong                |   21     12   2   .        .   -1    4
marked                |  -12     -3  -7 -20      -10   -4  -19
mixed                 |    9      1  -8   .       18    .   -7
numbered              |   29     12  21  26        .    .   16
numbered once         |   21     -4   3   .       10    .    1
camel digits          |   16      .  -9   7        .    .   15
joined digits         |   21     15  17   8        6    .   -4
capital strong        |   -2      .  -1  -1        .   -1  -11
capital mixed         |    .      .   8  -7        4    .  -10
capital numbered      |    .      .   .   .        .    .    .
capital numbered once |    .      .   .   .        .    .    .
capital camel digits  |    .      .   .   .        .    .    .
capital joined digits |   -6     -2  -5  -1        .    .   -8
dotted digits         |   12      .  -6  -2       -1    .   -5
named                 |   -1      .   .   .        .    .   -5
ticket                |  -10     -1  -5  -8       -2    .  -13
at                    |   -9      .  -3   8        .    .   -7
odd                   |  -21     -2 -12 -13       -6    .  -15
word                  |   -9     -5 -17 -16      -12  -10  -10
title                 |  -18      2 -26 -17      -13   -7  -15
capitals              |   -9      .  -9  -4        .   -7    .
foreign               |  -17     -1  -7  -7        .    .    .
solid                 |  -23      2 -15 -13        .    .    .
camel                 |  -10     -3 -15 -20      -12   -8  -21
joined                |  -12    -10 -15 -19       -1   -9  -23
joined 3              |   -1     13  -3  -1        2   -8  -17
snake                 |   -9     -9 -21 -16      -16   -9  -21
dotted                |   -8     -7 -14  -8      -11   -8  -12
dotted 3              |   12      2  -4   1       -8    .   -2
phrase 2              |  -19      1 -28 -16      -17   -7  -10
phrase 3              |  -23     16 -18 -28      -14   -7   -9
phrase                |   -7     25 -12 -19       -2   -8   -9
"""
"""The form of a value, by the family of the word that is closest to it: `word: strong`."""

RELATIONS: Final = """
         | column cell tight field  is beside far_field far_is  as item near before behind far before_a_value behind_a_value
password |     34   -1    42    27  27     34        25     22  15    4   13     -1     -1  -8              .              .
pass     |     12   -1    14    10   4     -1        -3     -3   .   -4    .     -3    -13  -9              .              .
phrase   |      7  -11    -3    18  19      5         9      6  -1    1   -3     -4    -11 -22             -2             -2
pin      |     18    4     5     5  -8      9         7      5   .    5    6     -6      6   5              .              .
code     |     -6   -2    -5    -9   1      2         4      7   .  -10   -1     -1     -3   3              .              .
recovery |     11    .     .     2   5     -6        19     -1   .   39    6     -1     -1  19              .              .
token    |     12   -6    13    25   .     14        13      6   .   -4   -1      6      2 -19              .              .
key      |      7   -2     2    10   2      4         8      1   2   -2    6     -5     11   2              .              .
seed     |     -1   -1     .     3   .      2         .     -2   .   -5   -4     -2     -1  -5              .              .
login    |     -3   -1    -3     .   5      6         2      5  13   -2   12     -5      3  10            -12              9
user     |     -4   -2     .     .   .      .         2     -2   .   -9    5      .     -6  -9              1             -2
wifi     |     -3   -2     .    -8   .     -6        10    -14   .   -6   11     -7     -5  11            -18              9
service  |      5   -3     .    -8   7     -5         1      7   .  -10    2     -8     -5   9             -1             -2
vault    |     -4   -3   -10     6  -4    -10         2      2   3    1    6     -1      .  -1              4              3
lock     |      4    3    -1     9   4      1         1     15   3   -2   10      3     -4   2             -5            -11
device   |     -2   -4    -1     5   4     -9         3      6   .   -6    4      .     -4   7             -1              1
enter    |     -2   -4    -1   -12  -6      7        -9      2  -2   -6    4     14     -8   .              1              1
spare    |      6   -2     .    13  -6     12        11      2   .   19    6     -3      .   9             11              6
site     |     -2   -4    -3    -3  -2     -7       -10      3  -4  -10   -6     -2     -2  -1            -11              9
say      |     -8   -5     .   -13  -4     -4       -10     -7  -1  -12   -4     -5      3  -6             -3             -4
ssid     |      .    .     .     .   .      .         .      .   .    .   11      .      .   .              .              .
"""
"""The word that is closest to a value, by its relation to it: `password is`."""

GROUPS: Final = """
                      | digits groups long hex made joined word phrase
column                |      5      9   14  11    4     -3   -3      7
cell                  |      1      .    .   .   -6    -11  -16    -11
tight                 |     10      .   11   8   30      9    9     -3
field                 |     24      8   14  19   17     12    8     18
is                    |     10      .   15   6    8     12   12     19
beside                |     20     10    9   3   18     10   12      5
far field             |     11     11   17   5   11     10    9      9
far is                |      1      .    7   8   -1     14    2      6
as                    |      4      .    .   .   12      3   -3     -1
item                  |     -3      2   -9  -3   -2     -9  -11      1
near                  |     11      2   12  12    7      2   -2     -3
before                |      4     -2    .  -1   -6    -13   -7     -4
behind                |      5     -2   -3   .   -4    -10   -8    -11
far                   |      5      1    8   2    3     -4   -4    -22
then end              |     16     15   16   9   23     12    4      4
then stop             |     16      6   23  15   15     -6  -10    -10
then cell             |     -2      .    .   1    3     -5  -10     -5
then sign             |     -7     -1    1  -1  -11    -20  -21     -8
then label            |      9      .   11  -5    5      .   -6     -4
then word             |     11      3   14  11   15      5   -2     -9
then quote            |     19      .    7   5   15    -11    1     -5
led by start          |      8      4    4   6    8     -2   -2      5
led by sign           |      1      9   11  -3   -9     -7   10      6
led by mark           |      8      6    2   2   -2     -5   -2     -5
led by dash           |     -2     -2   -5   1    .      1    6    -18
led by cell           |     -4      .    2  -2   -6     -5    2     -4
led by bracket        |     -9     -4   -9  -5  -15    -14   -8     -9
led by then           |     14      .    .   .   39     13   -1      .
led by with           |     14      .   10   .    9      2   -4     -2
led by use            |      5      .    .   .    7      3   -9    -10
led by type           |     11      .    8   3   13     13    5      1
led by say            |      .      .    .   .    .      3   -2      6
led by wants          |      4      .    .   .   13      5   -2      .
led by set            |      .      .    .   .    7      3    .      .
led by opens          |      .      .    .   .   -9      .   -2     11
led by is             |     16      .   18  10   18      2    7     -7
led by and            |      6      .   10   1    5     -7   -7     -2
led by in             |     -5      6    .   .   -8     -7   -7     -6
led by for            |      .      .    .   .   -6     -9   -5      4
led by number         |    -11      .    .   .   -6     -1    .      .
led by small          |      2      .    8  -2    5     -7   -6     -3
led by word           |     -2     -5    7   5   -5     -5  -18     -3
before then           |     13      .    .   .    6      .    .      .
before with           |     -1      .    .   .    4      2   -1      .
before use            |      .      .    .   .   -5     -2    .      .
before type           |      1      .    .   .    7      3    .      .
before say            |      .      .    .   .    .     -2    .      .
before wants          |      .      .    .   .    .     -1    .      .
before set            |      .      .    .   .    1      .    .      .
before opens          |     14      .    .   .   12     13    9      .
before is             |      1      .    .  -3   -1      4   -2     -2
before and            |      9      .    .   .    6      3   -2      .
before in             |     -1      .    2   .    5     -1   -1      .
before for            |     -1      .    .   .    3     -1   14      .
before number         |     -5      .    .   .   -3      .    .      .
before small          |      8      .    .   .    2     -1   -5     -1
before word           |    -14     -4   -1  -9  -18    -20  -21     -9
on line with password |     12      7    2   9   31     25   26     -8
on line with phrase   |     -4      2    .   .   16     17   22     23
on line with pin      |     28      .    .   .    2     -1   -2     -9
on line with code     |     16      8    1  12   -3      3    .     -9
on line with token    |    -12      9   17  22    9     -1  -12     -2
on line with key      |     13      5   11  13    .      .   -1     -9
on line with seed     |      3      .    .   .   -5     -6   -3     -1
on line with login    |      .     -2   -4  -2    1     -1    .     -9
on line with wifi     |      9      .   11   6    8     11    5      9
on line with service  |     -8     10   -3   5    1      6    3     -2
on line with vault    |    -14      5    .  -7    4      6    3     27
on line with lock     |     27      1    9   .    9      1    7      5
on line with enter    |     14      4    2   2    9     11   -3     14
on line with spare    |      7      6    3   4    2     -8   -3      7
on line with site     |     -9     -1   -7  -6    1      3   -3     -9
on line with say      |      1     -2   -1  -4   -1     -4   -3    -15
on line with other    |    -21    -15   -8 -12   -6    -11  -19    -14
on line with public   |     -2     -1  -16 -26  -11      4  -10      .
below password        |     -5      .    .   .    1     -4    6     -5
below phrase          |      3      .    .   .   -1      9   -2     14
below pin             |      5      .    .   .   -1      .    .     -1
below code            |     -2      2   -3   .   -7      7   -5     -8
below token           |      .      .    8   .  -21    -12   -9     -6
below key             |     -8     -1    .   .  -13     -9   -8    -12
below seed            |     -1      .    .   .   -7     -4   -3     -4
below login           |     -5     -1   -4  -2  -13    -13   -8    -13
below wifi            |      2      .    .   .   -6    -13   -7     -2
below service         |    -13      2  -11  -5  -11    -11   -5    -14
below vault           |     -8     -3   -4  -1  -12     -8   -4    -12
below lock            |    -14     -2   -6  -1  -12    -14  -13    -15
below enter           |    -12     -2   -3   1  -16    -15  -15    -13
below spare           |     -1      5    .   .  -10     -9   -9    -14
below site            |    -12     -3   -7  -2  -18    -14  -13    -15
below say             |     -8     -1   -6  -1   -8     -9  -10    -17
below other           |    -25     -8  -17 -14  -27    -25  -17    -26
below public          |     -5     -1  -24  -4  -10     -7   -5     -8
after talk            |      .      6   -6  10    3     -1    1      2
after other           |      .     -3   -5  -9   -8     -5    5      6
of other              |      1      .   -2  -7  -12     -6    .     -3
in pair               |     14      4    9  13   14      6   13     12
as user               |      .      .    .   .    .      .   -5      .
ends note             |      7      8   -1   1    4      2    5      4
like others           |     56     13   10  22   31     33   36      .
asked for             |      1      .    .   .    1     -1   -2     -1
in quotes             |      5      1    2  -2  -10     -6   -2      7
in ticks              |     -2     -1  -12 -21  -17    -15    3      1
in code               |    -20     -8    .   2  -10     -4  -13     -7
in table              |     -3     -1   -4  -2   -7     -7   -8     -5
in talk               |      .      7   12  10    2      .   -7     -6
in much talk          |      6      .    .   .    5    -11    .      1
on long line          |    -14    -10  -27 -10  -27    -23  -12    -25
glued                 |     -7     -1  -10   .  -27    -29  -18     -5
before a value        |     -4      2   -5  -4   -9     -3   -3     -2
behind a value        |    -22     -2    4   1   -7     -2    3     -2
alone                 |      4      5    7  -7   -8      3    1     -3
alone in list         |      1      .    .   .   -4     -5    .      .
without words         |     -7     -3   -2   .    1      2   -8      9
in brackets           |     -6     -1    .  -7  -10     -1   -1     -8
of a lock             |     -1      .    .   .    .      .    .      .
with the word         |      .      .   -9   .  -16    -15    2      2
short                 |    -15      .    .   .  -31    -14  -20      .
wide                  |      1      7   24  26    4     10   10      7
beside digits         |    -12      .    .   .    .      .    .      .
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
slash |    23    18   -5       11       .       1         10      13       .        17
colon |    -4    12  -11        9      -3       5         10      -1       .        -1
comma |    17     6  -14        4       4       .          1       2       .         3
dash  |    11    -1  -18       -3      -2       .         10      -1       .         2
bar   |    13    13   -2       -1       .       .          5      -1       .         3
word  |    13    21   -3        9      -1      -4          8       9       .       -11
blank |    11     .  -14       -1      -9      -3         -2       .       .         2
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
