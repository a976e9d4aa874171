import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";

interface Skip {
  readonly name: string;
  readonly cause: string | undefined;
}

/**
 * The last line is `N passed, N failed, N skipped`. Each skip is listed with its cause; one without a cause is a
 * failure, and under PALDRON_MUST_WORK=1 every skip is.
 */
export default class SummaryReporter implements Reporter {
  readonly #mustWork = process.env["PALDRON_MUST_WORK"] === "1";
  #passed = 0;
  #failed = 0;
  #skips: Skip[] = [];

  onTestRunStart(): void {
    this.#passed = 0;
    this.#failed = 0;
    this.#skips = [];
  }

  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    if (result.state === "passed") this.#passed += 1;
    else if (result.state === "failed") this.#failed += 1;
    else if (result.state === "skipped") this.#skips.push({ name: test.fullName, cause: result.note });
  }

  /** A failing `beforeAll` or `afterAll`. */
  onTestSuiteResult(suite: TestSuite): void {
    this.#failed += suite.errors().length;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    // A file that could not be collected, a failing suite hook or an unhandled error is no test case, but a failure.
    this.#failed += errors.length + modules.reduce((sum, module) => sum + module.errors().length, 0);
    for (const { name, cause } of this.#skips) console.log(`skipped: ${name}: ${cause ?? "no cause given"}`);
    const wrong = this.#skips.filter((skip) => this.#mustWork || skip.cause === undefined);
    if (wrong.length > 0) {
      const why = this.#mustWork ? "PALDRON_MUST_WORK=1 allows no skips" : "a skip must name its cause";
      console.log(`${wrong.length} failed: ${why}`);
      process.exitCode = 1;
    }
    this.#failed += wrong.length;
    console.log(
      `${this.#passed} passed, ${this.#failed} failed, ${this.#skips.length - wrong.length} skipped`,
    );
  }
}
