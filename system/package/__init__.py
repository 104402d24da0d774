"""The Debian package: the code that makes it, and the files that only it has. scripts/package runs it in the
environment that the table runs in; it must not need root, nor touch the state of this computer's own apt."""
