"""The games the table knows, one folder each; pure."""
