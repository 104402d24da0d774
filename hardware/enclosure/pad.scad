// A pad's enclosure: reader right under the lid, ring in front of it under a window thin enough for its light, the seat
// board below the ring. It lies in a pocket of the table, its lid flush with the wood, the cloth over both.
// All lengths in mm. The numbers in capitals come from ../mechanics.toml by -D; x is along the table's edge, y away from
// the player, z up.

PART = "picture";     // "tray", "lid" or "picture"
WITH_RING = true;     // a seat's pad; the discard pad has neither ring nor board
READER = [60, 40, 1.6];
READER_PARTS = 4.2;   // what stands below the reader's board, soldered wires included
COIL = 20;            // from the reader's end to the middle of its coil
RING_OUTER = 50;
RING_INNER = 36;
RING_HEIGHT = 3.4;    // board and pixels
BOARD = [51, 21, 5];  // the Pico with wires soldered to it, no headers
BOARD_PLUG = [13, 9]; // the opening for the plug of its USB cable
COPPER_GAP = 8;       // between coil and ring: a closed ring of copper near the coil detunes it
WALL = 2;
FLOOR = 2;
ROOF = 1.2;           // over the reader
WINDOW = 0.6;         // over the ring: three layers of white PLA
CLEARANCE = 0.5;      // round every board
SCREW = 2.1;          // the hole for a 2.5 mm self-tapping screw
CABLE = 5;            // the discard pad's cable to the Pi

$fn = 96;
EPS = 0.01;
TONGUE = 2;           // room for the lid's tongues before the reader

width = max(READER.x, RING_OUTER, BOARD.x) + 2 * CLEARANCE + 2 * WALL;
reader_y = WALL + TONGUE;
reader_end = reader_y + READER.y + CLEARANCE;
ring_centre = [width / 2, reader_end + COPPER_GAP + RING_OUTER / 2];
post = SCREW + 2 * 1.6;
depth = WITH_RING ? ring_centre.y + RING_OUTER / 2 + CLEARANCE + WALL : reader_end + COPPER_GAP + WALL;
inside = WITH_RING ? BOARD.z + RING_HEIGHT + 2 * CLEARANCE : READER_PARTS + READER.z + CLEARANCE;
height = FLOOR + inside + ROOF;
back = depth - WALL - post / 2;
gap_y = reader_end + post / 2 + CLEARANCE;
screws = WITH_RING ? [for (x = [WALL + post / 2, width - WALL - post / 2], y = [gap_y, back]) [x, y]]
                   : [for (x = [WALL + post / 2, width - WALL - post / 2]) [x, gap_y]];
tongues = [width / 4, 3 * width / 4];
coil = [(width + READER.x) / 2 - COIL, reader_y + READER.y / 2];

if (WITH_RING) for (at = screws)
    assert(norm(at - ring_centre) > (RING_OUTER + post) / 2, "a screw is in the way of the ring");
assert(!WITH_RING || BOARD.z + RING_HEIGHT < inside, "the ring lies on the board");

module rounded(size, radius = 3) {
    linear_extrude(size.z) offset(radius) offset(-radius) square([size.x, size.y]);
}

module tray() {
    difference() {
        rounded([width, depth, FLOOR + inside]);
        translate([WALL, WALL, FLOOR]) cube([width - 2 * WALL, depth - 2 * WALL, inside + EPS]);
        if (WITH_RING) plug_opening(); else cable_opening();
        tongue_slots();
    }
    intersection() {
        translate([EPS, EPS, 0]) cube([width - 2 * EPS, depth - 2 * EPS, FLOOR + inside]);
        union() {
            reader_posts();
            for (at = screws) translate([at.x, at.y, FLOOR - EPS]) screw_post();
            if (WITH_RING) {
                board_rails();
                ring_posts();
            }
        }
    }
}

// Four corners that hold the reader against the lid
module reader_posts() {
    x0 = (width - READER.x) / 2 - CLEARANCE;
    top = inside - READER.z - CLEARANCE / 2;
    for (x = [x0, x0 + READER.x + 2 * CLEARANCE - 5], y = [WALL - EPS, reader_end - 5])
        translate([x, y, FLOOR - EPS]) cube([5, 5 + EPS, top]);
}

module screw_post() {
    difference() {
        cylinder(d = post, h = inside + EPS);
        translate([0, 0, 1]) cylinder(d = SCREW, h = inside + 1);
    }
}

