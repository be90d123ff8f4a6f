import { assertEquals } from "@std/assert";
import { ended, PIPES } from "../line_process.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

const PROGRAM = new URL("zoned_queries.ts", import.meta.url).pathname;
const ZONES = ["UTC", "Europe/Berlin", "America/New_York"];

async function textsIn(zone: string): Promise<Record<string, string>> {
  return await withFolder(async (folder) => {
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", PROGRAM, folder],
      env: { NO_COLOR: "1", TZ: zone, LC_ALL: zone === "UTC" ? "C" : "de_DE.UTF-8" },
      ...PIPES,
    });
    const { code, out, err } = await ended(command);
    assertEquals([zone, code], [zone, 0], err);
    return JSON.parse(out);
  });
}

Deno.test("SQL has the same rows and bytes in every time zone, at every door", async () => {
  const [utc, ...others] = await Promise.all(ZONES.map(textsIn));
  for (const texts of others) assertEquals(texts, utc);
  // 13 of the 37 fills have a `filled_at` of 15:13 UTC or later, and all are of one day.
  assertEquals(JSON.parse(utc!.since!), [{ fills: 13 }]);
  assertEquals(JSON.parse(utc!.days!), [{
    day: "2026-11-21 00:00:00+00",
    fills: 37,
    first: "15:12:06 Saturday November",
    listed: "[2026-11-21 15:12:06.831221+00]",
  }]);
  assertEquals(JSON.parse(utc!.market!), [{ t: "2026-11-21 00:30:00+00" }]);
  assertEquals(utc!.page, "t\n2026-11-21 00:30:00+00\n");
});
