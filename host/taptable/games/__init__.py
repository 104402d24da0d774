"""The games, one folder each; pure. A game uses the core and the standard library, and knows no other game."""
