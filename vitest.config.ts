import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A warning of Node or an unhandled rejection in the code under test is a failure.
    dangerouslyIgnoreUnhandledErrors: false,
    reporters: [process.env["CI"] ? "default" : "dot", "./test/meta/summary-reporter.ts"],
  },
});
