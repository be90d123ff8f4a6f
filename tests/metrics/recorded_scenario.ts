import { readScenario, type Scenario } from "../../tools/metrics/read_scenario.ts";

const FOLDER = new URL("../../data/recorded", import.meta.url).pathname;
const scenarios = new Map<string, Promise<Scenario>>();

/** A shipped recording as `check-metrics` reads it, read once for all tests that ask for it. */
export function recordedScenario(name: string): Promise<Scenario> {
  const scenario = scenarios.get(name) ?? readScenario(FOLDER, name);
  scenarios.set(name, scenario);
  return scenario;
}
