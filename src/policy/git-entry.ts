/** What is wrong with an entry of git's configuration: `section.key=value` or `section.subsection.key=value`. */
export function gitEntryProblem(entry: string): string | undefined {
  return /^[A-Za-z][A-Za-z0-9-]*\.(?:[^=]+\.)?[A-Za-z][A-Za-z0-9-]*=/.test(entry)
    ? undefined
    : "is no `section.key=value`";
}
