"""The words, lights and sounds of a table for people, shared by all parts that show, speak or play them: sentences
about its events and its status, the patterns of the lamps, and the tunes of the sounder."""
