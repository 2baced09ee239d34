// Puts the page together: assemble.mjs MODULE.wasm SCRIPTS > tridex.html. SCRIPTS is the folder of viewer.js and sheet.js, which
// crates/page/build.rs writes. One file, so that it opens from disk too, where browsers
// load neither modules nor WebAssembly by their names; its Content-Security-Policy names its scripts by their hashes.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const here = new URL(".", import.meta.url);
// As browsers parse it: they replace every line end by a line feed before they compute a hash.
const text = (name) => readFileSync(new URL(name, here), "utf8").replace(/\r\n?/g, "\n");
const hash = (script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

const script = (name) => readFileSync(join(process.argv[3], name), "utf8");

const viewer = script("viewer.js");
const page = script("sheet.js");
const style = text("page.css");
// Pages on disk have no module workers.
const worker = `${text("../js/tridex.js").replace(/^export /gm, "")}\n${text("worker.js")}`;
const parts = {
  POLICY: [
    "default-src 'none'",
    `script-src ${hash(viewer)} ${hash(page)} 'wasm-unsafe-eval'`,
    `style-src ${hash(style)}`,
    "worker-src blob:",
    "img-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types tridex",
  ].join("; "),
  STYLE: style,
  MODULE: gzipSync(readFileSync(process.argv[2]), { level: 9 }).toString("base64"),
  WORKER: worker,
  VIEWER: viewer,
  PAGE: page,
};
for (const [name, part] of Object.entries(parts)) {
  if (/<\/script|<!--/i.test(part)) throw new Error(`${name} would end its element`);
}
process.stdout.write(text("index.html").replace(/\b(POLICY|STYLE|MODULE|WORKER|VIEWER|PAGE)\b/g, (name) => parts[name]));
