"""The points of the evidence for secrets, in tenths; `scripts/fit_secret_weights.py` fitted and wrote the numbers.

A value is a secret if `START` and the points of its evidence come to more than zero. `.` stands for no points.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

START: Final = -40

FORMS: Final = """
                      | word phrase key pin recovery seed none
digits3               |   -8     -3  -5  -8       -8   -4   -5
digits4               |    1      .   4  27       -1   -2    2
digits5               |  -10     -1  -2  21      -12    .   -1
digits6               |    6      .  -3  26        9    .    .
digits7               |    3      .  -1  -1        .    .   -1
digits8               |    8      .   .   2       17    .    .
digits9               |   -3      .  -2 -11        .    .   -3
digits13              |    3      .   8 -13        .    .   -1
digit pair            |   -3      .  -2  -8        6    .   -2
digit groups          |    .      .   5  16       25    .    .
keyed                 |    .      6   .  32       -2    .    .
lettered              |   -2     -7   6   6        .    .   -1
year                  |    .      .  -3  -1        .    .    .
round                 |    .      .   . -20        .    .    .
time                  |    .      .   . -13        .    .    .
date                  |    .      .   .   .        .    .    .
groups                |    5      1  11  -5       22    .   -7
letter groups         |    .      .   .   .        .    .    .
product key           |    .      .   .   .        3    .    .
random                |    7      .  14   .        .    .   -1
long random           |   -2      .  21   9        .    .    3
plain random          |    2      .  14   .        .    .   -7
hex                   |   11      .  21  10       -2    .    7
commit                |    .      .  19   .        .    .   -8
short hex             |    5      .  -2   5        .    .   -7
uuid                  |   -4     -3   1  -1        .    .  -17
token                 |    5      .   3  -9        7    .  -18
strong                |   22     12   3  -1        2    .    6
marked                |  -13     -3  -7 -21      -10   -4  -18
mixed                 |   11      .  -7  -1       22    .   -9
numbered              |   29     12  21  27        .    .   17
numbered once         |   20     -4   2  -2       11    .    1
camel digits          |   15      . -17   7        .    .   19
joined digits         |   22     18  17  10        6    .   -4
capital strong        |   -2      .  -1  -1        .   -1  -12
capital mixed         |   -1      .  10  -8        3    .   -9
capital numbered      |    .      .   .   .        .    .    .
capital numbered once |    .      .   .   .        .    .    .
capital camel digits  |    .      .   .   .        .    .    .
capital joined digits |   -7     -1  -5  -1        .    .   -7
dotted digits         |   14      .   .  -5        .    .   -4
named                 |   -1      .   .   .        .    .   -5
ticket                |  -11     -1  -5  -9       -3    .  -14
at                    |  -11      .  -3   8        .    .   -7
odd                   |  -21     -2 -13 -14       -6    .  -15
word                  |   -9     -2 -17 -16      -12  -10  -10
title                 |  -18      3 -26 -16      -13   -7  -15
capitals              |   -9      .  -9  -3        .   -7    .
foreign               |  -18     -3  -7  -7        .    .    .
solid                 |  -24      4 -15 -13        .    .    .
camel                 |  -10     -3 -15 -20      -11   -8  -20
joined                |  -12    -10 -15 -20       -1   -9  -23
joined 3              |   -1     12  -3   .        1   -8  -17
snake                 |   -9     -9 -21 -16      -15   -9  -20
dotted                |   -8     -7 -14  -8      -11   -8  -11
dotted 3              |   11      2  -5   1       -8    .   -2
phrase 2              |  -20      1 -28 -18      -20   -7   -9
phrase 3              |  -23     16 -18 -29      -15   -7   -9
phrase                |   -5     28 -12 -20       -3   -8   -9
"""
"""The form of a value, by the family of the word that is closest to it: `word: strong`."""

RELATIONS: Final = """
         | column cell tight field  is beside far_field far_is  as list item near before behind far before_a_value behind_a_value
