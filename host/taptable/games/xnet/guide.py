"""The guide to X.net, as far as it is no words: which faces each of its sections shows. The words are in the
catalogues, context ``guide``, keys ``guide-N-title`` and ``guide-N-text``."""

from __future__ import annotations

GUIDE: tuple[tuple[str, ...], ...] = (
    ("art", "business", "cooking", "games", "health", "hobbies"),  # the aim: topics
    ("music", "nature", "news", "science", "sports", "travel"),  # the pyramid
    (),  # a turn
    (),  # servers and users
    (),  # actions by control
    (),  # changing the demand
    (),  # what can be bought
    (),  # the streamer, and back to the hand
    (),  # own cards, reshuffle
)
