"""What a seat board and the host share, in the subset of Python both understand."""
