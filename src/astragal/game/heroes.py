"""Heroes on paper: how they are held against what is bought, those that are ready, and what random ones are made of."""

from astragal.table.authoring.heroes import *