password |     36   -2    43    27  25     35        30     19  15    8   -4   14     -2     -1  -8              .              .
pass     |     -1    .    14    10   5      .        -3     -4   .   -4   -1    1     -3    -12 -10              .              .
phrase   |      7  -11    -4    18  21      5        10     15  -2    6  -11   -4     -4    -11 -23             -3             -2
pin      |     19    3     5     5 -11     10         8      3   .    4    .    6     -7      8   5              .              .
code     |     -6   -2    -4   -10   1      2         4      6   .  -10   -5   -2     -1     -3   3              .              .
recovery |     12    .     .     1   4     -6        19     -2   .   38    7    9     -1     -1  22              .              .
token    |     13   -6    15    24  -1     15        14      4   .   -3   -3    .      6      3 -18              .              .
key      |      7   -2     2     9   1      4         8      9   2   -1   -3    7     -5     12   1              .              .
seed     |      .    .     .     3   .      2         .     -2   .   -3   -2   -4     -2     -1  -5              .              .
login    |     -3   -2    -3    -1   5      7         4      1  17    .   -6   14     -4      3  11            -13              9
user     |     -4   -2     .     .   .      .         4     -3   .   -9   -2    6      .    -11 -13              1             -2
wifi     |     -2   -2     .    -8  -3     -7        14     -7   .   -6   -3   11     -7     -5  10            -19             10
service  |      7   -3     .   -10   6     -6         2      2   .  -10   -2    2     -7     -4  10              .             -1
vault    |     -4   -3   -11     8  -4    -10         4     -4   4    4   -3    9     -1      .  -2              4              2
lock     |      3    2    -1    10   1      4         .     11   3    5   -2   11      2     -5   2             -2            -15
device   |     -1   -4    -1     6   4    -10         2      1   .   -5   -3    4      .     -4   6             -2              1
enter    |     -2   -4    -1   -13  -6      7        -9     -1  -2   -5   -2    5     14     -9   .              2              2
spare    |      7   -2     .    14  -9     12        17      1   .   20   12    5     -3      .   9              9              9
site     |     -3   -4    -3    -3  -3     -6        -9      .  -4   -6   -9   -5     -2     -2  -1            -11              8
say      |     -7   -5     .   -13  -5     -5       -10    -12  -1  -10   -7   -1     -5      4  -6             -3             -4
ssid     |      .    .     .     .   .      .         .      .   .    .    .   11      .      .   .              .              .
"""
"""The word that is closest to a value, by its relation to it: `password is`."""

GROUPS: Final = """
                      | digits groups long hex made joined word phrase
