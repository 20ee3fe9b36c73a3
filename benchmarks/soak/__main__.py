"""`./run soak`."""

import sys

from benchmarks.soak.campaign import main

sys.exit(main())
