"""Small decks of X.net, in which the draw pile soon runs out."""

from __future__ import annotations

import json

TIGHT = {"game": "xnet", "name": "tight", "topics": {topic: {"1": 4, "5": 3, "9": 3} for topic in "abcdef"}}
"""For three players, with the fewest cards and topics possible."""

PLAIN = {topic: {"3": 10, "4": 2} for topic in ("bees", "cats", "dogs", "eels", "fish", "goats")}
UNEVEN = {"game": "xnet", "name": "uneven", "topics": {**PLAIN, "h": {"9": 9}}}
"""For up to four players; most numbers are equal."""

MANIFESTS = tuple(json.dumps(manifest) for manifest in (TIGHT, UNEVEN))
