"""Bodies of parts as STEP files: boxes, each with its colour, written as ISO 10303-21 with the entities of AP214."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from drafting.footprints import Box

_HEAD = """ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('boxes'),'2;1');
FILE_NAME('{name}','2000-01-01T00:00:00',(''),(''),'taptable','taptable','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN {{ 1 0 10303 214 1 1 1 1 }}'));
ENDSEC;
DATA;
"""
_FACES = (
    # which axis a face is across, on its low or high side, and its corners in the order of a right-handed turn
    (2, 0, ((0, 0), (0, 1), (1, 1), (1, 0))),
    (2, 1, ((0, 0), (1, 0), (1, 1), (0, 1))),
    (1, 0, ((0, 0), (1, 0), (1, 1), (0, 1))),
    (1, 1, ((0, 0), (0, 1), (1, 1), (1, 0))),
    (0, 0, ((0, 0), (0, 1), (1, 1), (1, 0))),
    (0, 1, ((0, 0), (1, 0), (1, 1), (0, 1))),
)
_Corner = tuple[int, int, int]
_Vertex = tuple[tuple[float, float, float], str, str]
"""A vertex: its place, its point and itself."""


class _File:
    """Entities by their numbers."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, entity: str, *others: str) -> str:
        """An entity, with others that it refers to in the places of `{}`; its own number."""
        self.lines.append(f"#{len(self.lines) + 1}={entity.format(*others)};")
        return f"#{len(self.lines)}"


def step(name: str, boxes: Sequence[Box]) -> str:
    """The file of a part's body; in it y goes upwards, z away from the board."""
    file = _File()
    application = file.add("APPLICATION_CONTEXT('automotive design')")
    file.add(f"APPLICATION_PROTOCOL_DEFINITION('','automotive_design',2000,{application})")
    context = file.add(f"PRODUCT_CONTEXT('',{application},'mechanical')")
    product_ = file.add(f"PRODUCT('{name}','{name}','',({context}))")
    formation = file.add("PRODUCT_DEFINITION_FORMATION('','',{})", product_)
    design = file.add(f"PRODUCT_DEFINITION_CONTEXT('part definition',{application},'design')")
    definition = file.add("PRODUCT_DEFINITION('design','',{},{})", formation, design)
    shape = file.add("PRODUCT_DEFINITION_SHAPE('','',{})", definition)
    units = _units(file)
    solids = [(_solid(file, box), box.colour) for box in boxes]
    origin = _axes(file, (0, 0, 0), (0, 0, 1), (1, 0, 0))
    bodies = ",".join([origin, *(solid for solid, _ in solids)])
    representation = file.add(f"ADVANCED_BREP_SHAPE_REPRESENTATION('',({bodies}),{units})")
    file.add(f"SHAPE_DEFINITION_REPRESENTATION({shape},{representation})")
    styled = ",".join(_styled(file, solid, colour) for solid, colour in solids)
    file.add(f"MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',({styled}),{units})")
    return _HEAD.format(name=name) + "\n".join(file.lines) + "\nENDSEC;\nEND-ISO-10303-21;\n"


def _units(file: _File) -> str:
    length = file.add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))")
    angle = file.add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
    solid = file.add("(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())")
    exact = file.add(f"UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-5),{length},'distance_accuracy_value','')")
    return file.add(
        f"(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT(({exact}))"
        f"GLOBAL_UNIT_ASSIGNED_CONTEXT(({length},{angle},{solid}))REPRESENTATION_CONTEXT('',''))"
    )


def _numbers(values: Sequence[float]) -> str:
    return ",".join(f"{float(value):.4f}" for value in values)


def _axes(file: _File, at: Sequence[float], up: Sequence[float], along: Sequence[float]) -> str:
    point = file.add(f"CARTESIAN_POINT('',({_numbers(at)}))")
    directions = [file.add(f"DIRECTION('',({_numbers(each)}))") for each in (up, along)]
    return file.add(f"AXIS2_PLACEMENT_3D('',{point},{','.join(directions)})")


def _solid(file: _File, box: Box) -> str:
    left, top, right, bottom = box.plan
    sides = ((left, right), (-bottom, -top), (box.low, box.high))
    corners: dict[_Corner, tuple[float, float, float]] = {
        (x, y, z): (sides[0][x], sides[1][y], sides[2][z]) for x, y, z in product((0, 1), repeat=3)
    }
    points = {corner: file.add(f"CARTESIAN_POINT('',({_numbers(at)}))") for corner, at in corners.items()}
    vertices = {corner: file.add(f"VERTEX_POINT('',{point})") for corner, point in points.items()}
    edges: dict[tuple[_Corner, _Corner], str] = {}
    faces: list[str] = []
    for axis, side, around in _FACES:
        loop = [_corner(axis, side, each) for each in around]
        turned: list[str] = []
        for start, end in zip(loop, [*loop[1:], loop[0]], strict=True):
            first, last = sorted((start, end))
            if (first, last) not in edges:
                edges[first, last] = _edge(file, *((corners[at], points[at], vertices[at]) for at in (first, last)))
            sense = ".T." if first == start else ".F."
            turned.append(file.add(f"ORIENTED_EDGE('',*,*,{edges[first, last]},{sense})"))
        bound = file.add("FACE_OUTER_BOUND('',{},.T.)", file.add("EDGE_LOOP('',({}))", ",".join(turned)))
        up = [0.0, 0.0, 0.0]
        up[axis] = 1.0 if side else -1.0
        along = [0.0, 0.0, 0.0]
        along[(axis + 1) % 3] = 1.0
        plane = file.add("PLANE('',{})", _axes(file, corners[loop[0]], up, along))
        faces.append(file.add(f"ADVANCED_FACE('',({bound}),{plane},.T.)"))
    return file.add("MANIFOLD_SOLID_BREP('',{})", file.add("CLOSED_SHELL('',({}))", ",".join(faces)))


def _corner(axis: int, side: int, others: tuple[int, int]) -> _Corner:
    found = list(others)
    found.insert(axis, side)
    return found[0], found[1], found[2]


def _edge(file: _File, first: _Vertex, last: _Vertex) -> str:
    (start, point, one), (end, _, other) = first, last
    length = sum(b - a for a, b in zip(start, end, strict=True))
    direction = [(b - a) / length for a, b in zip(start, end, strict=True)]
    vector = file.add("VECTOR('',{},1.)", file.add(f"DIRECTION('',({_numbers(direction)}))"))
    return file.add("EDGE_CURVE('',{},{},{},.T.)", one, other, file.add("LINE('',{},{})", point, vector))


def _styled(file: _File, solid: str, colour: str) -> str:
    shares = _numbers([int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)])
    colour_ = file.add(f"COLOUR_RGB('',{shares})")
    fill = file.add("FILL_AREA_STYLE('',({}))", file.add("FILL_AREA_STYLE_COLOUR('',{})", colour_))
    side = file.add("SURFACE_SIDE_STYLE('',({}))", file.add("SURFACE_STYLE_FILL_AREA({})", fill))
    assigned = file.add("PRESENTATION_STYLE_ASSIGNMENT(({}))", file.add("SURFACE_STYLE_USAGE(.BOTH.,{})", side))
    return file.add("STYLED_ITEM('',({}),{})", assigned, solid)
