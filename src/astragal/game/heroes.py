"""Heroes on paper: point-buy checks with the nearest legal heroes, ready-made heroes, and parts of random ones."""

from astragal.table.authoring.heroes import *
