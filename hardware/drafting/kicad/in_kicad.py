# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false
"""Run by KiCad's own Python: `fill` the zones of a board, or print the net of every one of its `pads`."""

import json
import sys

import pcbnew

command, path = sys.argv[1:]
board = pcbnew.LoadBoard(path)
if command == "fill":
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(path, board)
else:
    pads = [
        [pad.GetParentFootprint().GetReference(), pad.GetNumber(), pad.GetNetname()]
        for pad in board.GetPads()
        if pad.GetNumber()
    ]
    print("PADS " + json.dumps(pads))
