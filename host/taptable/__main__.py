"""``python -m taptable``: the command line."""

import sys

from taptable.cli import main

sys.exit(main())