column                |      4     10   15  11    2     -4   -5      7
cell                  |      .      .    .   .   -6    -11  -16    -11
tight                 |     10      .   10   9   30      9   10     -4
field                 |     25      7   16  22   17     13   10     18
is                    |     11      .   16   7    4     12    9     21
beside                |     22     11   10   3   17     11   13      5
far field             |      9     11   14   4   11     10    8     10
far is                |      2      .    9   8    5     15    6     15
as                    |      5      .    .   .   16      3   -3     -2
list                  |      .      4  -11  -2    .     -3   -8      6
item                  |     -1      .   -8  -2   -6    -12   -7    -11
near                  |     11      3   13  11    6      1   -4     -4
before                |      3     -2    1  -1   -7    -13   -7     -4
behind                |      5     -2   -2   1   -5    -10   -8    -11
far                   |      5      1    9   1    2     -4   -7    -23
then end              |     14     17   17   8   25     12    5      3
then stop             |     17      5   23  15   15     -7  -10     -9
then cell             |     -2      .    .   1    4     -5  -10     -6
then sign             |     -7     -1    .  -1  -11    -19  -21     -8
then label            |      7      .   11  -5    5      .   -6     -4
then word             |     12      3   12  12   15      4   -2    -11
then quote            |     19      .    8   6   14    -12    2     -5
led by start          |      9      2    5   5    9     -3   -2      5
led by sign           |      1      8   12  -3  -10     -8    9      7
led by mark           |      9      6    1   2   -3     -4   -1     -5
led by dash           |     -1     -2   -7   2    .      .    6    -17
led by cell           |     -4      .    1  -2   -7     -5    2     -2
led by bracket        |    -10     -4  -10  -4  -15    -15   -8     -9
led by then           |     15      .    .   .   41     14   -1      .
led by with           |     14      .    9   .    9      2   -3      .
led by use            |      6      .    .   .    7      3  -10    -14
led by type           |     12      .   10   3   14     15    4      1
led by say            |      .      .    .   .    .      3   -1      6
led by wants          |      4      .    .   .   13      4   -2      .
led by set            |      .      .    .   .    7      3    .      .
led by opens          |      .      .    .   .  -14     -1   -2     12
led by is             |     18      .   18  10   24      3   10     -9
led by and            |      6      .   10   1    4     -7   -6     -2
led by in             |     -9      7    .   .   -9     -7   -7     -8
led by for            |      .      .    .   .   -5     -9   -5      3
led by number         |    -12      .    .   .   -5     -1    .      .
led by small          |      1      .    8  -1    6    -10   -7     -3
led by word           |     -2     -1    6   6   -6     -5  -19     -4
before then           |     15      .    .   .    6      .    .      .
before with           |     -2      .    .   .    3      2   -3      .
before use            |      .      .    .   .   -5     -2    .      .
before type           |      1      .    .   .    7      3    .      .
before say            |      .      .    .   .    .     -2    .      .
before wants          |      .      .    .   .    .     -1    .      .
before set            |      .      .    .   .    2     -7    .      .
before opens          |     14      .    .   .   13     13   10      .
before is             |      1     -1    .  -2   -1      5   -2     -1
before and            |      8      .    .   .    6      3   -2      .
before in             |      2      .   -2   .    5      4   -1      .
before for            |     -2      .    .   .    3     -1   14      .
before number         |     -6      .    .   .   -3     -1    .      .
before small          |      8      .    .   .    2      .   -6     -2
before word           |    -14     -4   -1  -9  -19    -20  -21    -11
on line with password |     13      8    1  10   32     25   25     -6
on line with phrase   |     -3      1    .   .   18     18   25     25
on line with pin      |     30      .    .   .    3     -1   -2    -11
on line with code     |     17      9    1  13   -3      3   -2     -8
on line with token    |    -12     11   17  22    9     -1  -13     -2
on line with key      |     13      6   12  13    2     -2   -2     -8
on line with seed     |      4      .    .   .   -5     -6   -3     -1
on line with login    |     -1     -1   -5  -4    .     -1   -1     -9
on line with wifi     |     10      .   14   6   10     11    4      7
on line with service  |     -8     10   -4   5    .      6    3     -2
on line with vault    |    -13      6    3  -5    5      6    .     28
on line with lock     |     28     -1    8  -1   10      2    7      5
on line with enter    |     14      5    2   1    9     11   -4     18
on line with spare    |      7      7    2   5    1     -8   -4     11
on line with site     |     -5      3   -8  -6    1      3   -3     -9
on line with say      |      .     -3   -1  -3   -3     -5   -5    -13
on line with other    |    -27    -20   -7 -13   -6    -11  -19    -14
on line with public   |     -3      .  -17 -25  -12      4  -10      .
below password        |     -6      .    .   .    1     -4    5     -6
below phrase          |      2      .    .   .   -2      7   -2     11
below pin             |      5      .    .   .    .      .    .     -1
below code            |     -1      1   -3   .   -8      7   -6     -6
below token           |      .      .    6   .  -21    -12   -9     -5
below key             |     -7     -1    .   .  -14     -8   -8    -13
below seed            |     -1      .    .   .   -8     -4   -4     -4
below login           |     -5     -1   -5  -2  -14    -13   -8    -13
below wifi            |      1      .    .   .   -7    -13   -7     -1
below service         |    -13     -1  -12  -5  -12    -10   -5    -14
below vault           |     -9     -4   -5  -1  -14    -10   -4    -10
below lock            |    -14     -2   -7  -1  -13    -15  -13    -15
below enter           |    -12     -3   -3   .  -16    -15  -15    -14
below spare           |      1      6    .   .   -9     -8   -9    -14
below site            |     -9     -4   -8  -2  -20    -14  -13    -15
below say             |     -9     -1   -6  -1   -8    -10  -11    -16
below other           |    -26     -9  -20 -14  -28    -25  -17    -26
below public          |     -5     -1  -31  -4  -10     -7   -5     -7
after talk            |      1      4   -7  10    3     -1    2      1
after other           |      3     -3   -4  -9   -8     -4    5      5
of other              |      1      .   -2  -8  -18     -7    1     -3
in pair               |     13      3   10  13   17      6   13     10
as user               |      .      .    .   .    .      .   -7      .
ends note             |      8     10    3   .    4      2    4      4
like others           |     60     17   10  22   31     32   37      .
asked for             |      7      .    .   .    .     -1   -2     -1
in quotes             |      5      .    1  -2   -8     -6   -2     10
in ticks              |     -2     -1  -15 -23  -15    -15    3      1
in code               |    -20     -9    3   2   -9     -4  -14     -8
in table              |     -3     -1   -5  -2   -8     -7   -9     -6
in talk               |     -1      8   13  10    1      1   -4     -6
in much talk          |      5      .    .   .    5    -11    .     -1
on long line          |    -14    -10  -27 -10  -28    -23  -12    -26
glued                 |     -6     -1  -12   .  -30    -30  -18     -5
before a value        |     -5      1   -4  -4  -10     -6   -3     -3
behind a value        |    -23     -4    4   2   -7     -2    3     -2
alone                 |      5      4    9  -9  -10      2    1     -2
alone in list         |      .      .    .   .   -3     -6   -1      .
without words         |     -7     -3   -1   .   -1     -1   -9     10
in brackets           |     -6     -1   -1  -7  -11     -1   -1     -7
of a lock             |     -4      .    .   .    .      .    .      .
with the word         |      .      .  -11   .  -17    -15    2      2
short                 |    -17      .    .   .  -35    -14  -22      .
wide                  |      3      4   23  26    3     10   10      7
beside digits         |    -16      .    .   .    .      .    .      .
of time               |    -19      .    .   .    .      .    .      .
of state              |      .      .    .   .    .    -18  -23    -21
with talk             |      .      .    .   .    .    -19    .    -21
with much talk        |      .      .    .   .    .    -12    .    -24
with small words      |      .      .    .   .    .      .    .    -19
of small words        |      .      .    .   .    .      .    .    -23
begins small          |      .      .    .   .    .      .    .      6
with digits           |      .      .    .   .    .      .    .      7
with capitals         |      .      .    .   .    .      .    .    -13
"""
"""What else is said about a value, by the group of its form: `digits below lock`."""

PAIRS: Final = """
      | email known name of_login of_user of_wifi of_service of_site of_ssid ends_note
slash |    22    17   -5       10       1       1         11      12       .        20
colon |    -4    10  -13       10      -3       4         10      -1       .         1
comma |    17     7  -15        5       5       .          1       2       .         2
dash  |    10    -1  -19       -3      -2      -1         10      -1       .         2
bar   |    14    14   -1       -1       .       .          5      -1       .         4
word  |    13    21   -3       10       .      -4          9       9       .       -13
blank |    14     .  -12       -2     -10       1         -2      -2       .         2
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
