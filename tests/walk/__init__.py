"""The commands of the manual: they are read from its pages and run as they are written, or the page says why they are
not. Nothing they do outlives them: they run in a copy of the computer's files, with a network of their own."""
