"""The Debian package: what makes it, and the files that only it has. Run by scripts/package, in the environment that
the table runs in; must not need root, nor touch what this computer's own apt knows."""
