"""`python -m viva_examiner.cli`, as the command `viva`."""

import sys

from viva_examiner.cli import main

sys.exit(main())
