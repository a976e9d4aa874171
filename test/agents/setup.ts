import type { TestProject } from "vitest/node";
import { installClients } from "./install.ts";
import { isolationThatWorks } from "./isolation.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the installed clients. */
    clients: string;
    /** What a session is started through, so that it reaches nothing but its own loopback. */
    isolation: readonly string[];
  }
}

/** Once, before the first file of this folder. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide("clients", await installClients());
  project.provide("isolation", isolationThatWorks());
}
