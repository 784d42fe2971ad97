// Closed kinematic loops: joints that are cut out of the tree and come back as constraints.
//
// A tree of joints has coordinates q and velocities v. A joint between two objects that the tree
// connects already closes a loop; it is cut, and what it forbids are constraints g(q) = 0 with
// G v = 0 and G der(v) + gamma = 0 below them, which forces lambda maintain:
//     M der(v) + h = tau + transpose(G) lambda
// ([Neumayr-thesis] equation 2.3; its lambda has the other sign).
//
// Each constraint is a *row*. What a row does to two bodies is one wrench on the second and its
// opposite on the first, and the rate of the row is the power of that wrench on the relative
// motion. There are four sorts, from which all cut joints are made: two points keep together along
// a direction of the first body; two directions, one in each body, stay perpendicular; two points
// keep their distance; a point moves along a direction as its body turns about it. All have exact
// first and second derivatives, also off the constraints, where solvers evaluate.
//
// G M^-1 transpose(G) never needs M. On the way from a body to the world the articulated recursion
// (multibody/articulated.h) leaves at each joint the force u that moves it and the inertia D that
// opposes it, and M^-1 of two wrenches is the sum of u u / D over the joints that both reach. So a
// row costs one way to the world, rows that share no joint have a zero between them, and the matrix
// is symmetric and never indefinite. Its factors keep the envelope of these zeros: a row of
// fourbars costs in proportion to their number.
//
// Rows may say the same as others: the cut joint of a planar fourbar has five, of which the plane
// has three already. Rows that are combinations of those before them are found by the size of their
// pivot and left out until sg_tree_loops_select is called again; the forces in their directions are
// then told as zero. In a singular position a row may lose its independence for a moment; it is
// passed over there, and counted.
#pragma once

#include "multibody/connect.h"
#include "multibody/dynamics.h"

typedef enum sg_cut_kind {
    SG_CUT_REVOLUTE,
    SG_CUT_PRISMATIC,
    SG_CUT_RIGID,
#define SG_TIE(KIND, name, Constructor, required, optional) SG_CUT_##KIND,
#define SG_TIE_OF_JOINT(KIND, name, Constructor) SG_CUT_##KIND,
#include "multibody/ties_list.h"
#undef SG_TIE
#undef SG_TIE_OF_JOINT
    SG_CUT_KINDS
} sg_cut_kind; // what they forbid: multibody/cut_form.h

enum { SG_CUT_MAX_ROWS = 6 };

typedef struct sg_tree_cut {
    const char *name;
    sg_cut_kind kind;
    int obj1, obj2;
    sg_vec3 axis;  // revolute, prismatic, universal: in obj1, of length one
    sg_vec3 axis2; // universal: in obj2
    sg_pose place; // of obj2 in obj1 when the joint is at zero
    double length; // of a rod [m], more than zero; of a thread [m] a turn, left-handed below zero
    // Revolute, prismatic, where a mechanism is put together: one more row keeps the coordinate and
    // its speed at these values.
    bool held;
    double at, speed;
} sg_tree_cut;

// One sort of constraint between two bodies; vectors are in the roots of their bodies.
typedef enum sg_row_sort {
    SG_ROW_ALONG, // a . (p2 - p1), a in body 1
    SG_ROW_PERP,  // a . b, b in body 2
    SG_ROW_ROD,   // |p2 - p1| - length
    SG_ROW_SCREW, // a . (p2 - p1) less `length` for every turn about a
    SG_ROW_TURN,  // a turn of body 2 about a; no constraint by itself
    SG_ROW_JOINT  // the coordinate of a joint of the tree; no constraint by itself
} sg_row_sort;

typedef struct sg_loop_row {
    sg_row_sort sort;
    int path;        // of sg_tree_loops.paths
    int cut;         // or -1
    sg_vec3 a, b, c; // c in body 1: of a turn, where b is at zero
    int y;           // its first number in sg_loop_state.y
    bool held;       // of a coordinate that is a constraint, too: at these values
    double at, speed;
} sg_loop_row;

// The bodies from two ends to the world, those with larger numbers first.
typedef struct sg_loop_path {
    int body1, body2;  // body2 alone for a joint of the tree, with body1 = -1
    sg_vec3 p1, p2;    // points in them
    double length;     // of a rod or a thread
    double reach;      // how far forces may be from joints [m]
    int n, n_numbers;  // bodies that move; their degrees of freedom
    const int *body;   //
    const int *number; // by body of the path: its first degree of freedom on the path
    const int *up;     // by body of the path: the place of its parent, or -1
    int at1, at2;      // places of the two ends, -1 for what does not move
} sg_loop_path;

