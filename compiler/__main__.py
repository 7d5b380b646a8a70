"""`python -m polyopt` is `polyopt-cc`."""

import sys

from polyopt.tools.polyopt_cc import main

sys.exit(main())
