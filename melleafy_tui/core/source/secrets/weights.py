"""The points of the evidence for secrets, in tenths; `scripts/fit_secret_weights.py` fitted and wrote the numbers.

A value is a secret if `START` and the points of its evidence come to more than zero. `.` stands for no points.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

START: Final = -39

FORMS: Final = """
                      | word phrase key pin recovery seed none
digits3               |   -8     -3  -6  -6       -6   -3   -5
digits4               |    4      .   3  23        .   -2    4
digits5               |   -9     -2  -2  16      -12    .   -2
digits6               |    6      .  -3  24        9    .    .
digits7               |    4      .  -1   .        .    .   -1
digits8               |    9      .   .   2       16    .    .
digits9               |    .      .  -4 -10        .    .   -3
digits13              |    5      .   8 -11        .    .   -1
digit pair            |   -3      .  -3 -10        5    .   -2
digit groups          |    2      .   6  13       25    .    .
keyed                 |    1      7   .  28       -2    .   -1
lettered              |   -2     -6   7   7        .    .   -1
year                  |    .      .  -2  -2        .    .    .
round                 |    .      .  -1 -12        .    .    .
time                  |    .      .   . -12        .    .    .
date                  |    .      .   .   .        .    .    .
groups                |    4      1   5   1       15    .   -8
letter groups         |    .      .   .   .        .    .    .
product key           |    .      .   .   .        3    .    .
random                |    2      .  14   .        .    .    .
long random           |   -3      .  20   .        .    .    .
plain random          |    3     -1  12  -2        .    .   -7
hex                   |    8      .  21  10       -2    .    9
commit                |    .      .  20   .        .    .   -8
short hex             |    4      .  -2   6        .    .   -8
uuid                  |   -5     -3   1   4        .    .  -16
token                 |    4      .   4  -9        9    .  -16
strong                |   17     14  -1   .        1    .    .
marked                |   -9     -3  -6 -17       -7   -3  -15
mixed                 |    9      1  -6   .       13    .   -9
numbered              |   29     11  21  24        .    .   14
numbered once         |   22     -4   2   .       11    .    1
camel digits          |   16      .  -2   6        .    .   14
joined digits         |   20      7  16   6        3    .   -6
capital strong        |   -2      .  -1  -1        .   -1  -11
capital mixed         |    .      .   7  -4        5    .  -10
capital numbered      |    .      .   .   .        .    .    .
capital numbered once |    .      .   .   .        .    .    .
capital camel digits  |    .      .   .   .        .    .    .
capital joined digits |   -5     -2  -5  -1       -1    .   -9
dotted digits         |   11      .  -6   2       -1    .   -5
named                 |   -1      .   .  -1        .    .   -6
ticket                |   -9     -1  -5  -9       -3    .  -13
at                    |   -8      .  -4   8        .    .   -8
odd                   |  -21     -2 -11 -14       -5    .  -15
word                  |   -1      . -10  -8       -5   -3   -2
title                 |   -9      7 -19 -10       -6    .   -7
capitals              |   -3      .  -2   2        .    .    .
foreign               |   -8      7   .   .        .    .    .
solid                 |  -16      9  -9  -6        .    .    .
camel                 |   -3      1  -7 -11       -3   -1  -13
joined                |   -5     -3  -7 -11        4   -2  -15
joined 3              |    5     19   3   5        9   -1   -9
snake                 |   -2     -2 -14  -8       -8   -2  -12
dotted                |    3      .  -6   1       -4   -1   -4
dotted 3              |   17      .   3   8       -1    .    3
phrase 2              |  -10      3 -11  -6       -9    .   -2
phrase 3              |  -13     14  -9 -18       -6   -1   -1
phrase                |    2     17  -2  -9        6   -1   -2
"""
"""The form of a value, by the family of the word that is closest to it: `word: strong`."""

RELATIONS: Final = """
         | column cell tight field  is beside far_field far_is  as item near before behind far before_a_value behind_a_value
