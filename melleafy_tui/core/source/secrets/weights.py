"""The points of the evidence for secrets, in tenths; `scripts/fit_secret_weights.py` fitted and wrote the numbers.

A value is a secret if `START` and the points of its evidence come to more than zero. `.` stands for no points.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

START: Final = -37

FORMS: Final = """
                      | word use vault phrase key pin code enter say pair recovery seed none
digits3               |   -4 -10    -2     -1 -13 -13  -11   -11  -6   -8      -10   -3   -9
digits4               |   11  -1    -1      .   2  25   17    12   .    4       -3   -1    4
digits5               |    2  -6     .     -1  -3  27    4    10   .    3      -13    .   -3
digits6               |   10   2     .      .   9  27   18    10   .    .       10    .    2
digits7               |    .  -4     .      .  -1  -6    .     .   .    .        .    .   -1
digits8               |    6   1     .      .   .  -3   -8     .   .    6       19    .   -1
digits9               |    5  -9     .      .  -4   .    .     .   .    4        .    .   -5
digits13              |    .   .     .      .   .   .    .     .   .    .        .    .   -1
digits17              |    2   9     .      .   .   .    .     .   .    .        .    .    .
digit pair            |    .  -3     .      .  -2  -9   -2    -9  -1   -1       10    .   -3
digit groups          |    .   .     .      .  10  17    .     .   .    .       26    .   -1
keyed                 |    2   .     .      .   .  31    .     8   .    .        .    .   -1
hashed                |    .   .     .      .   .   8    .     .   .    .        .    .    .
lettered              |    .  -1    -2      .   .   6    5     1  -8    6        .    .   -2
year                  |    .   .     .      .  -1  -4    .     .   .    .        .    .    .
round                 |    .   .     .      .  -1 -25    .     .   .    .        .    .    .
time                  |    .   .     .      .   . -16    .   -13   .    .        .    .    .
date                  |    .   .     .      .   .   .    .     .   .    .        .    .    .
groups                |    7  -1     .      3   7  -7    5     .  -1   -1       19    .   -9
letter groups         |    .   .     .      .   .   .    .     .   .    .        .    .    .
product key           |    .   .     .      .   2   .    .     .   .    .        5    .    .
random                |    1   1     .      .  15   .    .     .   .    .        .    .    4
long random           |   -4   1    -3      .  17   2    .     .   .    .        .    .    6
plain random          |    .  -1     .      .  13  -1    .     .  -2    .        .    .   -8
hex                   |   10   6     .      .  22   8    .     .   .    .       -3    .   11
commit                |    .   .     .      .  21   .    .     .   .    .        .    .  -12
short hex             |    7   .     .      .  -2  -5    .     .   .    .       10    .   -8
uuid                  |    .  -7     .      .  -2   3    .    -3  -5   -3        .    .  -20
token                 |   15   .     .      .   2   .    .     .   .   13        9    1  -16
strong                |   30   1     8     -2   3 -10   -8     7   5   12      -10   -1   -9
scrambled             |   16  12     .      .  11   .    .     .   .   10        .    .   26
linked                |   21  14     .      .  10   2    .     4   .   12        .    .   14
linked lower          |    8  15     .      .   2  -3    .     .   .    .        .    .    3
linked 3              |    .   .     .      .   .   .    .     .   .    .        .    .    4
marked                |  -24 -25   -15      . -22 -25  -15   -22  -9  -28      -14   -6  -31
mixed                 |    8  -1    11     -2 -10   8   11    -4  -1    4       16   -1  -10
numbered              |   26  15    12     13  13  21    9    10   5   20       -2    .   10
numbered once         |   12  -1     .      .  -2  -2    8   -11   .    6        5    .    .
camel digits          |   -1  10     .      . -16   .    .     .   .   10        .    .   23
joined digits         |   16   .    20     16  12   7  -17     3   5   12        3   -1  -10
capital strong        |    2  -4    -1      .  -2  -1   -3    -3   .   -2       -1    .  -15
capital mixed         |   -4  -6     3      .   6  -6    8     4  -2   -8        8    .  -11
capital numbered      |    .   .     .      .   .   .    .     .   .    .        .    .   -1
capital numbered once |    .   .     .      .   9   .    .     .   .    .        .    .    .
capital camel digits  |    .   .     .      .   .   .    .     .   .    .        .    .    .
capital joined digits |   -5  -7     .      .  -5   .    5    -4  -2   -2       -1    .  -10
dotted digits         |   11   9     .      .  -9  -6    .    -3   .   15       -1    .  -11
named                 |    .  -1     .      .  -3   5    .     .  -1    .       -2    .   -9
ticket                |   -2 -19    -1      .  -5 -13   -4   -14  -1   -6       -3    .  -16
at                    |   -4   .     .      .  -7   .    .     .   .   -4        .    .  -15
odd                   |    . -14    -1      .  -8 -13   -4    -9  -5  -13       -4    .  -16
word                  |   12 -14   -17      3  -9 -14  -12   -14  -6   -5       -2   -7  -12
title                 |   -1 -20   -14      4 -17  -8  -12   -10  10  -17       -9   -4   -8
capitals              |   -5   .     .      .  -5  -4   -5     .   .    .        .   -4    .
unspoken              |    .  -5    -5      .  -5  -2   22    -5  -4   -5       -4    .   -4
foreign               |   -5  -5    -6     -1  -5   .   -4    -4   .   -5        .    .    .
solid                 |  -13  -6    13      7 -11  -5   -6    -7  -7   -4        .    .    .
camel                 |    4 -13   -11     -2 -12  -6   -5   -16  -7   -9       -9   -5  -19
joined                |   -7 -17   -13    -11 -10 -16  -10   -15 -12  -11       -5   -6  -20
joined 3              |    8  -3    -8      3   3  -2   -1    -5  -1    3        2   -5  -14
joined 4              |    2  -2    16     19   2  -6   -4    14   3   -5        4    .   -7
snake                 |   -2 -15    -6     -6 -17 -19  -12   -11  -8   -9      -14   -7  -18
dotted                |  -10  -9   -12     -5 -19 -13  -10    -3  -5    9       -7   -5  -11
dotted 3              |    9   3    -5      .  -1  -4   -5     4   .   15       -5    .   -5
dotted 4              |    .  -5     .      .  -4   .    .    -4   .    .        .    .   -4
phrase 2              |   -3  -5   -17     -4 -13  -8   -6    -3  -6  -16      -14   -4   -7
phrase 3              |   -3 -14   -19      9 -15 -11   -6   -16  -3   -9      -12   -4   -6
phrase                |   -6  -8    17     25   2 -12   -5     6  -6  -11       -4   -7  -12
phrase list           |  -21 -14    -7      8 -11  -8   -5    -4  -9   -7      -13   -4   -4
word list             |    .   .     .      .   .   .    .     .   .    .        .    .    .
"""
"""The form of a value, by the family of the word that is closest to it: `word: strong`."""

RELATIONS: Final = """
         | column cell tight field  is beside far_field far_is  as list item near before behind far before_a_value behind_a_value
