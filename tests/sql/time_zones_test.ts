import { assertEquals } from "@std/assert";
import { ended, PIPES } from "../line_process.ts";

/** Zones of machines, each with a locale; that of Thailand has another calendar. */
const ZONES = { UTC: "C", "Europe/Berlin": "de_DE.UTF-8", "America/New_York": "th_TH.UTF-8" };
const TESTS = new URL("in_one_zone.ts", import.meta.url).pathname;

for (const [zone, locale] of Object.entries(ZONES)) {
  // There they run by themselves.
  if (zone === Temporal.Now.timeZoneId()) continue;
  Deno.test(`tests of SQL hold where the zone of the machine is ${zone}`, async () => {
    const command = new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--no-check", TESTS],
      env: { NO_COLOR: "1", TZ: zone, LC_ALL: locale },
      ...PIPES,
    });
    const { code, out, err } = await ended(command);
    assertEquals(code, 0, `${out}${err}`);
  });
}
