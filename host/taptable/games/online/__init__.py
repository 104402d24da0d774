"""ONLINE: download e-mail, music, games and movies before the others do. The rulings are numbered R1 to R12."""
