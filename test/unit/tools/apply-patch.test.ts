import { describe, expect, it } from "vitest";
import { embeddedPatches, patchFiles } from "../../../src/tools/apply-patch.ts";

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
const files = (text: string) => patchFiles(text)?.map(({ action, path }) => `${action} ${path}`);

describe("the files of a patch", () => {
  it("all four actions, in order", () => {
    const text = patch(
      "*** Update File: a.txt",
      "*** Move to: b/c d.txt",
      "@@ def f():",
      " context",
      "-old",
      "+new",
      "*** End of File",
      "*** Add File: new.txt",
      "+*** Add File: not-me",
      "*** Delete File: gone.txt",
    );
    expect(files(text)).toEqual(["update a.txt", "move b/c d.txt", "add new.txt", "delete gone.txt"]);
  });
  it.each([
    ["CRLF", patch("*** Add File: a").replaceAll("\n", "\r\n"), ["add a"]],
    ["a heredoc around it", `<<'EOF'\n${patch("*** Add File: a")}EOF\n`, ["add a"]],
    [
      "a header that a lenient reader could see in the context",
      patch("*** Update File: a", " *** Move to: b"),
      ["update a", "move b"],
    ],
  ])("%s", (_, text, expected) => expect(files(text)).toEqual(expected));

  it.each([
    ["no patch", "hello"],
    ["no end", "*** Begin Patch\n*** Add File: a\n"],
    ["no files", patch()],
    ["an unknown header", patch("*** Add File: a", "*** Rename File: b")],
    ["a header in another case", patch("*** add file: a")],
    ["a header without a blank", patch("***Add File: a")],
    ["a header without a path", patch("*** Add File: ")],
    ["text before it", `x y\n${patch("*** Add File: a")}`],
    ["text behind it", `${patch("*** Add File: a")}*** Add File: b\n`],
  ])("%s is not understood", (_, text) => expect(patchFiles(text)).toBeUndefined());
});

it("patches inside a command line", () => {
  const inner = patch("*** Add File: a").trimEnd();
  expect(embeddedPatches(`cd x && apply_patch <<'EOF'\n${inner}\nEOF\n`)).toEqual([inner]);
  expect(embeddedPatches("apply_patch < file")).toEqual([]);
});
