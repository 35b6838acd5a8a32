"""The points of the evidence for secrets, in tenths; `scripts/fit_secret_weights.py` fitted and wrote the numbers.

A value is a secret if `START` and the points of its evidence come to more than zero. `.` stands for no points.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

START: Final = -39

FORMS: Final = """
                      | word phrase key pin recovery seed none
digits3               |   -9     -4  -9 -11       -8   -2   -6
digits4               |    1      .   3  26       -1   -1    2
digits5               |   -7     -1  -2  18      -10    .   -2
digits6               |    6      .  -3  23        7    .   -1
digits7               |    2      .  -1  -2        .    .   -1
digits8               |    7      .   .  -1       19    .   -1
digits9               |    .      .  -4  -7        .    .   -4
digits13              |   -1      .   .   .        .    .   -1
digits17              |    6      .   .   .        .    .    .
digit pair            |   -2      .  -1  -7        6    .   -2
digit groups          |    .      .   6  13       28    .    .
keyed                 |    1      .   .  29        .    .    .
hashed                |    .      .   .   8        .    .    .
lettered              |   -1     -8   4   5        .    .   -1
year                  |    .      .  -1   6        .    .    .
round                 |    .      .  -1 -20        .    .    .
time                  |    .      .   . -15        .    .    .
date                  |    .      .   .   .        .    .    .
groups                |    2      1   9  -1       21    .   -9
letter groups         |    3      .   .   .        .    .    .
product key           |    .      .   .   .        4    .    .
random                |    8      .  15   .        .    .    1
long random           |   -2      .  19   6        .    .    6
plain random          |    2     -2  13   1        .    .   -8
hex                   |    7      .  22  11       -1    .   10
commit                |    .      .  20   .        .    .  -11
short hex             |    6      .  -1   6        7    .   -7
uuid                  |   -5     -4   .   .        .    .  -17
token                 |    8      .   3  -7        8    .  -18
strong                |   22     12   5  -2        1    .    8
marked                |  -16      1 -10 -19      -10   -4  -19
mixed                 |   11      2  -6   3       21   -1   -7
numbered              |   30     14  19  28       -2    .   18
numbered once         |   15     -4   .  -3        9    .    2
camel digits          |   14      . -19   8        .    .   19
joined digits         |   23     17  14   8        2    .   -4
capital strong        |   -1      .  -1   1        .    .  -12
capital mixed         |   -2      .  10  -5        4    .  -14
capital numbered      |    .      .   .   .        .    .    .
capital numbered once |    .      .   9   .        .    .    .
capital camel digits  |    .      .   .   .        .    .    .
capital joined digits |   -7     -1  -4   1        .    .   -7
dotted digits         |   13      .  -1  -3        .    .   -4
named                 |    .     -1  -2   .        .    .   -5
ticket                |  -10      .  -4  -9       -1    .  -14
at                    |  -16      .  -5   8        .    .   -7
odd                   |  -12     -2  -7 -17       -3    .  -16
word                  |   -6      .  -8 -14       -7   -6   -7
title                 |  -15      5 -18 -14       -8   -4  -13
capitals              |   -5      .  -5  -1       -4   -4    .
foreign               |  -13     -1  -4  -4        .    .    .
solid                 |  -24      2 -10 -10        .    .    .
camel                 |   -8      . -10 -18       -8   -4  -17
joined                |  -11     -7 -10 -17       -2   -5  -19
joined 3              |    1     16   2   1        4   -5  -13
snake                 |   -8     -7 -17 -15      -13   -6  -17
dotted                |   -7     -5 -12  -7       -7   -5   -9
dotted 3              |   12      5  -2   7       -5    .    1
phrase 2              |  -15      . -20 -13      -16   -4   -6
phrase 3              |  -16     13 -14 -25      -12   -4   -5
phrase                |   -1     21  -7 -16        3   -6   -6
"""
"""The form of a value, by the family of the word that is closest to it: `word: strong`."""

RELATIONS: Final = """
         | column cell tight field  is beside far_field far_is  as list item near before behind far before_a_value behind_a_value
