// Makes three.bundle.js, LICENSE.txt and bundle.json anew: npm install && npm run bundle
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

await build({
  entryPoints: ["entry.js"],
  outfile: "three.bundle.js",
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "THREE",
  target: "es2022",
  legalComments: "none",
});
const text = await readFile("three.bundle.js");
const { version } = JSON.parse(await readFile("node_modules/three/package.json"));
await writeFile("LICENSE.txt", await readFile("node_modules/three/LICENSE"));
const facts = { three: version, sha256: createHash("sha256").update(text).digest("hex") };
await writeFile("bundle.json", JSON.stringify(facts, null, 2) + "\n");
