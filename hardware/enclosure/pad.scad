// A pad's enclosure: the reader right under the lid, beyond it the ring under a window thin enough for its light, and
// below the ring the seat board. It lies in a pocket of the table, its lid flush with the wood, the cloth over both.
// All lengths in mm; x is along the table's edge, y away from the player, z up. The numbers in capitals are set by
// scripts/hardware from ../mechanics.toml: those below only let the file be looked at by itself.

PART = "picture";         // "tray", "lid" or "picture"
WITH_RING = true;         // a seat's pad; a pad that has its reader on the Pi has neither ring nor board
SIZE = [68, 110, 16];
WALL = 2;
FLOOR = 2;
ROOF = 1.2;
WINDOW = 0.6;
CORNER = 3;
READER = [60, 40, 1.6];
READER_PARTS = 4;         // what stands below the reader's board
COIL = 20;                // from the reader's end to the middle of its coil
COPPER_GAP = 10;          // between reader and ring: a closed ring of copper near the coil detunes it
RING_OUTER = 50;
RING_INNER = 36;
RING_HEIGHT = 3.2;        // board and pixels
BOARD = [60, 50, 9];      // the seat board, solder and parts included
BELOW = 2;                // its wire ends
BOARD_THICKNESS = 1.6;
PICO = [51, 21, 1];
PICO_AT = 25;             // of the board's width, where the Pico begins
PLUG = [13, 9];
CABLE = 6;
SCREW = 2.1;

CLEARANCE = 0.5;          // round every board
TONGUE = 2;               // room for the lid's tongues before the reader
$fn = 64;
EPS = 0.01;

inside = SIZE.z - FLOOR - ROOF;
reader_y = WALL + TONGUE;
reader_end = reader_y + READER.y + CLEARANCE;
ring_centre = [SIZE.x / 2, reader_y + READER.y + COPPER_GAP + RING_OUTER / 2];
post = SCREW + 2 * 1.6;
gap_y = reader_end + post / 2 + CLEARANCE;
board_y = gap_y + post / 2 + CLEARANCE;
back_y = SIZE.y - WALL - post / 2;
sides = [WALL + post / 2, SIZE.x - WALL - post / 2];
screws = [for (x = sides, y = WITH_RING ? [gap_y, back_y] : [gap_y]) [x, y]];
tongues = [SIZE.x / 4, 3 * SIZE.x / 4];
coil = [(SIZE.x + READER.x) / 2 - COIL, reader_y + READER.y / 2];

for (at = WITH_RING ? screws : [])
    assert(norm(at - ring_centre) > (RING_OUTER + post) / 2, "a screw is in the way of the ring");
assert(READER.x + 2 * CLEARANCE <= SIZE.x - 2 * WALL, "the reader is too long");
assert(READER_PARTS + READER.z < inside, "the reader is too thick");
assert(!WITH_RING || BOARD.z + RING_HEIGHT < inside, "the ring lies on the seat board");
assert(!WITH_RING || ring_centre.y + RING_OUTER / 2 < SIZE.y - WALL, "the ring is too far out");
assert(!WITH_RING || board_y + BOARD.y < back_y - post / 2, "there is no room for the seat board");
assert(WITH_RING || gap_y + post / 2 < SIZE.y - WALL, "there is no room for the screws");

module rounded(size, radius) {
    linear_extrude(size.z) offset(radius) offset(-radius) square([size.x, size.y]);
}

module tray() {
    difference() {
        rounded([SIZE.x, SIZE.y, FLOOR + inside], CORNER);
        translate([WALL, WALL, FLOOR]) cube([SIZE.x - 2 * WALL, SIZE.y - 2 * WALL, inside + EPS]);
        if (WITH_RING) plug_opening(); else cable_opening();
        tongue_slots();
    }
    intersection() {
        translate([EPS, EPS, 0]) cube([SIZE.x - 2 * EPS, SIZE.y - 2 * EPS, FLOOR + inside]);
        union() {
            reader_posts();
            for (at = screws) translate([at.x, at.y, FLOOR - EPS]) screw_post();
            if (WITH_RING) board_feet();
        }
    }
}

// Four corners that hold the reader against the lid
module reader_posts() {
    x0 = (SIZE.x - READER.x) / 2 - CLEARANCE;
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

// The seat board's corners stand on these, between the screws' posts
module board_feet() {
    for (x = [WALL, SIZE.x - WALL - 6], y = [board_y, board_y + BOARD.y - 5])
        translate([x, y, FLOOR - EPS]) cube([6, 5, BELOW]);
}

module plug_opening() {
    middle = board_y + PICO_AT + PICO.y / 2;
    translate([-EPS, middle - PLUG.x / 2, FLOOR + BELOW + BOARD_THICKNESS + PICO.z + 1.3 - PLUG.y / 2])
        cube([WALL + 2 * EPS, PLUG.x, PLUG.y]);
}

module cable_opening() {
    translate([SIZE.x / 2, SIZE.y - WALL - EPS, FLOOR + inside / 2]) rotate([-90, 0, 0])
        cylinder(d = CABLE, h = WALL + 2 * EPS);
}

// In these the lid's tongues hold, so that the reader's end needs no screws
module tongue_slots() {
    for (x = tongues) translate([x - 4, WALL - 1, FLOOR + inside - 4]) cube([8, 1 + EPS, 1.4]);
}

// As it is printed: its outside down
module lid() {
    translate([0, SIZE.y, SIZE.z]) rotate([180, 0, 0]) lid_in_place();
}

module lid_in_place() {
    difference() {
        union() {
            translate([0, 0, FLOOR + inside]) rounded([SIZE.x, SIZE.y, ROOF], CORNER);
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
        translate([coil.x, coil.y, SIZE.z - 0.4]) for (turn = [0, 90]) rotate(turn)
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
    color("#b5834a") cube([BOARD.x, BOARD.y, BOARD_THICKNESS]);
    translate([0, PICO_AT, BOARD_THICKNESS]) {
        color("#2f7d3b") cube(PICO);
        color("#b8b8b8") translate([-1, PICO.y / 2 - 4, PICO.z]) cube([6, 8, 2.6]);
        color("#222222") translate([22, 7, PICO.z]) cube([7, 7, 1]);
    }
    color("#222222") translate([14, 8, BOARD_THICKNESS]) cube([19, 6.5, 3.3]);
    color("#3355aa") translate([42, 11, BOARD_THICKNESS]) cylinder(d = 6.3, h = BOARD.z - BELOW - BOARD_THICKNESS);
}

// Everything in its place, the lid lifted
module picture() {
    color("#d8d2c4") tray();
    translate([(SIZE.x - READER.x) / 2, reader_y, FLOOR + inside - READER.z - CLEARANCE / 2]) reader_board();
    if (WITH_RING) {
        translate([WALL + 1, board_y, FLOOR + BELOW]) seat_board();
        // glued into the recess of the window, lifted with the lid
        translate([ring_centre.x, ring_centre.y, SIZE.z - WINDOW - RING_HEIGHT + 34]) ring_board();
    }
    color("#f4f1ea", 0.4) translate([0, 0, 34]) lid_in_place();
}

if (PART == "tray") tray();
if (PART == "lid") lid();
if (PART == "picture") picture();
