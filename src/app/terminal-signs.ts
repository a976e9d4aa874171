import type { OutputFinding } from "../host/produced.ts";

const ESCAPE = 0x1b;
/** The first byte in UTF-8 of the control characters that stand for ESC and another (C1, console_codes(4)). */
const C1_LEAD = 0xc2;

const ESC = String.fromCharCode(ESCAPE);
/** Strings that a terminal obeys: the clipboard, its title, programmable keys. */
const STRING = new RegExp(String.raw`${ESC}[\]PX^_]|[\u0090\u0098\u009d-\u009f]`);
/** Everything else but colours, and erasing to the end of the line, which programs put beside them. */
const SCREEN = new RegExp(
  String.raw`(?:${ESC}\[|\u009b)(?!K)[0-?]*[ -/]*[@-ln-~]|${ESC}[ -/0-OQ-WYZ\u0060-~]|[\u0084-\u008f]`,
);

/** What printed bytes would do to the terminal of whoever has them shown, beyond colours. */
export function terminalSigns(streams: {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}): readonly OutputFinding[] {
  return (["stdout", "stderr"] as const).flatMap((stream): readonly OutputFinding[] => {
    const bytes = streams[stream];
    if (!bytes.includes(ESCAPE) && !bytes.includes(C1_LEAD)) return [];
    const text = new TextDecoder().decode(bytes);
    const what = [
      ...(STRING.test(text) ? ["strings that it obeys (clipboard, title)"] : []),
      ...(SCREEN.test(text) ? ["movement and erasing, which hide what was printed"] : []),
    ];
    if (what.length === 0) return [];
    const said = `${stream} holds sequences for a terminal beyond colours: ${what.join("; ")}`;
    return [{ code: "terminal-sequences", stream, text: said }];
  });
}