// The board's long edges lie between rails, its plug through the left wall
module board_rails() {
    y0 = ring_centre.y - BOARD.y / 2 - CLEARANCE;
    for (y = [y0 - 1.6, y0 + BOARD.y + 2 * CLEARANCE], x = [WALL + 8, WALL + 34])
        translate([x, y, FLOOR - EPS]) cube([10, 1.6, 3]);
}

module ring_posts() {
    middle = (RING_OUTER + RING_INNER) / 4;
    for (angle = [45 : 90 : 315])
        translate([ring_centre.x + middle * cos(angle), ring_centre.y + middle * sin(angle), FLOOR - EPS])
            cylinder(d = 3, h = inside - RING_HEIGHT);
}

module plug_opening() {
    translate([-EPS, ring_centre.y - BOARD_PLUG.x / 2, FLOOR])
        cube([WALL + 2 * EPS, BOARD_PLUG.x, min(BOARD_PLUG.y, inside - 2)]);
}

module cable_opening() {
    translate([width / 2, depth - WALL - EPS, FLOOR + CABLE / 2]) rotate([-90, 0, 0])
        cylinder(d = CABLE, h = WALL + 2 * EPS);
}

// In these the lid's tongues hold, so that the reader's end needs no screws
module tongue_slots() {
    for (x = tongues) translate([x - 4, WALL - 1, FLOOR + inside - 4]) cube([8, 1 + EPS, 1.4]);
}

// As it is printed: its outside down
module lid() {
    translate([0, depth, height]) rotate([180, 0, 0]) lid_in_place();
}

module lid_in_place() {
    difference() {
        union() {
            translate([0, 0, FLOOR + inside]) rounded([width, depth, ROOF]);
            for (x = tongues) translate([x - 3.6, WALL + 0.2, FLOOR + inside - 4]) tongue();
        }
        if (WITH_RING) translate([ring_centre.x, ring_centre.y, FLOOR + inside - EPS]) linear_extrude(ROOF - WINDOW)
            difference() {
                circle(d = RING_OUTER + 1);
                circle(d = RING_INNER - 1);
            }
        for (at = screws) translate([at.x, at.y, FLOOR + inside - EPS]) {
            cylinder(d = SCREW + 0.7, h = ROOF + 1);
            translate([0, 0, 0.2]) cylinder(d1 = SCREW + 0.7, d2 = 2 * SCREW + 1, h = ROOF);
        }
        // where the middle of a card belongs
        translate([coil.x, coil.y, height - 0.4]) for (turn = [0, 90]) rotate(turn)
            translate([-10, -0.4, 0]) cube([20, 0.8, 1]);
    }
}

module tongue() {
    cube([7.2, 1.2, 4 + EPS]);
    translate([0, -0.9, 0.2]) cube([7.2, 0.9 + EPS, 1]);
}

module reader_board() {
    color("#1c4f8f") cube([READER.x, READER.y, READER.z]);
    color("#c9a227") translate([READER.x - COIL, READER.y / 2, READER.z])
        linear_extrude(0.2) for (side = [30, 33, 36]) difference() {
            square(side, center = true);
            square(side - 1.4, center = true);
        }
}

module ring_board() {
    color("#202020") difference() {
        cylinder(d = RING_OUTER, h = 1.6);
        translate([0, 0, -1]) cylinder(d = RING_INNER, h = 4);
    }
    middle = (RING_OUTER + RING_INNER) / 4;
    for (pixel = [0 : 11]) rotate(30 * pixel) translate([middle - 2.5, -2.5, 1.6])
        color(pixel < 8 ? "#35c46b" : "#e8e8e8") cube([5, 5, RING_HEIGHT - 1.6]);
}

module seat_board() {
    color("#2f7d3b") cube([BOARD.x, BOARD.y, 1]);
    color("#b8b8b8") translate([-1, BOARD.y / 2 - 4, 1]) cube([6, 8, 2.6]);
    color("#222222") translate([22, 7, 1]) cube([7, 7, 1]);
}

// Everything in its place, the lid lifted
module picture() {
    color("#d8d2c4") tray();
    translate([(width - READER.x) / 2, reader_y, FLOOR + inside - READER.z - CLEARANCE / 2]) reader_board();
    if (WITH_RING) {
        translate([WALL + 1, ring_centre.y - BOARD.y / 2, FLOOR]) seat_board();
        translate([ring_centre.x, ring_centre.y, FLOOR + inside - RING_HEIGHT]) ring_board();
    }
    color("#f4f1ea", 0.45) translate([0, 0, 40]) lid_in_place();
}

if (PART == "tray") tray();
if (PART == "lid") lid();
if (PART == "picture") picture();
