import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { exitOfVerdict } from "../../lib/cli/actions/verdict_exit.ts";
import { replay } from "../../lib/recordings/mod.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { orderlens } from "./memory_io.ts";

const tape = await replay("market_1");
const [EXPIRED, FILLED] = tape.recorded.orderUids as [string, string];
const HERE = ["--recording", "market_1"];

Deno.test("orderlens inspect prints a page that fits a terminal, for any of the nouns", async () => {
  const url = `https://explorer.cow.fi/orders/${FILLED}`;
  const nouns = [EXPIRED, url, tape.recorded.txHashes[0]!, `${tape.recorded.auctionIds[0]}`];
  const { code, out, err } = await orderlens(["inspect", ...nouns, ...HERE]);
  assertEquals([code, err], [0, ""]);
  assertStringIncludes(out, "Expired: nobody bid on it");
  assertStringIncludes(out, "Filled in block");
  assertEquals(out.split(`\n${"─".repeat(40)}\n`).length, nouns.length);
  const { out: narrow } = await orderlens(["inspect", FILLED, ...HERE], { isTerminal: true });
  const wide = narrow.split("\n").filter((line) =>
    line.length > 80 && !/0x[0-9a-f]{60}/.test(line)
  );
  assertEquals(wide, []);
});

Deno.test("orderlens inspect --json is one line for each, with its schema", async () => {
  const { code, out } = await orderlens(["inspect", EXPIRED, FILLED, ...HERE, "--json"]);
  const reports = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(code, 0);
  assertEquals(reports.map(({ schema, uid }) => [schema, uid]), [
    ["orderlens/inspect@1", EXPIRED],
    ["orderlens/inspect@1", FILLED],
  ]);
});

Deno.test("orderlens inspect --exit-status ends with what became of the order", async () => {
  const status = async (uid: string) =>
    (await orderlens(["inspect", uid, ...HERE, "--exit-status"])).code;
  assertEquals([await status(FILLED), await status(EXPIRED)], [0, 12]);
  assertEquals(await status(`0x${"01".repeat(56)}`), 5);
  const groups = {
    filled_late: 0,
    jit_capturing: 0,
    unknown_here: 5,
    open_outbid: 10,
    partly_filled_open_outbid: 10,
    presignature_missing: 10,
    cancelled: 11,
    replaced: 11,
    refunded: 11,
    expired_filtered: 12,
    placement_failed: 12,
    partly_filled_cancelled: 13,
    partly_filled_expired_outbid: 13,
  };
  for (const [verdict, code] of Object.entries(groups)) {
    assertEquals(exitOfVerdict(verdict), code, verdict);
  }
});

Deno.test("orderlens inspect --html writes a file, and --deep takes a number or none", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/order.html`;
    const words = ["inspect", "--deep", FILLED, ...HERE, "--html", file];
    const { code, out, err } = await orderlens(words);
    assertEquals([code, out], [0, ""]);
    assertStringIncludes(err, `Wrote ${file}`);
    assertStringIncludes(await Deno.readTextFile(file), FILLED);
  });
  assertEquals((await orderlens(["inspect", "--deep", "5", FILLED, ...HERE])).code, 0);
});

Deno.test("orderlens inspect --watch prints a line for every change", async () => {
  const { code, out } = await orderlens(["inspect", FILLED, ...HERE, "--watch", "--exit-status"]);
  assertEquals(code, 0);
  assert(/^\S+Z {2}fulfilled .*100\.0% executed\n$/.test(out), out);
});

Deno.test("orderlens inspect says what is wrong with its words", async () => {
  for (
    const [words, message] of [
      ["inspect", "without its <subjects...>"],
      ["inspect 0x12 --recording market_1", "Pass the UID of an order"],
      ["inspect 2624", "without a deployment: each has its own ids"],
      ["inspect 2624 --recording market_1 --watch", "only orders change"],
      [`inspect ${FILLED} ${EXPIRED} --recording market_1 --html x.html`, "several words"],
    ] as const
  ) {
    const { code, out, err } = await orderlens(words);
    assertEquals([code, out], [2, ""]);
    assertStringIncludes(err, message);
  }
});
