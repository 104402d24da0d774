"""Boards for who orders none: strip boards, drawn hole by hole. Stands on the circuit; nothing else stands on it but
what makes the files."""
