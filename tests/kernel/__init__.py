"""The table on the kernel's own interfaces, in a kernel with simulators below them (scripts/setup-kernel). Each test
runs in such a kernel of its own; `machine` starts it, `conftest` sends the tests there."""
