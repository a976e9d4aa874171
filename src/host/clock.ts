/**
 * Milliseconds on a clock that only goes forward. Not `performance.now()`, whose module costs two milliseconds of
 * every start.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