password |     45   -4    33    15  16     27        18     10   7   18    2   14      .     -1   1              .              .
pass     |     -1    .    11     9   7      3        -5     -1   .   -5   -2    2     -3    -12  -6              .              .
phrase   |     16  -16    -9     8  13      7         7      5  -1    .   -9   -3     -2     -9  -8             -7              .
saying   |      .   -1     .   -11  -2     -3         3      1   .   -3   -2   -4     -4     -3  -4              .              .
pin      |     30   17     6    11  -8      8         3      .  11   12   -1    5    -10      8  -3              .              .
code     |    -11   -3    -9    -6   2      9        10      7   4    4   -5    3     -5     -3   9              .              .
recovery |     17   -1     .     2   4      2        14     -4   .   31    8    7     -1     -1  21              .              .
token    |     16   -4    10    17   3     12        11      1   .   -2   -3    3      6      4 -11              .              .
key      |     19   -4     3     9   5      .         8      9   1    1    3    4     -3     15   6              .              .
seed     |     -1   -2     .     3   .      1        -1     -2   .   -3   -3   -6     -2     -3  -4              .              .
login    |     -6    2    -4     6   6      7         .     -1  25   -1   -3   14     -3     -1  12            -16              8
user     |     -7    .     .     .   .      .         4     -1   .   -8   -2    6     -1    -10 -11              2              2
wifi     |      3   -2     .    -1  -1     -1        16      2   .   -4   -2   14     -7     -9  15            -17             12
service  |     -9   -6     .    -8   6     -6         8      4  -2  -14   -1   -3     -3     -6   8              5              5
vault    |     -6   -3     .     4  -2    -10         9     -2   1    1   -4    7     -5     -2   .             -1              2
lock     |      2   13     .     3  -3     -5         3      1  -5    8   -5    5      .     -6   7              3             -8
device   |      5   -4    -1     5   2     -9        -1     -2  -2   -3   -5    .     -1     -8   5              4              4
enter    |     -7   -5    -2    -8  -1      8         1      2   .   -9   -3    8     15     -7   4             -2             -1
spare    |      7   -5     .    10  -6      5        12     -1   .   21    9   -2     -5      .  12             14              7
site     |     -3   -1    -1     7  -7     -3        -1      5  -1    2   -6    2      .      .   4            -11             10
say      |     -8   -3     .    -4   4      3         .      .  -1  -11   -4   -1      .      4  -6             -2             -6
ssid     |      .    .     .     .   .      .         .      .   .    .    .    7      .      .  -2              .              .
"""
"""The word that is closest to a value, by its relation to it: `password is`."""

GROUPS: Final = """
                      | digits groups long hex made joined word phrase
