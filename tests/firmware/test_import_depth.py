"""How deep imports nest while a board starts. Each takes some 0.7 kB of a Pico's stack, which has 8 kB for the compiler
and the file system as well; the VM's has many times as much and can't show it."""

from __future__ import annotations

import ast
from pathlib import Path

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
MOST = 4


class Board:
    """Follows what each module imports when it is loaded, in order, as MicroPython does."""

    def __init__(self) -> None:
        self.depths: dict[str, int] = {}

    def load(self, name: str, depth: int) -> None:
        path = next((path for path in self._paths(name) if path.is_file()), None)
        if path is None or name in self.depths:
            return
        self.depths[name] = depth
        for imported in imports(ast.parse(path.read_text())):
            self.load(imported, depth + 1)

    def _paths(self, name: str) -> list[Path]:
        places = (FIRMWARE, FIRMWARE / "lib")
        return [place / f"{name.replace('.', '/')}{end}" for place in places for end in (".py", "/__init__.py")]


def imports(tree: ast.AST) -> list[str]:
    """The imports that run with the module, in order: not those in functions, and not those for type checkers."""
    names: list[str] = []
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef() | ast.If(test=ast.Name("TYPE_CHECKING")):
                pass
            case ast.Import():
                names += [alias.name for alias in node.names]
            case ast.ImportFrom(module=str(package)):
                names += [package, *[f"{package}.{alias.name}" for alias in node.names]]
            case ast.For(iter=ast.Tuple(elts)) if "__import__" in ast.dump(node):
                names += [f"tapshared.{ast.literal_eval(element)}" for element in elts]
            case _:
                names += imports(node)
    return names


def test_imports_nest_no_deeper_than_the_stack_of_a_pico_allows() -> None:
    board = Board()
    board.load("main", 1)
    assert set(board.depths) >= {path.stem for path in FIRMWARE.glob("*.py")}
    assert len(board.depths) == len(list(FIRMWARE.rglob("*.py")))
    assert {name: depth for name, depth in board.depths.items() if depth > MOST} == {}
