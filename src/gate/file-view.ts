/** What the gate needs to know of the disk. The host provides it; whatever it throws is a deny. */
export interface FileView {
  /** The caller's home folder, absolute. */
  readonly home: string | undefined;
  /** Whether something, also a dangling link, stands at an absolute path. Errors count as no. */
  lexists(path: string): boolean;
  /**
   * The absolute path with every link resolved; what does not exist is appended as written. Throws where that cannot
   * be known (a loop, a folder that may not be searched, a link into /proc).
   */
  resolve(path: string): string;
  /** The file that starting `name` would run: from PATH for a bare name, else relative to `cwd`. */
  findProgram(name: string, cwd: string): string | undefined;
  /** Whether a pipe, socket or device stands at an absolute path. */
  isSpecial(path: string): boolean;
  /** Whether a folder, or a link to one, stands at an absolute path. */
  isFolder(path: string): boolean;
  /** The names in the folder at an absolute path; undefined where it cannot be read. */
  list(path: string): readonly string[] | undefined;
  /** Whether git tracks the file at an absolute path. True where that cannot be told. */
  isTracked(path: string): boolean;
  /** Whether the file at an absolute path is PEM with public blocks only. False when it cannot be read. */
  isPublicPem(path: string): boolean;
}