password |     39   -1    33    16  19     31        21     10   7   12   -2   17      1      4  -3              .              .
pass     |     -1    .    15    10   6      2        -4     -1   .   -2   -1    3     -2    -11  -8              .              .
phrase   |     15  -11    -7    12  15      4         6     10  -2    2   -9   -1     -3     -9 -19             -2             -1
pin      |     17    3     5     9 -10      6         4      2   .    4    .    5     -8      7   5              .              .
code     |     -5   -1    -5    -7   1      2         7      8   .   -3   -3   -3     -1     -2   4              .              .
recovery |     11    .     .     2   4     -3        18     -4   .   29    6    7     -1      .  24              .              .
token    |     11   -3    10    20  -2     14        13      .   .   -3   -3    2      7      3 -16              .              .
key      |      6   -2     2     9   1      2         7     11   1    .   -3    7     -5      9   4              .              .
seed     |     -1    .     .     4   .      2         .     -1   .   -3   -2   -5     -2     -1  -4              .              .
login    |     -4   -3    -3     7   5      7         2      .  16   -8   -4   11     -3      3   9            -12             12
user     |     -4   -1     .     .   .      .         4     -3   .   -8   -2    3     -1    -14 -12              2             -3
wifi     |     -2   -2     .    -8   1     -8        18     -4   .   -5   -2   11     -8     -6   9            -17              6
service  |     -1   -4     .    -8   6     -6         3      2   .  -12   -4   -2     -7     -4   9              .              .
vault    |     -6   -3    -3     9  -6     -9         5     -4   3    .   -3    6     -3      .   .              1              1
lock     |      .    2    -1     6  -1      1         2      6   1    2   -3   11      3     -4   4             -5            -16
device   |     -1   -4    -2     8   3     -6         3      1   .   -6   -4    3      .     -3   7             -2              4
enter    |     -2   -4    -1    -8  -2     10        -5      4   .   -7   -2    4     15     -9  -1              2              1
spare    |      6   -3     .    12  -6     11        14      .   .   15   13    4     -3     -1  11             13              7
site     |     -6   -4    -2     2  -1     -4        -8      4  -2   -7   -9   -5     -3     -2   .            -11              9
say      |     -6   -4     .   -10   2     -2        -4     -6  -1  -12   -5   -7     -6      3  -6              .             -5
ssid     |      .    .     .     .   .      .         .      .   .    .    .    9      .      .  -1              .              .
"""
"""The word that is closest to a value, by its relation to it: `password is`."""

GROUPS: Final = """
                      | digits groups long hex made joined word phrase
