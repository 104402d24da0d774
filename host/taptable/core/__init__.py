"""The data types and verbs that every game and every part of the table share. Pure: no clock, file or device."""