column                |     33     10   16  16   13      3    1     16
cell                  |     11     -1    2   .   -7    -13  -19    -16
tight                 |      9      .    8  10   25     11    8     -9
field                 |     19     12   11  19   15     15    1      8
is                    |      4      .   13   4    8     12    4     13
beside                |     20     11   12   6   20     12    9      7
far field             |      8      7   14   5    9      8    3      7
far is                |     -2      .   14   4   13     11    2      5
as                    |      8      .    4   .   13     -2    1     -1
list                  |      2      8   -7   4   -6     -7  -14      .
item                  |      .      .  -12   1   -1    -10  -11     -9
near                  |     12      5   12  14   10      4  -10     -3
before                |      3     -3    1  -2   -1    -12  -11     -2
behind                |      1     -3    2  -2   -5    -11  -12     -9
far                   |      .      1    6  -2    3     -5   -5     -8
then end              |     18     13   15   6   25     10    4      4
then stop             |     15      6   21  15   15     -6  -11    -17
then cell             |      1     -1    1   3    5     -6  -11     -7
then sign             |     -9     -1    .  -1  -12    -22  -19    -14
then label            |      7      .   13  -6   13     -5    2      1
then word             |     11      1    7   8   15     -1   -3    -14
then quote            |     14      .    7   5   15    -10    3     -8
led by start          |      3      1    5   7   10     -4   -4      1
led by sign           |      .      7   10  -7   -7    -10    6      6
led by mark           |      6      5    1   2    .     -5   -1    -12
led by dash           |      1     -3   -4   .    2     -2    5    -17
led by cell           |     -3      .    2   .   -7     -6   -1     -4
led by bracket        |    -10     -8  -12  -8  -15    -17   -9    -13
led by then           |     11      .    .   .   43     14   -1      .
led by with           |     13      .   14   .    9      5   -1      6
led by use            |      5      .    .   .    7      7   -6     -5
led by type           |     18      .   12   8   19     11    6     -3
led by say            |      .      .    .   .    .      6    2      7
led by wants          |      7      .    .   .   17      2    .      .
led by set            |      .      .    .   .    6      3    .      .
led by opens          |     -2      .    .   .  -10     -4   -3     11
led by is             |     20      2   16   6   18      3    8     -6
led by and            |      6      .    9   .    6    -10   -6     -4
led by in             |     -6      7    .   .   -6     -6   -5     -9
led by for            |      .      .    .   .   -6     -9   -5      .
led by number         |    -14      .    .   .  -15     -1    1      .
led by small          |      2      .    8   1    3    -12   -7     -7
led by word           |     -2      4    4   5   -4     -4  -14     -6
before then           |     14      .    .   .    1      .    .      .
before with           |      1      .    .   .    3      .   -2      .
before use            |      .      .    .   .   -6     -2    .      .
before type           |      1      .    .   .    5      3    .      .
before say            |      .      .    .   .    .     -1    .      .
before wants          |      .      .    .   .    8     -2    .      .
before set            |      .      .    .   .    2     -6    .      .
before opens          |     10      .    .   .   15     12    9      .
before is             |     -7     -1    .  -3    1      .   -2     -2
before and            |      8      .    .   .    1      1   -2      .
before in             |      5      .    1   .    6      1   -2      .
before for            |     -7      .    .   .    .     -4   12      .
before now            |      .      .    .   .    5     -1    .      .
before number         |     -4      .    .   .   -1     -1    .      .
before small          |      5      .    .   .   -2     -2   -4     -3
before word           |    -16     -5   -1 -12  -18    -16  -17     -8
on line with password |     10      6    4  12   25     15    1      .
on line with phrase   |     -5      3    .   .   14     20   12     15
on line with pin      |     26      .    .   .   10      9    2     -8
on line with code     |     16      9    1   7    3      3    3    -15
on line with token    |    -11     10   20  22   -2     -2  -12     -7
on line with key      |     10      6    6  18   -1     -1   -5     -3
on line with seed     |      2      .    9   1   -8     -6   -3     -5
on line with login    |     -4     -3    3  -2    5      .    3    -12
on line with wifi     |      9     11   13   7   14     14    8      2
on line with service  |    -17      9    4  11    3      5   -1      .
on line with vault    |     -7      8    4  -5   12     12   10     26
on line with lock     |     28      4    7   2    9      2    8      5
on line with enter    |     16      3    6   3   11      8   -2     13
on line with spare    |      9      4    2   5    4     -7   -6      8
on line with site     |    -10      1   -6  -6   -1      3   -2    -16
on line with say      |     -3     -2   -4  -6   -5     -7   -5     -4
on line with other    |    -11    -11   -4 -10  -10    -14  -20    -12
on line with public   |     -3      .  -19 -23  -14     -2   -9     -3
below password        |     -2      .    .   .    2     -4    7     -2
below phrase          |     10      .    .   .   -7     -7   -2     -3
below pin             |      .      .    .   .   -1      .    .      .
below code            |     -2      .    .   .  -11     -1   -7     -4
below token           |      4      .    .   .   -8    -10   -7     -2
below key             |     -4      .    .   .   -9     -8   -5     -5
below seed            |      .      .    .   .   -5     -2   -2     -3
below login           |     -6     -1   -5  -1  -15     -8  -10    -12
below wifi            |     -2      .    .   .   -7     -8  -14     -5
below service         |     -9     -3   -9  -3  -13    -11   -5    -15
below vault           |     -5      .   -6  -1  -14     -7   -2    -15
below lock            |     -7     -2   -8   3   -7    -12   -9    -13
below enter           |    -12     -1   -2  -3  -18    -14  -15    -10
below spare           |      1      .    .   .   -5     -8   -6     -5
below site            |     -3     -4   -7  -3  -15    -11   -7    -14
below say             |     -7     -1    .  -1  -10     -8  -14    -13
below other           |    -20     -7  -15 -14  -27    -22  -13    -24
below public          |     -3     -1    .  -1  -11     -4   -3     -4
after talk            |     -1      3   -5   6   -2     -2    1      3
after other           |      .     -3   -8 -11   -1     -3    6      4
of other              |     -2      .  -10 -10  -14     -4    1     -2
near other            |    -14     -3   -2  -6    2     -2    .      5
in pair               |     16      8   10  12   14      6   13     12
as user               |      .      .    .   .    .      .   -6      .
ends note             |     -1     13    4   2    2     -1    5     -1
like others           |     58     10    9  16   27     17    .      .
asked for             |     13      .    .   .    3     -3   -2     -2
in quotes             |      4     -3   -1  -4  -11     -7    1      8
in ticks              |     -5     -1  -17 -20  -18    -20   -5      .
in code               |    -25    -10    2  -1  -10     -3   -9    -10
in table              |     -1     -1   -5   .   -7     -7   -9     -7
in talk               |     -2      7   10   9    3      .   -2     -3
in much talk          |      5      .    .  -1    5     -7    .     -3
on long line          |    -19    -12  -29 -13  -30    -24  -12    -28
glued                 |    -10     -3   -9   .  -25    -26  -20     -4
before a value        |      .      .   -7  -5  -12     -2   -5     -7
behind a value        |    -21     -4    1   3   -8     -2    .      .
alone                 |      3      5    7  -3  -11     -1    3     -6
alone in list         |     10      1    .   .   -4     -5   -1      .
without words         |     -5     -2    .   .    .     -3  -12      7
in brackets           |     -8     -6   -3  -7  -12     -2   -2     -9
of a lock             |      9      .    .   .    .      .    .      .
with the word         |      .      .  -11   .  -22    -15   -4      1
short                 |    -14      .    .   .  -45    -18  -29      .
wide                  |     -4     -1   20  26    4     13   10      7
beside digits         |    -20      .    .   .    .      .    .      .
of time               |    -17      .    .   .    .      .    .      .
of state              |      .      .    .   .    .    -19  -23    -11
with talk             |      .      .    .   .    .    -21   -1    -19
with much talk        |      .      .    .   .    .    -12    .    -30
with small words      |      .      .    .   .    .      .    .    -14
of small words        |      .      .    .   .    .      .    .    -25
begins small          |      .      .    .   .    .      .    .      3
with digits           |      .      .    .   .    .      .    .      8
with capitals         |      .      .    .   .    .      .    .    -12
"""
"""What else is said about a value, by the group of its form: `digits below lock`."""

PAIRS: Final = """
      | email known name of_login of_user of_wifi of_service of_site of_ssid ends_note
