import type { AgentReport, AgentsReport } from "../app/doctor-agents-types.ts";
import { VERSION } from "../core/version.ts";
import { visible } from "./escape.ts";
import { table } from "./table.ts";

/** The report on agents as a person reads it. */
export function agentsText({ agents, ok }: AgentsReport): string {
  const rows = agents.map(({ agent, client, result }) => [
    agent,
    client === undefined ? "not found" : (client.version ?? "found"),
    result,
  ]);
  const lines = [
    ...(agents.length === 0 ? [] : table([["agent", "client", "paldron's hook"], ...rows])),
    ...agents.flatMap(details),
    ...(agents.length === 0 ? [] : [""]),
    conclusion({ agents, ok }),
  ];
  return `${lines.map(visible).join("\n")}\n`;
}

function details({ agent, result, faults, remarks }: AgentReport): readonly string[] {
  const lines = [
    ...(result === "not registered" ? [`  register it with \`paldron init ${agent}\``] : []),
    ...faults.map(({ where, what, remedy }) => `  ${where}: ${what}; ${remedy}`),
    ...remarks.map((remark) => `  note: ${remark}`),
  ];
  return lines.length === 0 ? [] : ["", `${agent}:`, ...lines];
}

function conclusion({ agents, ok }: AgentsReport): string {
  if (ok) return "every agent that was found asks paldron";
  const open = agents.filter(({ client, result }) => client !== undefined && result !== "working");
  if (open.length > 0) return `not in order: ${open.map(({ agent }) => agent).join(", ")}`;
  return "no coding agent was found";
}

/** The report on agents for programs (docs/doctor.md). */
export function agentsJson({ agents, ok }: AgentsReport): Record<string, unknown> {
  return {
    paldron: VERSION,
    ok,
    agents: agents.map(({ client, ...rest }) => ({
      ...rest,
      client: client === undefined ? null : { path: client.path, version: client.version ?? null },
    })),
  };
}
