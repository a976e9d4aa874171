#!/usr/bin/env node
// Builds dist/ (TypeScript, bundled by tsdown) and then the launcher. `npm ci` runs it as `prepare`.
import { renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import { makeCodeCaches } from "./code-cache.mjs";

/** Whoever only installs has a program that starts more slowly, and is told. */
function cache(folder) {
  try {
    makeCodeCaches(folder);
  } catch (error) {
    if (process.argv.includes("--strict")) throw error;
    console.warn(`paldron: no code caches (${error.message}), every start takes longer`);
  }
}

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
// Built beside the old one and swapped in whole, so that a failed build leaves what worked.
const fresh = `dist.${process.pid}`;
const old = `dist.${process.pid}.old`;
try {
  await build({ config: "tsdown.config.ts", outDir: fresh, logLevel: "warn" });
  await import("./build-launcher.mjs");
  cache(resolve(fresh));
  try {
    renameSync("dist", old);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  renameSync(fresh, "dist");
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}