password |     30   -1    42    28  26     31        22     19  13    3   10     -1      .  -8              .              .
pass     |     16   -1    14    10   3      1         8     10   .    1    .     -3    -14  -8              .              .
phrase   |      2  -10   -10    15  10      1        10      9  -1   -2   -3     -6    -10 -18             -1             -1
pin      |     13    2     8     7  -3      9         7      3   .    6    7     -6      3   5              .              .
code     |     -5   -1    -6    -8   1      2         6      6   .  -10   -1     -1     -3   3              .              .
recovery |      8    .     .     1   4     -6        19     -1   .   35    5     -1     -1  13              .              .
token    |     11   -6    15    23  -1     13        12      5   .   -7   -2      7      1 -18              .              .
key      |      8   -2     3    10   2      2         8      8   2   -2    7     -5     10   2              .              .
seed     |      .   -1     .     2   .      2        -1     -2   .   -5   -5     -1     -1  -5              .              .
login    |     -2   -1    -3    -1   4      4         .      4   8   -2   11     -4      1  10            -11             10
user     |     -3   -2     .     .   .      .         1     -3   .  -10    4      .     -1  -6              1             -4
wifi     |     -3   -2     .    -8   2     -5         7     -8   .   -6    9     -4     -5  12            -19              7
service  |      .   -3     .    -8   5     -4         1      5   1   -9    2     -7     -5   7              1             -1
vault    |     -4   -3    -8     5  -4     -9         1     -2   1    .    5     -5      .   .              4              3
lock     |      6    2    -1    10   4      3         6     13   3   -1   10      3     -4   4             -5             -9
device   |     -1   -4    -1     5   5     -9         3      6   .   -7    4      .     -3   8              .              2
enter    |     -2   -4    -1   -10  -4      8       -10      1  -1   -6    4     15     -9   .              1              1
spare    |      5   -2     .    12  -4     12        10      2  -1   19    8     -3      .   8             13              5
site     |     -4   -3   -11    -3  -2     -8       -11      3  -3  -10   -5      .     -1   .             -9              9
say      |     -6   -4     .   -11   .      .        -9     -6  -1  -14   -8     -5      3  -5             -2             -2
ssid     |      .    .     .     .   .      .         .      .   .    .   10      .      .   .              .              .
"""
"""The word that is closest to a value, by its relation to it: `password is`."""

GROUPS: Final = """
                      | digits groups long hex made joined word phrase
