import { defineConfig } from "tsdown";

/** One file per entry; commands are loaded lazily, so a cold start reads two or three small files. */
export default defineConfig({
  entry: { main: "src/cli/main.ts", index: "src/index.ts" },
  format: "esm",
  platform: "node",
  target: "node20",
  outDir: "dist",
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
  dts: { entry: "src/index.ts" },
  clean: true,
  minify: false,
  // Bundled, so that a cold start does not search node_modules.
  deps: { alwaysBundle: ["smol-toml", "valibot"], onlyBundle: false },
});
