// A box whose lid lies flush with the table: a seat's pad, a pad with a reader alone, the box of a scoreboard.
// All lengths in mm; x is along the table's edge, y away from the player, z up. The numbers in capitals are set by
// scripts/hardware from ../mechanics.toml: those below only let the file be looked at by itself (a seat's pad).

PART = "both";                      // "tray", "lid" or "both"
SIZE = [60, 120.5, 15.5];
WALL = 2;
FLOOR = 2;
ROOF = 1.2;
CORNER = 3;
SCREWS = [[4.65, 68], [55.35, 68], [4.65, 114.15], [55.35, 114.15]];
POST = 5.3;                         // round each screw
POST_TOP = 12.9;                    // of the tray's posts, on which the lid's stand
LID_POST = 5.3;                     // diameter of those
PILOT = 2.1;
THROUGH = 2.8;
HEAD = 5.2;
HEAD_HEIGHT = 1.2;
RESTS = [[1.9, 53.3, 4, 4, 4.5], [54.1, 53.3, 4, 4, 4.5]];   // x, y, width, length, upper end
STANDS = [[17.5, 11.8, 12.1, 0], [42.5, 11.8, 12.1, 0]];   // below a reader's holes: x, y, upper end, peg above it
STAND = [5, 2.2];                   // diameter of those and of their pegs
HOLD = [[4.9, 109.2], [55.1, 109.2]];   // pins of the lid that hold the board down
HOLD_DOWN = [4, 6.3];               // their diameter, and down to where
OPENINGS = [[23.5, 3.9, 13, 9], [7.5, 4.75, 11, 6.5]];   // in the wall at the back: x, z, width, height
FLOOR_OPENING = [];
TONGUES = [22, 38];
RING = [30, 89.8, 50.6, 35.4];        // a thin window for its light: x, y, outer and inner diameter
THIN = [[18, 60.8, 24, 3], [11.7, 43.7, 18.6, 20]];   // recesses for solder: x, y, width, length
WINDOW = 0.6;                       // the lid over both
VIEW = [];                          // an opening for a display: x, y, width, length
MARK = [30, 24];                    // where the middle of a card belongs
$fn = 32;
EPS = 0.01;

LIP = 1.2;                          // what stays of walls that are cut into
roof_z = SIZE.z - ROOF;

module rounded(size, radius) {
    linear_extrude(size.z) offset(radius) offset(-radius) square([size.x, size.y]);
}

module tray() {
    difference() {
        union() {
            difference() {
                rounded([SIZE.x, SIZE.y, roof_z], CORNER);
                translate([WALL, WALL, FLOOR]) cube([SIZE.x - 2 * WALL, SIZE.y - 2 * WALL, roof_z]);
            }
            for (rest = RESTS) translate([rest[0], rest[1], FLOOR - EPS])
                cube([rest[2], rest[3], rest[4] - FLOOR + EPS]);
            for (at = STANDS) translate([at[0], at[1], FLOOR - EPS]) {
                cylinder(d = STAND[0], h = at[2] - FLOOR + EPS);
                if (at[3] > 0) cylinder(d = STAND[1], h = at[2] - FLOOR + EPS + at[3]);
            }
            for (at = SCREWS) translate([at.x, at.y, FLOOR - EPS]) cylinder(d = POST, h = POST_TOP - FLOOR + EPS);
        }
        for (at = SCREWS) translate([at.x, at.y, LIP]) cylinder(d = PILOT, h = SIZE.z);
        for (hole = OPENINGS) translate([hole[0], SIZE.y - WALL - EPS, hole[1]])
            cube([hole[2], WALL + 2 * EPS, hole[3]]);
        if (len(FLOOR_OPENING)) translate([FLOOR_OPENING[0], FLOOR_OPENING[1], -EPS])
            cube([FLOOR_OPENING[2], FLOOR_OPENING[3], FLOOR + 2 * EPS]);
        // in these the lid's tongues hold, so that the front needs no screws
        for (x = TONGUES) translate([x - 4, LIP, roof_z - 4]) cube([8, WALL, 1.8]);
    }
}

// As it is printed: its outside down
module lid() {
    translate([0, SIZE.y, SIZE.z]) rotate([180, 0, 0]) lid_in_place();
}

module lid_in_place() {
    difference() {
        union() {
            translate([0, 0, roof_z]) rounded([SIZE.x, SIZE.y, ROOF], CORNER);
            for (x = TONGUES) translate([x - 3.6, WALL + 0.2, roof_z - 4]) tongue();
            for (at = SCREWS) translate([at.x, at.y, POST_TOP])
                cylinder(d = LID_POST, h = roof_z - POST_TOP + EPS);
            for (at = HOLD) translate([at.x, at.y, HOLD_DOWN[1]])
                cylinder(d = HOLD_DOWN[0], h = roof_z - HOLD_DOWN[1] + EPS);
        }
        if (len(RING)) translate([RING[0], RING[1], roof_z - EPS]) linear_extrude(ROOF - WINDOW + EPS)
            difference() {
                circle(d = RING[2], $fn = 96);
                circle(d = RING[3], $fn = 96);
            }
        for (area = THIN) translate([area[0], area[1], roof_z - EPS])
            cube([area[2], area[3], ROOF - WINDOW + EPS]);
        if (len(VIEW)) view();
        for (at = SCREWS) translate([at.x, at.y, 0]) head_hole();
        if (len(MARK)) translate([MARK.x, MARK.y, SIZE.z - 0.4]) for (turn = [0, 90]) rotate(turn)
            translate([-10, -0.4, 0]) cube([20, 0.8, 1]);
    }
}

module head_hole() {
    cylinder(d = THROUGH, h = SIZE.z + 1);
    translate([0, 0, SIZE.z - HEAD_HEIGHT]) cylinder(d1 = THROUGH, d2 = HEAD, h = HEAD_HEIGHT + EPS);
}

module tongue() {
    cube([7.2, 1.4, 4 + EPS]);
    translate([0, -0.7, 0.2]) cube([7.2, 0.7 + EPS, 1.3]);
}

// Sloping, so that it can be read from the side
module view() {
    slope = ROOF - LIP;
    translate([VIEW[0], VIEW[1], roof_z - EPS]) cube([VIEW[2], VIEW[3], ROOF]);
    hull() {
        translate([VIEW[0], VIEW[1], SIZE.z - slope]) cube([VIEW[2], VIEW[3], EPS]);
        translate([VIEW[0] - slope, VIEW[1] - slope, SIZE.z + EPS]) cube([VIEW[2] + 2 * slope, VIEW[3] + 2 * slope, EPS]);
    }
}

if (PART == "tray") tray();
if (PART == "lid") lid();
if (PART == "both") {
    tray();
    translate([0, 0, 30]) lid_in_place();
}
