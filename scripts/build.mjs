#!/usr/bin/env node
// Builds dist/ (TypeScript, bundled by tsdown) and then the launcher. `npm ci` runs it as `prepare`.
import { renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
// Built beside the old one and swapped in whole, so that a failed build leaves what worked.
const fresh = `dist.${process.pid}`;
const old = `dist.${process.pid}.old`;
try {
  await build({ config: "tsdown.config.ts", outDir: fresh, logLevel: "warn" });
  try {
    renameSync("dist", old);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  renameSync(fresh, "dist");
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}
await import("./build-launcher.mjs");
