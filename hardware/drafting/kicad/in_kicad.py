"""Run by KiCad's own Python: fill the zones of a board, save it, and print the net of every pad. Imports nothing of ours."""

import json
import sys

import pcbnew  # pyright: ignore[reportMissingImports]

path = sys.argv[1]
board = pcbnew.LoadBoard(path)
pcbnew.ZONE_FILLER(board).Fill(board.Zones())
pcbnew.SaveBoard(path, board)
pads = [
    [pad.GetParentFootprint().GetReference(), pad.GetNumber(), pad.GetNetname()]
    for pad in board.GetPads()
    if pad.GetNumber()
]
print("PADS " + json.dumps(pads))
