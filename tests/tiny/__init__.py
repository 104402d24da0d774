"""Colours, the smallest game that plays at the whole table: the example of docs/adding-a-game.md."""
