/** An absolute path without `.`, `..` and doubled slashes, as written: links are not followed. */
export function resolve(cwd: string, path: string): string {
  const out: string[] = [];
  const whole = path.startsWith("/") ? path : `${cwd}/${path}`;
  for (const part of whole.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") out.pop();
    else out.push(part);
  }
  return `/${out.join("/")}`;
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
