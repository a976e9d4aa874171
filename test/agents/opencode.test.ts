import { opencode } from "./clients/opencode.ts";
import { provesGate } from "./gate.ts";

provesGate(opencode, {
  confines: true,
  fate: { hangs: "blocked", dies: "blocked", fails: "blocked", "is missing": "blocked" },
});
