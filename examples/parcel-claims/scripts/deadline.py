"""Says whether a parcel can still be claimed: 20 days from the day it was sent."""

import sys
from datetime import date

from dates import parsed

LIMIT = 20

print("EXPIRED" if (date.today() - parsed(sys.argv[1])).days > LIMIT else "IN TIME")