// What two paths have in common: pairs of numbers, of the first and of the second.
typedef struct sg_loop_meeting {
    int n;
    const int *pair; // 2 n
} sg_loop_meeting;

// Constant once built; lives in the arena. Rows of constraints come first, cut by cut; then those
// of drives: forces that act on joints, be they in the tree or cut.
typedef struct sg_tree_loops {
    int n_cuts, n_rows, n_drives, n_paths;
    const sg_tree_cut *cut;
    const int *first_row;  // by cut, and one behind the last
    sg_loop_row *row;      // n_rows + n_drives
    sg_loop_row *measured; // by cut: the row that measures the coordinate of a joint that has one
    sg_loop_path *path;    // by cut, then by drive in the tree
    int *reach;            // by cut: the first one that it shares a joint with
    sg_loop_meeting **met; // by cut: with each one from there up to itself
    int n_y;               // numbers of all rows
    int max_path;
    double length; // of the system: its bodies and their distances [m]
} sg_tree_loops;

// A drive: a joint that is carried by a body of the tree, or a cut one. One of them is -1.
typedef struct sg_loop_drive {
    int body, cut;
} sg_loop_drive;

sg_status sg_tree_loops_build(const sg_tree *tree, const sg_tree_cut *cuts, int n_cuts,
                              const sg_loop_drive *drives, int n_drives, sg_arena *arena,
                              sg_tree_loops **out);

// What changes.
typedef struct sg_loop_state {
    double *g, *rate, *gamma; // by row: g, G v, and der(G v) where der(v) is zero
    double *lambda;           // by row of constraints
    double *drive;            // by drive: the forces of the last sg_tree_loops_forces
    sg_force *on2, *on1;      // by row: wrenches about the origins of the two bodies, in the world
    double *y;                // M^(-1/2) transpose(G), row after row over its path
    double *usual;            // by row: its largest pivot so far, relative to `size`
    double *size;             // by row: what the row could feel at most, for comparison of pivots
    double *y0;               // by degree of freedom: M^(-1/2) (tau - h)
    double *root;             // by degree of freedom: the root of D
    double *sum;              // by degree of freedom: M^(-1/2) of forces
    double *whole;            // by degree of freedom: the same of all but constraints
    double *felt;             // by degree of freedom: what joints feel in addition, see below
    double *cholesky;         // by body, 36 each, of free joints; null without any
    sg_force *scratch;        // of a path
    sg_force *pull;           // by body: for sg_tree_loops_transpose
    // Factors of the active rows.
    int n_active;
    int *active;              // rows, ascending
    int *start;               // by active row: its first column
    int *at;                  // and where its entries begin in `factor`
    double *factor, *pivot;   // L and D; a pivot of zero: passed over
    double *work;             // twice n_rows + n_drives
    int n_singular, singular; // rows passed over in the last factorization, and the first of them
} sg_loop_state;

// After somebody set which rows are active: where their factors go.
void sg_tree_loops_envelope(const sg_tree_loops *loops, sg_loop_state *state);

sg_status sg_tree_loop_state_init(const sg_tree *tree, const sg_tree_loops *loops, sg_arena *arena,
                                  sg_loop_state *state);

// After sg_tree_kinematics: g, rates, gamma and wrenches of all rows.
void sg_tree_loops_place(const sg_tree_state *s, const sg_tree_loops *loops, sg_loop_state *state);
// The same for `n` rows of constraints and for all drives alone.
void sg_tree_loops_place_rows(const sg_tree_state *s, const sg_tree_loops *loops,
                              sg_loop_state *state, const int *row, int n);
// After that and sg_tree_forward_up: y of all rows, and the factors of the active ones. Rows whose
// pivot is less than the part `least` of what it could be are passed over. Pivots are squares of
// angles between a row and all others. Accelerations need a row as long as it says anything. To
// move states back by a row that hardly says anything would be a long way for nothing: near a
// singular position that would throw the motion from one branch to another.
//
// `doubt`, 0 or from sg_tree_loops_doubt, is the same relative to what the pivots usually are.
#define SG_LOOPS_FOR_ACCELERATIONS 1e-13
#define SG_LOOPS_FOR_STATES 1e-6
void sg_tree_loops_factor(const sg_tree *tree, const sg_tree_state *s, const sg_tree_loops *loops,
                          sg_loop_state *state, const bool *locked, double least, double doubt);
