"""What every probe that visits pages shares: one look at a page, its rules, its controls and its routes."""
