import { gemini } from "./clients/gemini.ts";
import { provesGate } from "./gate.ts";

provesGate(gemini, {
  confines: true,
  fate: { hangs: "ran", dies: "ran", fails: "ran", "is missing": "blocked" },
});
