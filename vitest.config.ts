import { defineConfig } from "vitest/config";

const AGENTS = "test/agents/**/*.test.ts";

export default defineConfig({
  test: {
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A warning of Node or an unhandled rejection in the code under test is a failure.
    dangerouslyIgnoreUnhandledErrors: false,
    reporters: [process.env["CI"] ? "default" : "dot", "./test/meta/summary-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "paldron",
          include: ["test/**/*.test.ts"],
          exclude: [AGENTS],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        // After everything else: the clients take all of the machine.
        test: {
          name: "agents",
          include: [AGENTS],
          globalSetup: "./test/agents/setup.ts",
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
