import { competitionStage } from "orderlens/metrics";
import { assertEquals } from "@std/assert";
import { readRecording } from "../../../lib/recordings/recording.ts";
import { recordedScenario } from "../recorded_scenario.ts";

const FOLDER = new URL("../../../data/recorded", import.meta.url).pathname;

Deno.test("competitionStage() reads each event as the service does", () => {
  const stages = {
    created: "scheduled",
    ready: "active",
    considered: "solved",
    executing: "executing",
    traded: "traded",
    cancelled: "cancelled",
    filtered: "open",
    invalid: "open",
  } as const;
  for (const [latestLabel, stage] of Object.entries(stages)) {
    assertEquals(competitionStage({ hasTrade: false, latestLabel }), stage);
    assertEquals(competitionStage({ hasTrade: true, latestLabel }), "traded");
  }
});

Deno.test("competitionStage() is unknown without an event, or for a new one", () => {
  assertEquals(competitionStage({ hasTrade: false, latestLabel: null }), null);
  assertEquals(competitionStage({ hasTrade: false, latestLabel: "postponed" }), null);
});

Deno.test("competitionStage() agrees with the reported stage of every order of a recorded market", async () => {
  const { reports } = await recordedScenario("market_1");
  let compared = 0;
  for (
    const { path, status, responseBody } of await readRecording(`${FOLDER}/market_1.ndjson.gz`)
  ) {
    const uid = /^\/api\/v1\/orders\/(0x[0-9a-f]+)\/status$/.exec(path)?.[1];
    const report = uid === undefined ? undefined : reports.get(uid);
    if (status !== 200 || report === undefined) continue;
    const stage = competitionStage({
      hasTrade: report.trades.length > 0,
      latestLabel: report.events.at(-1)?.label ?? null,
    });
    assertEquals(stage, JSON.parse(responseBody).type, uid);
    compared++;
  }
  assertEquals(compared, 938);
});
