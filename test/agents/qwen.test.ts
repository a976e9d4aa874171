import { qwen } from "./clients/qwen.ts";
import { provesGate } from "./gate.ts";

provesGate(qwen, {
  confines: false,
  fate: { hangs: "ran", dies: "ran", fails: "ran", "is missing": "ran" },
});