column                |      9      4   14  10    1     -1   -1      2
cell                  |      1      .    .   .   -5    -11  -16    -10
tight                 |     12      .   12   6   28      9   10    -10
field                 |     21     11   12  16   18     13    9     15
is                    |     10      .   14   5    8     10   13     10
beside                |     17      7   10   3   17      8   12      1
far field             |     11      9   17   4   12     10   11     10
far is                |      2      .    7   8    7     13    3      9
as                    |      4      .    .   .    7      4   -4     -1
item                  |     -2      2   -6  -3   -3     -8  -12     -2
near                  |     10      3   13  12    8      3    .     -3
before                |      4     -2   -2  -2   -5    -11   -4     -6
behind                |      4     -2   -4  -2   -2    -11   -7    -10
far                   |      6      2    7   2    2     -4   -3    -18
then end              |     18     15   17  10   24     11    3      6
then stop             |     17      5   21  15   17     -6  -12    -12
then cell             |     -2      .    5  -1    3     -6  -10     -5
then sign             |      .     -1    1  -2   -8    -22  -18     -9
then label            |     12      .   13  -1    4      2   -1     -4
then word             |     13      2   12  13   16      2    1     -6
led by start          |      8      4    2   7   11     -2   -2      5
led by sign           |     -1     11   11  -1  -10     -6   11      6
led by mark           |      7      6    3   3   -1     -4   -2     -6
led by dash           |     -3     -1   -5   1   -1      1    8    -18
led by cell           |     -3      .    1   .   -5     -4    3     -3
led by bracket        |     -9     -3  -10  -8  -17    -14   -6    -11
led by then           |     14      .    .   .   32      8   -1      .
led by with           |     13      .    8   .    8      3   -4     -2
led by use            |      5      .    .   .    6      3   -9     -4
led by type           |     11      .    8   3   11     12    6      .
led by say            |      .      .    .   .    .      3   -4      9
led by wants          |      5      .    .   .   12      5   -2      1
led by set            |      .      .    .   .    9      3    .      .
led by opens          |      .      .    .   .   -3      1   -2     11
led by is             |     16      .   18   9   14      3    7     -5
led by and            |      6      .    8   1    4     -7   -7     -2
led by in             |     -1      4    .   .   -9     -5   -8     -6
led by for            |      .      .    .   .   -7     -8   -5      4
led by number         |    -10      .    .   .   -6     -1    1      .
led by small          |      2      .    8  -2    6     -7   -7     -3
led by word           |     -2     -6    8   5   -5     -4  -17     -6
before then           |     13      .    .   .    5      .    .      .
before with           |     -2      .    .   .    4      3   -2      .
before use            |      .      .    .   .   -5     -2   -1      .
before type           |      1      .    .   .    6      3    .      .
before say            |      .      .    .   .    .     -1    .      .
before wants          |      1      .    .   .   -1     -1    .      .
before set            |      .      .    .   .    .      .   -1      .
before opens          |     14      .    .   .   11     14    7      .
before is             |      .     -1    1  -3   -2      1    1     -6
before and            |      9      .    7   .    5      3   -3      3
before in             |      1      .    6  -1    6     -5    8      1
before for            |     -4      .    3   .    3      .   13      .
before number         |     -4      .    .   .   -4      .    .      .
before small          |      8      .    .   .    2     -1   -7     -2
before word           |    -12     -3    1  -8  -14    -17  -18     -6
on line with password |     10      9    5   7   32     28   25      .
on line with phrase   |     -5      1    .   .   10     11   21     32
on line with pin      |     27      .    .   .    4     -1   -1     -5
on line with code     |     15     10    3  11   -3      3    .     -9
on line with token    |    -12      5   17  22    9      1   -9      .
on line with key      |     12      5   12  13    .     -1   -3     -6
on line with seed     |      3      .    .   .   -5     -5   -3     -1
on line with login    |      .     -2   -3   .    3      .    1     -8
on line with wifi     |      7      .    9   7    7     12    6      8
on line with service  |     -8      9   -3   6    2      7    4     -4
on line with vault    |    -12      5    1  -7    1      6    2     27
on line with lock     |     25      6    9   2    8      .    7      1
on line with enter    |     14      4    2   2   10     10   -3     11
on line with spare    |      6      8    3   2    3     -7   -4      8
on line with site     |     -9     -1   -7  -5    .      4   -3     -8
on line with say      |      1     -2   -2  -4    .     -4   -3     -9
on line with other    |    -16     -9   -7 -12   -7    -11  -19    -14
on line with public   |      .      .  -14 -24  -11      .  -10      1
below password        |     -5      .    .   .    4      2    5      3
below phrase          |      3      .    .   .    1     10   -3     14
below pin             |      6      .    .   .   -1      .    .     -1
below code            |     -1      1   -2   .   -8      6   -5     -8
below token           |      .      .    4   .  -18    -11   -9     -6
below key             |     -8     -1    .   .  -12     -9   -9    -11
below seed            |     -1      .    .   .   -5     -4   -3     -4
below login           |     -7     -1   -3  -3  -14    -12   -9    -14
below wifi            |      2      .    .   .   -7    -12   -7     -3
below service         |    -13      2  -10  -6  -11    -12   -5    -14
below vault           |     -9     -3   -6  -1   -9     -7   -2    -14
below lock            |    -13     -3   -6  -2  -11    -13  -13    -14
below enter           |    -13     -2   -2   .  -14    -14  -15    -13
below spare           |     -2      5    .   .   -7     -9   -8    -14
below site            |    -12     -3   -6  -3  -16    -13  -13    -15
below say             |     -9     -1   -5  -2   -8     -8  -11    -17
below other           |    -25     -8  -16 -14  -25    -24  -18    -26
below public          |     -5     -1  -19  -5   -6     -6   -5     -7
after talk            |     -2      7   -5   9    3     -2    .      2
after other           |     -2     -3   -6  -8   -6     -3    4      5
of other              |      .      .   -1  -8   -9     -7    .     -4
in pair               |     12      4   12  11   13      6   12      7
as user               |      .      .    .   .    .      .   -5      .
ends note             |      6      7   -3   2    1      .    5      4
like others           |     50     10   13  22   30     33   36      .
asked for             |      2      .    .   .    .     -1   -2     -1
in quotes             |      9      .   -3  -4   -9     -7    2      4
in ticks              |      .     -1  -17 -21  -15    -16    7      3
in code               |    -19     -8   -4  -3  -10     -4  -11     -6
in table              |     -8     -1   -3  -1   -7     -6   -7     -5
in talk               |      .      6   11  10    1     -1   -7     -7
in much talk          |     -2      .    .   .    4    -10    .      1
on long line          |    -15     -9  -26  -9  -26    -22  -12    -22
glued                 |     -6     -1   -9   .  -26    -27  -19     -4
before a value        |     -5      2   -7  -5  -11     -2   -3     -1
behind a value        |    -20     -1    3   1   -8     -3    2     -1
alone                 |      3      5    3  -6   -7      4    2     -1
alone in list         |      1      .    .   .   -3     -4   -1      .
without words         |     -7     -3   -2  -1    3      1   -7      8
in brackets           |     -6     -1    .  -6   -8      .   -2    -10
of a lock             |      2      .    .   .    .      .    .      .
with the word         |      .      .  -11   .  -19    -15    2      .
short                 |    -14      .    .   .  -29    -14  -19      .
wide                  |      1      8   24  26    6     11   10      7
beside digits         |    -12      .    .   .    .      .    .      .
of time               |    -13      .    .   .    .      .    .      .
of state              |      .      .    .   .    .    -18  -21    -17
with talk             |      .      .    .   .    .    -17    .    -17
with much talk        |      .      .    .   .    .    -12    .    -19
with small words      |      .      .    .   .    .      .    .    -14
of small words        |      .      .    .   .    .      .    .    -14
begins small          |      .      .    .   .    .      .    .      4
with digits           |      .      .    .   .    .      .    .      7
with capitals         |      .      .    .   .    .      .    .     -9
"""
"""What else is said about a value, by the group of its form: `digits below lock`."""

PAIRS: Final = """
      | email known name of_login of_user of_wifi of_service of_site of_ssid ends_note
slash |    21    18   -5       11      -1       2         11      12       .        17
colon |    -3    13  -10        8      -3       6          8      -1       .         .
comma |    16     8  -13        4       4       .          1       1       .         4
dash  |    11     .  -17       -3      -2       1         10      -1       .         3
bar   |     9     4   -1       -1       .       .          5       .       .         3
word  |    11    20   -2        9      -1       .          9       9       .        -7
blank |     8     1  -12       -3      -9       1         -3      -1       .         1
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
