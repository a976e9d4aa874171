import { defineConfig, type UserConfig } from "tsdown";

/** V8 keeps a file with a single character beyond ASCII as two bytes each, and reads it more slowly. */
const asciiOnly = {
  name: "ascii-only",
  // The last hook: the minifier undoes what an earlier one escapes.
  generateBundle: (_: unknown, bundle: Record<string, object>): void => {
    for (const file of Object.values(bundle)) {
      if (!("code" in file) || typeof file.code !== "string") continue;
      file.code = file.code.replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    }
  },
};

const shared: UserConfig = {
  platform: "node",
  target: "node20",
  minify: false,
  plugins: [asciiOnly],
  // Bundled, so that a cold start does not search node_modules.
  inputOptions: { checks: { pluginTimings: false } },
  deps: {
    alwaysBundle: ["smol-toml", "unbash", "valibot", /^@modelcontextprotocol\//, /^zod/],
    onlyBundle: false,
  },
};

/** The command line: half the text to read at each start. Names stay, for PALDRON_DEBUG=1. */
const program: UserConfig = {
  ...shared,
  format: "cjs",
  outExtensions: () => ({ js: ".cjs" }),
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  dts: false,
  clean: false,
};

/**
 * The command line is CommonJS: Node's ESM loader alone costs more than `check` does (docs/architecture.md,
 * "Cold start"). Commands are loaded lazily, so a start reads two or three small files. The library stays ESM.
 */
export default defineConfig([
  {
    ...program,
    // On its own, so that it shares no file with what it loads; in lines, because Node shows one where it fails.
    entry: { start: "src/host/start.ts" },
    minify: false,
  },
  {
    ...program,
    entry: { main: "src/cli/main.ts" },
    // Few files: each costs half a millisecond to find and read.
    outputOptions: {
      // `import("node:http")` as well: what src/host/start.ts compiles has no way to the ESM loader.
      dynamicImportInCjs: false,
      codeSplitting: {
        groups: [
          {
            name: "base",
            test: /src\/(core|host\/(stdio|argv))\/?|src\/cli\/(commands|escape|parse|parse-or-help|usage)\.ts/,
          },
          {
            name: "judge",
            test: /src\/(policy|tools)\/|src\/gate\/(?!(?:agent-shell|analyzed|bare-repository|explain|file-effects|interactive|judge-assignment|own-call|shell|shell-effects|words)\.ts|rules\/)|src\/(host\/(policy-file|policy-bytes|workspace|file-view|digest|real-path|own-program)|agents\/wrapper|cli\/policy-option)\.ts|node_modules\/(?:smol-toml|valibot)\//,
          },
          // Late, so that they take only what the others do not need.
          {
            name: "shell",
            test: /src\/shell\/|src\/gate\/(agent-shell|analyzed|bare-repository|explain|file-effects|interactive|judge-assignment|own-call|shell|shell-effects|words)\.ts|node_modules\/unbash\//,
          },
          { name: "rules", test: /src\/gate\/rules\// },
          { name: "mcp-sdk", test: /node_modules\/(?:@modelcontextprotocol|zod)\// },
        ],
      },
    },
  },
  {
    ...shared,
    entry: { index: "src/index.ts" },
    format: "esm",
    outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
    dts: { entry: "src/index.ts" },
    clean: false,
  },
]);
