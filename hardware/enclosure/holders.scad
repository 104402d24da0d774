// What is printed besides the boxes: a plate that holds boards or a hub below the table's top, the bridge over a plug,
// the cup of the sounder, the comb between a reader and its board. All lengths in mm, z up; as they are printed. The
// numbers in capitals are set by scripts/hardware from ../mechanics.toml.

PART = "plate";                     // "plate", "bridge", "cup" or "comb"

// A plate with posts for screws, walls round something, holes for wood screws, and cuts through it
PLATE = [110, 60, 3];
CORNER = 4;
POSTS = [];                         // x, y, height above the plate
POST = 6;
PILOT = 2.1;
WALLS = [];                         // x, y, width, length, height above the plate
CUTS = [];                          // x, y, width, length
WOOD_SCREWS = [];                   // x, y
WOOD_SCREW = 3.5;

// A roof on two walls and a back
BRIDGE = [36, 46, 15.4];
BRIDGE_WALL = 1.6;

// A tube with a grille
CUP = [17.3, 14, 2, 1.2];           // inside, height, wall, roof
CUP_HOLE = 3;

// A bar with slots from the front, for the pins of a header
COMB = [20, 4, 3.46];               // length, width, height
PINS = [8, 2.54];                   // how many, and from one to the next
SLOT = [1.1, 1.6];                  // width, length

LIP = 1.2;
$fn = 32;
EPS = 0.01;

module plate() {
    difference() {
        union() {
            linear_extrude(PLATE.z) offset(CORNER) offset(-CORNER) square([PLATE.x, PLATE.y]);
            for (at = POSTS) translate([at[0], at[1], PLATE.z - EPS]) cylinder(d = POST, h = at[2] + EPS);
            for (wall = WALLS) translate([wall[0], wall[1], PLATE.z - EPS]) cube([wall[2], wall[3], wall[4] + EPS]);
        }
        for (at = POSTS) translate([at[0], at[1], LIP]) cylinder(d = PILOT, h = PLATE.z + at[2]);
        for (at = WOOD_SCREWS) translate([at[0], at[1], -EPS]) {
            cylinder(d = WOOD_SCREW, h = PLATE.z + 1);
            translate([0, 0, PLATE.z - 1.2]) cylinder(d1 = WOOD_SCREW, d2 = 2 * WOOD_SCREW, h = 1.2 + 2 * EPS);
        }
        for (cut = CUTS) translate([cut[0], cut[1], -EPS]) cube([cut[2], cut[3], PLATE.z + 2 * EPS]);
    }
}

module bridge() {
    inside = [BRIDGE.x - 2 * BRIDGE_WALL, BRIDGE.y - BRIDGE_WALL, BRIDGE.z];
    difference() {
        cube(BRIDGE);
        translate([BRIDGE_WALL, BRIDGE_WALL, BRIDGE_WALL]) cube([inside.x, inside.y, inside.z]);
    }
}

module cup() {
    difference() {
        cylinder(d = CUP[0] + 2 * CUP[2], h = CUP[1]);
        translate([0, 0, CUP[3]]) cylinder(d = CUP[0], h = CUP[1]);
        for (turn = [0 : 60 : 300]) rotate(turn) translate([CUP[0] / 3.4, 0, -EPS]) cylinder(d = CUP_HOLE, h = CUP[3] + 1);
        translate([0, 0, -EPS]) cylinder(d = CUP_HOLE, h = CUP[3] + 1);
    }
}

module comb() {
    ends = (PINS[0] - 1) * PINS[1] / 2;
    difference() {
        cube(COMB);
        for (pin = [0 : PINS[0] - 1]) translate([COMB.x / 2 - ends + pin * PINS[1] - SLOT[0] / 2, -EPS, -EPS])
            cube([SLOT[0], SLOT[1] + EPS, COMB.z + 2 * EPS]);
        // beside the outer pins there is nothing: the reader's crystal may stand there
        for (x = [-EPS, COMB.x / 2 + ends]) translate([x, -EPS, -EPS])
            cube([COMB.x / 2 - ends + EPS, SLOT[1] + EPS, COMB.z + 2 * EPS]);
    }
}

if (PART == "plate") plate();
if (PART == "bridge") bridge();
if (PART == "cup") cup();
if (PART == "comb") comb();
