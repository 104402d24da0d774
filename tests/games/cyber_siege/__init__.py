"""The rules of Cyber Siege, a module a chapter."""
