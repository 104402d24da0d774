"""What the screens have in common: the fonts for words, and the sizes from which there is room for more."""

from __future__ import annotations

from taptable.edges.cues.fonts import font

SMALL = font("small")
TEXT = (font("large"), SMALL)
"""The fonts for sentences, the better one first."""

FIGURES_HEIGHT = font("digits22").height
"""Rows of the largest figures; a display with fewer shows only the team on turn."""

LINE = 10
"""Rows of a line of small text on a plate."""

TALL = 44
"""Rows from which a screen has a second storey."""

WIDE = 96
"""Columns from which an icon stands beside the words."""
