"""The guide to ONLINE, as far as it is no words: which kinds of cards each of its sections shows. The words are in the
catalogues, context ``guide``, keys ``guide-N-title`` and ``guide-N-text``; they may name the quotas as fields."""

from __future__ import annotations

GUIDE: tuple[tuple[str, ...], ...] = (
    ("email", "music", "game", "movie"),  # the aim
    (),  # a turn
    ("online", "turbo-line"),  # going online
    ("extra-memory", "game", "movie"),  # downloading
    # attacks, each before its cure
    (
        "virus",
        "antivirus",
        "password-error",
        "password-ok",
        "under-construction",
        "online",
        "memory-full",
        "extra-memory",
    ),
    ("hacker", "cyber-patrol"),
    (),  # backing up
    ("search",),
    (),  # the empty draw pile, the end
)
