#!/usr/bin/env node
// Builds dist/ (TypeScript, bundled by tsdown) and then the launcher. `npm ci` runs it as `prepare`.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
rmSync("dist", { recursive: true, force: true });
await build({ config: "tsdown.config.ts", logLevel: "warn" });
await import("./build-launcher.mjs");
