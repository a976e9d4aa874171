import { defineConfig, type UserConfig } from "tsdown";

/** V8 keeps a file with a single character beyond ASCII as two bytes each, and reads it more slowly. */
const asciiOnly = {
  name: "ascii-only",
  renderChunk: (code: string): string =>
    code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
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

/**
 * The command line is CommonJS: Node's ESM loader alone costs more than `check` does (docs/architecture.md,
 * "Cold start"). Commands are loaded lazily, so a start reads two or three small files. The library stays ESM.
 */
export default defineConfig([
  {
    ...shared,
    entry: { main: "src/cli/main.ts" },
    format: "cjs",
    // Few files: each costs half a millisecond to find and read.
    outputOptions: {
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
    outExtensions: () => ({ js: ".cjs" }),
    dts: false,
    clean: false,
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
