"""`python -m melleafy_tui`: the same as the installed command."""

import sys

from melleafy_tui.cli import main

if __name__ == "__main__":
    sys.exit(main())