// The same for all rows, of which those that say nothing new become inactive.
void sg_tree_loops_select(const sg_tree *tree, const sg_tree_state *s, const sg_tree_loops *loops,
                          sg_loop_state *state, const bool *locked);
// Which pivots mean nothing while a loop is open by a gap e, as between the steps of a method.
// Where two branches of a motion cross, x y = 0, the gap makes hyperbolas x y = e of them, and
// motion on these turns from one branch into the other. At the distance x its acceleration is off
// by e/x^3, and the pivot is x^2. Where that is more than all other accelerations, it is better to
// let go.
double sg_tree_loops_doubt(const sg_tree_state *s, const sg_tree_loops *loops,
                           const sg_loop_state *state);
// Notes the present pivots as usual, where they are larger than before.
void sg_tree_loops_get_used(sg_loop_state *state);
// lambda, so that the rows change by `-residual` (by row; inactive ones are ignored) when M^-1
// transpose(G) lambda is added. lambda may be residual.
void sg_tree_loops_solve(const sg_tree_loops *loops, sg_loop_state *state, const double *residual,
                         double *lambda);

// The largest residual of a row, relative to the lengths that it is a difference of; of the active
// rows or of all.
double sg_tree_loops_gap(const sg_tree_state *s, const sg_tree_loops *loops,
                         const sg_loop_state *state, bool active);
// The smallest pivot of the factors, relative to what it could be.
double sg_tree_loops_weakest(const sg_loop_state *state);
// The row whose pivot lost most of what it usually is, and the part that is left; -1 without rows.
int sg_tree_loops_faded(const sg_loop_state *state, double *left);

// Forward dynamics after sg_tree_forward_up and sg_tree_loops_factor: lambda for the forces `drive`
// (null: none), which the joints then feel in addition; sg_tree_forward_down gives accelerations.
// May be asked for other forces again.
void sg_tree_loops_forces(const sg_tree *tree, sg_tree_state *s, const sg_tree_loops *loops,
                          sg_loop_state *state, const double *drive);
// Accelerations of the driven joints as b + A drive, instead; A by rows.
void sg_tree_loops_terms(const sg_tree *tree, const sg_tree_state *s, const sg_tree_loops *loops,
                         sg_loop_state *state, double *b, double *A);

// M^-1 transpose(G) lambda into `x` (n_dof), after a factorization; the tree keeps nothing of it.
sg_status sg_tree_loops_respond(const sg_tree *tree, sg_tree_state *s, const sg_tree_loops *loops,
                                sg_loop_state *state, const double *lambda, const bool *locked,
                                double *x);

// transpose(G) mu into `x` (n_dof), for the numbers `mu` of `n` rows; after sg_tree_loops_place.
void sg_tree_loops_transpose(const sg_tree *tree, const sg_tree_state *s,
                             const sg_tree_loops *loops, sg_loop_state *state, const int *row,
                             int n, const double *mu, double *x);
// The inertia that a row feels, the inverse of its element of G M^-1 transpose(G); after a
// factorization with the row among the active ones.
double sg_tree_loops_inertia(const sg_tree *tree, const sg_tree_loops *loops,
                             const sg_loop_state *state, int row);

// What a cut joint exerts on obj2: the moment about its origin, resolved in the world.
sg_force sg_tree_loops_reaction(const sg_tree *tree, const sg_tree_state *s,
                                const sg_tree_loops *loops, const sg_loop_state *state, int cut);
// Coordinate (the angle nearest to `near`) and speed of a revolute or prismatic cut joint; and its
// acceleration, after sg_tree_forward_down.
typedef struct sg_cut_motion {
    double q, v;
} sg_cut_motion;
sg_cut_motion sg_tree_loops_measure(const sg_tree_state *s, const sg_tree_loops *loops, int cut,
                                    double near);
double sg_tree_loops_acceleration(const sg_tree_state *s, const sg_tree_loops *loops, int cut);
// Accelerations across rows, with those of the bodies in the last pass: zero where they hold.
void sg_tree_loops_openings(const sg_tree_state *s, const sg_tree_loops *loops, const int *row,
                            int n, double *out);

// "force along x of obj1", for messages.
const char *sg_cut_row_name(sg_cut_kind kind, int row);
