"""Heroes, those whom the custodian plays, and heroes on paper."""