column                |     11      8   13  10    2     -1   -6     15
cell                  |      .      .    .   .   -6    -11  -15    -11
tight                 |      9      .    9   9   26      9   11     -7
field                 |     20      9   12  20   16     13    4     12
is                    |      7      .   14   5    2     10    8     15
beside                |     19     11   12   6   18     11   10      4
far field             |     11     10   16   3    8      7    6      6
far is                |     -2      .   11   6    5     13    3     10
as                    |      4      .    .   .   13      .   -3     -2
list                  |      1      6   -9   .   -7     -5  -10      2
item                  |      .      .  -10  -1   -3     -9   -6     -9
near                  |     16      6   15  13    7      4   -4     -1
before                |      6     -2   -1  -1   -5    -11   -7     -3
behind                |      4     -2    2  -4   -5     -9   -7     -9
far                   |      5      .   10   1    3     -2   -5    -19
then end              |     17     14   15   7   24      9    4      2
then stop             |     17      6   23  16   15     -8  -10     -9
then cell             |     -3      .    1   2    3     -6   -9     -5
then sign             |    -11     -1    .  -1  -11    -19  -20     -9
then label            |      8      .   13  -4    6     -4   -5     -2
then word             |     10      3   10  10   16      3   -2    -11
then quote            |     16      .    7   5   14    -13    1     -9
led by start          |      7      2    5   6    8     -4   -2      4
led by sign           |     -2     10   12  -7  -11    -10    7      6
led by mark           |      7      5    1   2   -3     -5   -1     -8
led by dash           |     -4     -3   -7   1   -2     -2    5    -19
led by cell           |     -6      .   -1  -3   -9     -4    2     -3
led by bracket        |     -9     -6  -10  -7  -16    -16   -9     -9
led by then           |     15      .    .   .   42     16   -1      .
led by with           |     14      .   11   .   10      1   -4      .
led by use            |      7      .    .   .    6      2   -5    -11
led by type           |     13      .    9   7   20     16    2      1
led by say            |      .      .    .   .    .      3    5      6
led by wants          |      4      .    .   .   14      4   -3      .
led by set            |      .      .    .   .    7      2    .      .
led by opens          |      .      .    .   .  -15     -4   -2     13
led by is             |     17      3   19   8   23      2    9     -9
led by and            |      6      .    9   .    5     -7   -7     -3
led by in             |     -8      7    .   .   -9     -6   -7     -7
led by for            |      .      .    .   .   -6    -10   -5      2
led by number         |    -13      .    .   .   -5     -1    .      .
led by small          |      2      .    8  -1    6    -10   -7     -5
led by word           |      .      .    7   6   -6     -5  -19     -2
before then           |     13      .    .   .    5      .    .      .
before with           |     -2      .    .   .    3      2   -1      .
before use            |      .      .    .   .   -5     -2    .      .
before type           |      2      .    .   .    6      4    .      .
before say            |      .      .    .   .    .     -2    .      .
before wants          |      .      .    .   .    .     -1    .      .
before set            |      .      .    .   .    2     -8    .      .
before opens          |     13      .    .   .   13     14    9      .
before is             |     -2      .    .  -2    1      2   -1     -2
before and            |      9      .    .   .    4      2   -2      .
before in             |      2      .   -2   .    4      4   -1      .
before for            |     -4      .    .   .    4     -1   15      .
before now            |      .      .    .   .    5     -1    .      .
before number         |      .      .    .   .   -2      .    .      .
before small          |      6      .    .   .    2      .   -5     -1
before word           |    -16     -3   -1 -10  -21    -20  -21    -10
on line with password |     13      8    .  10   31     24   14      2
on line with phrase   |     -3      2    .   .   18     17   15     17
on line with pin      |     28      .    .   .    4     -1   -1    -10
on line with code     |     16      9    2   9    .      4    .     -8
on line with token    |     -8     10   16  21    1     -4  -11     -4
on line with key      |      9      5   12  14   -2      .   -4     -6
on line with seed     |      4      .    8   .   -6     -5   -3     -1
on line with login    |     -4     -2    .  -3    1     -1    3     -8
on line with wifi     |      8     12   14   7   12     12    5      9
on line with service  |     -8      7    .   7    3      5    3     -4
on line with vault    |    -13      6    3  -4   10      4    .     26
on line with lock     |     28      .    5   2   10      2    9      4
on line with enter    |     13      4    3   2   11     10   -4     18
on line with spare    |      7      6    2   3    2     -9   -5     10
on line with site     |     -7      2  -11  -6    .      3   -3    -10
on line with say      |      2     -2   -4  -4   -4     -5   -2     -5
on line with other    |    -22    -13   -7 -11   -7    -11  -20    -17
on line with public   |     -4      .  -17 -22  -13      2   -8     -1
below password        |     -3      .    .   .   -3     -4    9     -1
below phrase          |      2      .    .   .   -4     -5   -1     -4
below pin             |      .      .    .   .    .      .    .      .
below code            |     -2      .    .   .  -10      2   -5     -3
below token           |      3      .   -1   .   -8     -8   -8     -3
below key             |     -2     -1    .   .  -12     -6   -4     -3
below seed            |      .      .    .   .   -4     -2   -1     -2
below login           |      1     -1   -2  -1  -19     -7   -9     -9
below wifi            |     -1      .    .   .  -10     -9  -12     -4
below service         |     -9     -2   -9  -3   -9     -9   -3    -11
below vault           |     -6      .   -6  -1  -16     -7   -2    -11
below lock            |    -13     -1   -7   3   -5    -10   -8    -11
below enter           |     -7      .    .  -3  -14    -11  -13    -10
below spare           |      1      .    .   .  -14     -9   -5     -7
below site            |     -1     -4   -6  -2  -13     -9   -6    -12
below say             |     -6     -1    .   .   -8     -7  -12    -14
below other           |    -17     -6  -13 -12  -25    -20  -12    -22
below public          |     -3     -1    .  -1  -10     -6   -6     -5
after talk            |      .      3   -6   9    1     -1    2      1
after other           |     -2     -2   -6  -9   -9     -5    6      3
of other              |      .      .   -3  -8  -19     -7    1     -2
in pair               |     16      4   10  14   17      7   14     10
as user               |      .      .    .   .    .      .   -7      .
ends note             |      3     11    3   1    4      1    3      5
like others           |     64     17   12  22   35     30   35      .
asked for             |      6      .    .   .   -2     -3   -2     -2
in quotes             |      5     -1    1  -1   -9     -6   -1     10
in ticks              |     -3     -1  -15 -19  -15    -17    1     -1
in code               |    -21     -8    3   .  -10     -2  -12    -10
in table              |     -3     -1   -5  -3   -8     -6   -7     -5
in talk               |     -3      7   13   9    1      1   -5     -7
in much talk          |      5      .    .  -1    4    -10    .     -1
on long line          |    -14     -9  -27 -10  -28    -22  -11    -25
glued                 |     -6     -2  -12   .  -30    -30  -18     -4
before a value        |     -3      1   -5  -5  -11     -5   -4     -2
behind a value        |    -23     -4    3   2   -8     -2    2     -1
alone                 |      3      5    8  -9  -11     -1   -1     -5
alone in list         |      .      .    .   .   -3     -4    .      .
without words         |     -7     -1    2   .   -2     -3  -11      7
in brackets           |     -6     -5   -2  -7  -12     -1    .     -7
of a lock             |      3      .    .   .    .      .    .      .
with the word         |      .      .  -11   .  -20    -16   -2      2
short                 |    -18      .    .   .  -38    -14  -25     -1
wide                  |      1      4   22  27    3     12    6      9
beside digits         |    -17      .    .   .    .      .    .      .
of time               |    -18      .    .   .    .      .    .      .
of state              |      .      .    .   .    .    -18  -21    -23
with talk             |      .      .    .   .    .    -20    .    -20
with much talk        |      .      .    .   .    .    -12    .    -23
with small words      |      .      .    .   .    .      .    .    -17
of small words        |      .      .    .   .    .      .    .    -21
begins small          |      .      .    .   .    .      .    .      5
with digits           |      .      .    .   .    .      .    .      9
with capitals         |      .      .    .   .    .      .    .    -13
"""
"""What else is said about a value, by the group of its form: `digits below lock`."""

PAIRS: Final = """
      | email known name of_login of_user of_wifi of_service of_site of_ssid ends_note
