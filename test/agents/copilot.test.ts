import { copilot } from "./clients/copilot.ts";
import { provesGate } from "./gate.ts";

provesGate(copilot, {
  confines: true,
  fate: { hangs: "ran", dies: "blocked", fails: "blocked", "is missing": "blocked" },
});
