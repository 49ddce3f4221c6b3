"""`python -m yourturn` where it is installed."""

import sys

from yourturn import main

sys.exit(main())