slash |    25    17   -4       10       3       2         12      12       .        21
colon |    -3    13  -12       10      -2       6         10      -2       .        -1
comma |    18     5  -16        5       5       .          .       2       .         3
dash  |    13    -2  -20       -2      -2      -1         10       .       .         4
bar   |    15     9   -2       -1       .       .          5      -1       .         5
word  |    14    22   -4       11       .      -4          9       9       .       -12
blank |    16     1  -12       -3      -9       .         -1      -1       .         2
"""
"""What separates a value from the name before it, by the kind of name and by whose it is: `pair slash email`."""

COMBINED: Final = """
               | password pass phrase pin code recovery token key login wifi service vault lock device enter say
column digits  |        4    .      .  15   -2        1     .   2     .    .       .    -1    .      .     .   .
column groups  |        .    .      .   .    .        9     .   .     .    .       .     .    .      .     .   .
column long    |        .    .      .   .    .        .     .   9     .    .       .     .    .      .     .   .
column hex     |        .    .      .   .    .        .     6   4     .    .       2     .    .      .     .   .
column made    |        8    .      8   .   -2        .    -2  -1     .    .       1    -3    .      .     .   .
column joined  |        7    .      .  -1    .        .     6  -1    -1    .      -4     .    .     -1     .  -1
column word    |        1    .      6   3    .        .    -1  -1    -1   -1      -1     .    .      1     .  -1
column phrase  |       20    .     23   .    .        .    -3  -6    -1   -1      -1    -1    .     -1    -1  -3
list digits    |        2    .      .   6    3        5    -1  -1     .    .      -1     .    8      .    -1   .
list groups    |        .    .      .   .    .        2     .   .     .    .       .     .    .      .     .   .
list long      |        .    .      .   .    .        .     .   .     .    .       .     .    .      .     .   .
list hex       |        .    .      .   .    .        .     .   .     .    .       .     .    .      .     .   .
list made      |       15    .      .   .   -4       10    -2  -4     3    6      -2    -5   -4     -2    -2  -1
list joined    |       -2    .     12   .   -2       18    -2  -1    -2   -1      -1     6   -2     -1    -1  -1
list word      |        .    .      .  -1    .        .    -1  -1     .    .       .     .    .      .     .   .
list phrase    |       -4   -1     29  -2    .        .    -1  -1    -2   -1      -1     2    .     -2    -1  -6
beside digits  |        2    .      .  12   -2       -4    -6 -15     4    .      -1     .   14      2     5   .
beside groups  |        .    .      .   .    .       -8     9   .     .    .       .     .    .      .     .   .
beside long    |        2    .      .   .    .        .     7  10     .    .       .     .    .      .     .   .
beside hex     |        2    .      .   .    .        .     .   2     .    .       .     .    .      .     .   .
beside made    |       10   -5      3   .    3        .     5   7     4    .      -1   -10   -7      .    -6   .
beside joined  |        1    3      .  -2    2        .     2  -5    10   -4      -3     5   -2     -2     .   .
beside word    |       25   -3      .   6   -1        .    -3   2    -2   -2      -7    -3   -1     -4     9  -4
beside phrase  |      -11   -1     16  -3    .        .     .   .     .    1       .     1    .      .    -6  -5
given digits   |        7    .      .  12    2        2     2   3    16    1       4    -5   22     -5     4   .
given groups   |       10    .      .   .    .        4     .   .     .    .       2     .  -14      .     .   .
given long     |        9    .      .   .    .        2    10   7     1   13       1     1    3      6     .   .
given hex      |       11    .      .   .    .        6    13  11    -2    2       1     .    .     -7     .  -3
given made     |       20   10     15  -1   -5        8     8  10     8    .       1     .    7      .    -5   2
given joined   |       17    8     12  -2    1        6     7  -2     1   -2       5     1   -4      6    -2   3
given word     |       27    8     29   1   -4       -1     .  -5    -2   -4      -8     8   -3      4    -4  -4
given phrase   |        7   -1     32  -1    .       -8    -1   3     5   -7      -3     1    2      8   -12 -18
"""
"""How words give values of a group of forms, by word: `pin column digits`."""

TABLES: Final[dict[str, Callable[[str, str], str]]] = {
    "FORMS": lambda row, column: f"{column}: {row}",
    "RELATIONS": lambda row, column: f"{row} {column}",
    "GROUPS": lambda row, column: f"{column} {row}",
    "COMBINED": lambda row, column: f"{column} {row}",
    "PAIRS": lambda row, column: f"pair {row} {column}",
}
"""How the evidence of each table is called."""


@cache
def points() -> dict[str, int]:
    """Return the points of each evidence."""
    found: dict[str, int] = {}
    for table, name_of in zip((FORMS, RELATIONS, GROUPS, COMBINED, PAIRS), TABLES.values(), strict=True):
        head, *rows = (line.partition("|") for line in table.strip("\n").splitlines())
        columns = [column.replace("_", " ") for column in head[2].split()]
        for row, _, cells in rows:
            found.update(
                (name_of(row.strip(), column), int(cell))
                for column, cell in zip(columns, cells.split(), strict=True)
                if cell != "."
            )
    return found
