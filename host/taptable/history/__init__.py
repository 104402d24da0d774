"""Recorded games after the fact: replayed through the referee (`playback`), told move by move (`game_report`),
collected as a course for the page (`course`), and counted (`tally`). Must not write to a journal."""
