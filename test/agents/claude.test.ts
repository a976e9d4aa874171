import { claude } from "./clients/claude.ts";
import { provesGate } from "./gate.ts";

provesGate(claude, {
  confines: true,
  fate: { hangs: "blocked", dies: "blocked", fails: "blocked", "is missing": "blocked" },
});
