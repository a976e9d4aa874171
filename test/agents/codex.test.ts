import { codex } from "./clients/codex.ts";
import { provesGate } from "./gate.ts";

provesGate(codex, {
  confines: true,
  fate: { hangs: "ran", dies: "ran", fails: "ran", "is missing": "ran" },
});
