import { Socket } from "node:net";
import { PaldronError } from "../core/errors.ts";

interface StreamOptions {
  readonly maxBytes: number;
  readonly deadlineMs: number;
  readonly late: () => PaldronError;
  readonly tooLong: () => PaldronError;
}

/**
 * Standard input that is a pipe or socket, read by the event loop: a read that a thread waits in would keep the process
 * from ending at the deadline.
 */
export async function readStream({
  maxBytes,
  deadlineMs,
  late,
  tooLong,
}: StreamOptions): Promise<Uint8Array> {
  const socket = new Socket({ fd: 0, readable: true, writable: false });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(late()), deadlineMs);
      socket.on("data", (chunk: Uint8Array) => {
        length += chunk.length;
        if (length > maxBytes) reject(tooLong());
        else chunks.push(chunk);
      });
      socket.on("error", (error) =>
        reject(new PaldronError("request", "standard input cannot be read", { cause: error })),
      );
      socket.on("end", () => {
        clearTimeout(timer);
        resolve(Buffer.concat(chunks, length));
      });
    });
  } finally {
    socket.destroy();
  }
}
