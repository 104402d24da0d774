# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false
"""Run by KiCad's own Python: fill the zones of a board, save it, and print the net of every pad."""

import json
import sys

import pcbnew

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
