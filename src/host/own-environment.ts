/** The environment of this process, as it is now. */
export function ownEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
