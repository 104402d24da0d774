"""Golden playthroughs: whole games, committed line by line, that the referee must answer in the same bytes for ever."""
