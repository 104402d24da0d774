"""Shared by all parts that show, speak or play something to people: the choice of sentences about events and about the
table's status, the alerts, the patterns of the buttons' lamps, and the tunes of the sounder. The patterns of the rings
are in `tapshared.lights`; `cues.cueing` chooses lights and sounds."""
