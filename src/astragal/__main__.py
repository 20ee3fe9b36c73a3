"""`python -m astragal`."""

from astragal.wiring import main

main()