slash |    19    17   -5       14       3       4         15      10       .        17
colon |    -6    13  -10        8      -1       4          6       8       .        -1
comma |     8     1  -14        8       7      -4          1      -4       .         8
dash  |     7     1  -16       -3      -2      -6          4      -2       .         9
bar   |    24    10   -4        .       .       .          9      -1       .         3
word  |    19    21   -4        9       1      -5         11      12       .       -12
blank |    17     3  -13       -4     -10       .         -1      -2       .         .
"""
"""What separates a value from the name before it, by the kind of name and by whose it is: `pair slash email`."""

COMBINED: Final = """
               | password pass phrase pin code recovery token key login wifi service vault lock device enter say saying spare site user
column digits  |       10    .      .  27   -6        7     .   6     .    .      -2     .    .      .     .  -1      .     7    3    .
column groups  |        .    .      .   .    .       11     .   .     .    .       .     .    .      .     .   .      .    11    .    .
column long    |        .    .      .   .    .        .     7   9     .    .       3     .    .      .     .   .      .     .    .    .
column hex     |        .    .      .   .    .        .    11   6     .    .       3     .    .      .     .   .      .     .    .    .
column made    |       12    .     18   7   -2        .    -8   4     .    .       1    -1   -2      .     .  -1      .    -1   -1    .
column joined  |       14    .      .  -4   -1        .    10  -2    -2    .      -4    -1    .     -1    -1  -1      .    -2   -1    .
column word    |        .   -1     16   2   -1        .    -3  -1     1    8      -3     .    .      3    -2  -2      .    -3    2    .
column phrase  |        9   -1     28   .   -1        .    -4  -3    -3   -3      -7    -2    .     -3    -3  -1      .    -5   -6    .
list digits    |        8    .      .  20   18        7    -4  -1    -1    .      -2     .   20      .    -2  -1      .     6   11   -3
list groups    |        .    .      .   .    .        2     .   .     .    .       .     .    .      .     .   .      .    11    .    .
list long      |        .    .      .   .    .        .     .   .     .    .       .     .    .      .     .   .      .     .    .    .
list hex       |        .    .      .   .    .        .     .   .     .    .       .     .    .      .     .   .      .     .    .    .
list made      |       16    .      .   .   -7        5    -4  -5    12    6      -2    -5   -8     -2    -1  -2      .     2   -1   -3
list joined    |        .    .     12   .   -5       17    -2  -1    -3   -1      -1     9   -3      4    -1  -1      .     4   -3   -1
list word      |       -2   -2      .  -1   -2        .    -1  -1    -1    .       .    -1    .      .    -1  -1     -1     5   -1    .
list phrase    |       -8   -1     35  -4   -1       -5    -2  -2    -3   -1      -2     1    .     -2    -2  -3     -2    -9   -4   -1
beside digits  |        3    .      .  11   -8       -6    -5  -7     3    3       1     .   13      3     5  -2      .     .    4    .
beside groups  |        .    .      .   .    .      -10     9   .     .    .       .     .    .      .     .   .      .     .    3    .
beside long    |        1    .      .   .    .        .     6   5     .    .       .     .    .      .     .   .      .     .    .    .
beside hex     |        2    .      .   .    .        .     1   4     .    .       .     .    .      .     .   .      .     .   -6    .
beside made    |        9   -5      1   7    8        .     3   8     8   -2      -7    -3   -9     -4    -2  -1      .     8    .    .
beside joined  |        1    3      8   2   -3        .     3  -7     8   -5      -6     2   -3     -2     .   1      .    -4    .    .
beside word    |       19   -5      3   2   10        .    -4   1     .   -4      -8    -3   -4     -3     8  -1      5    -1   -3    .
beside phrase  |      -10    4     16  -8    .        .     .  -3     .    7       .    -3    .      .    -5   4     -9     .    .    .
given digits   |        6    .      .  12    4        2     1   4    15    4       7     1   15     -8     4   1      .     1    5    .
given groups   |        6    .      .   .    .       -1     .   .     .    .       3     .  -13      .     .   .      .     5    .    .
given long     |        7    .      .   .   -1        2     9  10     4   11       2     .    2      7     .   .      .     .   -4    .
given hex      |       10    .      .   .    .        6    12  12    -3    3      -1     .    .     -5     .  -3      .    10    4    .
given made     |       20   10     16  -2    2        8    11   7    11    1      -4     8    6      2    -2   2      .    -5   -1    2
given joined   |       16    7      4   3    6        6     6  -2    -1    2       4     9   -9      9    -4   1     -1     1   -4    3
given word     |       25    5     27   7  -12       -2     .  -1     4   -3      -6     3    2      .    -2   2     -6    -4   -7   -1
given phrase   |        8   -2     29   1    .       -6    -1  -1     3   -6       4    -6   -5     -6    -9  -6     -4     7    6   -3
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
