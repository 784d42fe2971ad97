// read_arrow.cjs SOURCE_DIR FILE CSV: does Arrow's own library see what the CSV says?
const fs = require("fs");
const [source, file, csv] = process.argv.slice(2);
let arrow;
try {
    arrow = require(require.resolve("apache-arrow", { paths: [source] }));
} catch {
    console.log("apache-arrow is not installed (npm ci)");
    process.exit(77);
}
const check = (condition, what) => {
    if (!condition) {
        console.error("wrong: " + what);
        process.exit(1);
    }
};
const table = arrow.tableFromIPC(fs.readFileSync(file));
const rows = fs.readFileSync(csv, "utf8").trimEnd().split("\n");
const names = [...rows[0].matchAll(/"([^"]*)"/g)].map((m) => m[1]);
check(table.numRows === rows.length - 1, "number of rows");
const metadata = table.schema.metadata;
check(metadata.get("modelica.format") === "1", "modelica.format");
const variables = new Map(JSON.parse(metadata.get("modelica.variables")).map((v) => [v.name, v]));
const segments = JSON.parse(metadata.get("segue.segments"));
check(segments.length === 2 && segments[1].action === "ActionAttach", "segments");
check(segments[0].stateNames[0] === "phi", "state names");
check(table.schema.fields[0].name === "time" && !table.schema.fields[0].nullable, "time");
const phi = table.schema.fields.find((f) => f.name === "phi");
check(phi.metadata.get("unit") === "rad" && phi.metadata.get("description") === "angle", "phi");
check(variables.get("L").value === 0.8 && variables.get("L").kind === "parameter", "L");
let nulls = 0;
rows.slice(1).forEach((line, p) => {
    line.split(",").forEach((text, c) => {
        const v = variables.get(names[c]);
        const raw = table.getChildAt(v.column).get(p);
        if (text === "") {
            check(raw === null, names[c] + " is null at " + p);
            nulls++;
        } else {
            const value = raw * (v.scale ?? 1), expected = Number(text);
            check(value === expected || (Number.isNaN(value) && Number.isNaN(expected)), names[c] + " at " + p);
        }
    });
});
check(nulls > 0, "there are nulls");
console.log(names.length + " columns read by Apache Arrow");
