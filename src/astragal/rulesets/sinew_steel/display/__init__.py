"""Display: sheets, offers, and how a roll was calculated."""
