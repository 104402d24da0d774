"""The guide to Cyber Siege, as far as it is no words: which faces each of its sections shows. The words are in the
catalogues, context ``guide``, keys ``guide-N-title`` and ``guide-N-text``."""

from __future__ import annotations

GUIDE: tuple[tuple[str, ...], ...] = (
    (),  # the aim
    ("attack", "defence", "admin", "set"),  # the cards
    (),  # a turn
    ("set", "attack", "defence"),  # laying a set
    ("attack",),  # launching an attack
    ("defence", "admin"),  # defending
    (),  # icons
    (),  # the empty red pile
    (),  # the end
)
