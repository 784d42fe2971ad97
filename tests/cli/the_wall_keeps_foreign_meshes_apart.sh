# Meshes of foreign formats are read by a helper without rights: a stand-in for the library assimp, which does what the file says,
# cannot harm the run. Real damaged files did: signals, and a heap in pieces.
command -v "${CC:-cc}" >/dev/null || { echo 'skipped: no compiler'; exit 77; }
cat >assimp.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct file { size_t (*read)(struct file *, char *, size_t, size_t); void *write, *tell; size_t (*size)(struct file *); };
struct io { struct file *(*open)(struct io *, const char *, const char *); void (*close)(struct io *, struct file *); };
static char text[1 << 16], why[200] = "the stand-in is not content";

const void *aiImportFileEx(const char *path, unsigned flags, struct io *io)
{
    struct file *f = io->open(io, path, "rb");
    if (!f)
        return NULL;
    size_t n = f->read(f, text, 1, sizeof text - 1);
    text[n] = 0;
    io->close(io, f);
    if (io->open(io, "private/secret.obj", "rb") || io->open(io, "/etc/passwd", "rb"))
        snprintf(why, sizeof why, "other files are there");
    if (!strncmp(text, "crash", 5))
        *(volatile int *)8 = 1;
    if (!strncmp(text, "abort", 5))
        abort();
    if (!strncmp(text, "heap", 4)) {
        char *p = malloc(24);
        memset(p, 0x41, 4096);
        free(p);
    }
    if (!strncmp(text, "escape", 6)) {
        int file = open("/etc/passwd", O_RDONLY), made = open("/var/tmp/segue-escaped", O_WRONLY | O_CREAT, 0600);
        int wire = socket(AF_UNIX, SOCK_STREAM, 0);
        snprintf(why, sizeof why, "escaped %d%d%d%d", file >= 0, made >= 0, wire >= 0, fork() >= 0);
        return NULL;
    }
    return strncmp(text, "solid", 5) ? NULL : text;
}
const char *aiGetErrorString(void) { return why; }
struct blob { size_t size; const void *data; };
const void *aiExportSceneToBlob(const void *scene, const char *format, unsigned flags)
{
    static struct blob blob;
    blob = (struct blob){strlen(scene), scene};
    return &blob;
}
void aiReleaseImport(const void *scene) {}
void aiReleaseExportBlob(const void *blob) {}
END
"${CC:-cc}" -shared -fPIC -w -o libassimp.so.5 assimp.c 2>cc.log || { echo 'skipped: cannot compile'; exit 77; }
rm -f /var/tmp/segue-escaped

awk 'BEGIN {
    n = split("0 0 0 1 0 0 0 1 0 0 0 1", p); print "solid tetrahedron"
    m = split("1 3 2 1 2 4 1 4 3 2 3 4", t)
    for (i = 1; i <= m; i += 3) {
        print "facet normal 0 0 0\nouter loop"
        for (k = 0; k < 3; k++) { v = t[i + k]; print "vertex", p[3*v-2], p[3*v-1], p[3*v] }
        print "endloop\nendfacet" }
    print "endsolid" }' >good.dae
echo crash >crash.dae
echo abort >abort.dae
echo heap >heap.dae
echo escape >escape.dae
echo nothing >nothing.dae
cat >mesh.jl <<'END'
using Modia3D
for name in ["crash.dae", "abort.dae", "heap.dae", "escape.dae", "nothing.dae", "good.dae"]
    Body = Model3D(world = Object3D(feature = Scene(enableContactDetection = false)),
        body = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = FileMesh(filename = name), massProperties = 1.0)))
    println("--- ", name)
    try
        m = @instantiateModel(Body, unitless = true)
        simulate!(m, stopTime = 0.1)
    catch e
        println(e)
    end
end
END
export LD_LIBRARY_PATH="$PWD${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# Without the option no such library is even loaded.
"$SEGUE" run mesh.jl >out 2>err
has err '--foreign-meshes'
lacks err 'stand-in'

for wall in --sandbox=auto --sandbox=off; do
    "$SEGUE" run --foreign-meshes $wall mesh.jl >out 2>err
    got=$?
    [ $got -lt 128 ] || fail "$wall: status $got"
    if [ "$SG_SLOWNESS" -gt 1 ]; then # sanitizers turn signals into an exit of their own
        has err "'crash.dae' cannot be used: the reader of foreign meshes "
        has err "'abort.dae' cannot be used: the reader of foreign meshes "
    else
        has err "'crash.dae' cannot be used: the reader of foreign meshes crashed (signal 11)"
        has err "'abort.dae' cannot be used: the reader of foreign meshes crashed (signal 6)"
    fi
    has err "'heap.dae' cannot be used: "
    has err "'nothing.dae' cannot be used: "
    has err 'the stand-in is not content'
    lacks err 'other files are there'
    [ "$(grep -c "cannot be used" err)" -eq 5 ] || fail "$wall: not one message for each bad mesh: $(cat err)"
    lacks err "'good.dae'"
    if "$SEGUE" run --sandbox=require -q -e 1 2>/dev/null; then
        has err 'escaped 0000'
        [ ! -e /var/tmp/segue-escaped ] || fail 'a file was made outside'
    fi
done
