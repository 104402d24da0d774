"""Cards to print: sheets of a game's cards as a PDF, in any language."""
