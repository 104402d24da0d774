# What taptable uses of MicroPython's own sys, under the name by which it is never another module.

argv: list[str]
path: list[str]
modules: dict[str, object]

def print_exception(error: BaseException) -> None: ...
