import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { toExitStatus } from "../../lib/cli/actions/inspect_action.ts";
import { connect } from "../../lib/client/mod.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { replay } from "../../lib/recordings/mod.ts";
import { serveNode } from "../evm/node_server.ts";
import { fundsChain } from "../reports/funds_chain.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { orderlens, refused, succeeds } from "./memory_io.ts";

const recording = await replay("market_1");
const [EXPIRED, FILLED] = recording.recorded.orderUids as [string, string];
const HERE = ["--recording", "market_1"];
/** An order of `simulated_1` that was left out three times for lack of balance. */
const UNFUNDED =
  "0x4ee5911b62ff26926f735cc5feb0693e5dbd4546476a7330ecd3e573e9ffab11a0ee7a142d267c1f36714e4a8f75612f20a797206b00dfc8";

Deno.test("orderlens inspect prints a page for each kind of subject", async () => {
  const url = `https://explorer.cow.fi/orders/${FILLED}`;
  const { txHashes: [tx], auctionIds: [auction] } = recording.recorded;
  const nouns = [EXPIRED, url, tx!, `${auction}`];
  const { code, out, err } = await orderlens(["inspect", ...nouns, ...HERE]);
  assertEquals([code, err], [0, `Read as order ${FILLED} on mainnet\n`]);
  assertStringIncludes(out, "Expired: nobody bid on it");
  assertStringIncludes(out, "Filled in block");
  assertEquals(out.split(`\n${"─".repeat(40)}\n`).length, nouns.length);
});

Deno.test("orderlens inspect prints times in JSON with the digits of the response", async () => {
  const uid =
    "0xb1fda0e8af91a7232d1b4ca61ca18e8acf8589e24c8be4998962344757be9c6127e3adda06fa9a47c83ab55a1f4f6635fd0875b36b01b283";
  const { out } = await orderlens(["inspect", uid, ...HERE, "--json"]);
  assertStringIncludes(out, "2026-11-21T14:59:27.120630Z");
  assertEquals(out.includes("27.12063Z"), false);
});

/** A UID as PostgreSQL, logs, builds of the explorer and this project's own pages print it. */
const SPELLINGS = (uid: string) => [
  uid.slice(2),
  `\\x${uid.slice(2)}`,
  uid.toUpperCase(),
  `https://dev.explorer.cow.fi/orders/${uid}`,
  `https://barn.explorer.cow.fi/gc/orders/${uid}?tab=overview`,
  `https://staging.explorer.cow.fi/arb1/orders/${uid}`,
  `${uid.slice(0, 10)}…${uid.slice(-6)}`,
  `${uid.slice(0, 10)}...${uid.slice(-6)}`,
];

Deno.test("orderlens inspect and watch take a UID in every spelling", async () => {
  const expected = await succeeds(["inspect", FILLED, ...HERE]);
  for (const word of SPELLINGS(FILLED)) {
    const { out, err } = await orderlens(["inspect", word, ...HERE]);
    assertEquals([out, err.startsWith(`Read as order ${FILLED}`)], [expected.out, true], word);
  }
  // A shell splits what is wrapped into lines.
  const lines = FILLED.match(/.{1,40}/g)!;
  const split = await orderlens(["inspect", ...lines, ...HERE]);
  assertEquals([split.out, split.err], [expected.out, `Read as order ${FILLED}\n`]);
  const page = await orderlens(["inspect", `explorer.cow.fi/gc/orders/${FILLED}.`, ...HERE]);
  assertEquals(page.err, `Read as order ${FILLED} on xdai\n`);
  const quiet = await orderlens(["inspect", FILLED.slice(2), ...HERE, "--quiet"]);
  assertEquals(quiet.err, "");
  const events = await succeeds(["watch", FILLED, ...HERE, "--until-done"]);
  for (const word of SPELLINGS(FILLED)) {
    const watched = await succeeds(["watch", word, ...HERE, "--until-done"]);
    assertEquals(watched.out.split("\n").length, events.out.split("\n").length, word);
  }
  const { txHashes: [hash], accounts: [account] } = recording.recorded;
  for (const key of [hash!, account!]) {
    const { out } = await succeeds(["inspect", key, ...HERE]);
    const short = `${key.slice(0, 10)}…${key.slice(-6)}`;
    for (const word of [key.slice(2), `\\x${key.slice(2)}`, short]) {
      assertEquals((await succeeds(["inspect", word, ...HERE])).out, out, word);
    }
  }
});

Deno.test("orderlens inspect resolves a shortened UID of a sandbox, and says what to pass without one", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 50, clock: "virtual" });
  const { auction } = await connect(sandbox).competition("latest");
  const [uid] = auction.orders as [string];
  const short = `${uid.slice(0, 10)}…${uid.slice(-6)}`;
  assertStringIncludes((await succeeds(["inspect", short, "--sandbox", "7"])).out, uid);
  await refused(
    ["inspect", short, ...HERE],
    5,
    `Cannot find ${short}: nothing here matches these digits`,
  );
  await refused(["inspect", short], 2, "it is shortened", "--recording");
  const live = ["--url", "http://127.0.0.1:1", "--chain-id", "1"];
  await refused(["inspect", short, ...live], 2, "a deployment cannot be searched by digits");
  await refused(
    ["watch", recording.recorded.txHashes[0]!, ...HERE],
    2,
    "it is not the UID of an order",
  );
  const vague = `${FILLED.slice(0, 6)}…${FILLED.slice(-4)}`;
  assertEquals((await orderlens(["inspect", vague, ...HERE])).code, 0);
});

Deno.test("orderlens inspect ends its page with the command that repeats it", async () => {
  const again = async (...words: string[]) => {
    const { out } = await orderlens(["inspect", ...words]);
    return out.slice(out.indexOf("Again:\n") + 7).trim();
  };
  const file =
    new URL("../../data/recorded/app_data__app_data.ndjson.gz", import.meta.url).pathname;
  const here = await again("15", "--recording", file);
  assertEquals(here, `orderlens inspect 15 --recording ${file}`);
  assertEquals(
    await again(EXPIRED, ...HERE, "--deep", "5"),
    `orderlens inspect ${EXPIRED} --recording market_1 --deep 5`,
  );
  assertEquals(await again("1", "--sandbox", "7"), "orderlens inspect 1 --sandbox 7");
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

Deno.test("orderlens inspect --exit-status exits with the status of the order", async () => {
  const status = async (uid: string) =>
    (await orderlens(["inspect", uid, ...HERE, "--exit-status"])).code;
  assertEquals([await status(FILLED), await status(EXPIRED)], [0, 12]);
  assertEquals(await status(`0x${"01".repeat(56)}`), 5);
  const groups = {
    0: ["filled_late", "jit_capturing"],
    5: ["unknown_here"],
    10: [
      ...["open_outbid", "partly_filled_open_outbid", "presignature_missing"],
      ...["expired_executing", "cancelled_executing", "partly_filled_expired_executed_not_indexed"],
    ],
    11: ["cancelled", "replaced", "refunded"],
    12: ["expired_filtered", "expired_presignature_missing", "placement_failed"],
    13: ["partly_filled_cancelled", "partly_filled_expired_outbid"],
  };
  for (const [code, verdicts] of Object.entries(groups)) {
    assertEquals(verdicts.map((each) => toExitStatus(each)), verdicts.map(() => Number(code)));
  }
  // What may still be filled is not over, whatever its verdict is; what is filled is.
  const outlook = { mayStillSettle: true };
  const codes = ["expired_outbid", "partly_filled_cancelled", "filled"].map((verdict) =>
    toExitStatus(verdict, outlook)
  );
  assertEquals(codes, [10, 10, 0]);
});

Deno.test("orderlens inspect exits with 5 for subjects that the deployment does not have", async () => {
  const code = async (word: string) => (await orderlens(["inspect", word, ...HERE])).code;
  assertEquals(await code(`0x${"01".repeat(56)}`), 5);
  assertEquals(await code(`0x${"01".repeat(32)}`), 5);
  assertEquals(await code("99999999"), 5);
  assertEquals(await code(`0x${"01".repeat(20)}`), 0, "an account without orders");
});

Deno.test("orderlens inspect --html writes a file, and --deep takes a number or none", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/order.html`;
    const words = ["inspect", "--deep", FILLED, ...HERE, "--html", file];
    const { code, out, err } = await orderlens(words);
    assertEquals([code, out], [0, ""]);
    assertStringIncludes(err, `Wrote ${file}`);
    const page = await Deno.readTextFile(file);
    assertStringIncludes(page, FILLED);
    assertStringIncludes(page, '<div class="terms">');
    const nowhere = `${folder}/no/order.html`;
    const wrong = ["inspect", FILLED, ...HERE, "--html", nowhere];
    await refused(wrong, 2, `${nowhere} cannot be written`);
  });
  await succeeds(["inspect", "--deep", "5", FILLED, ...HERE]);
});

Deno.test("orderlens inspect --watch prints a line for every change", async () => {
  const { out } = await succeeds(["inspect", FILLED, ...HERE, "--watch", "--exit-status"]);
  assert(/^\S+Z {2}fulfilled .*100\.0% executed\n$/.test(out), out);
  // Half of it less an atom: as its page says.
  const words = ["inspect", "0x1a8ea493…00e1e5", "--recording", "simulated_1"];
  const partly = await succeeds([...words, "--watch"]);
  assertStringIncludes(partly.out, "  cancelled  traded  50.0% executed\n");
});

Deno.test("orderlens inspect --rpc-url names missing funds at the first event and the last one", async () => {
  const node = fundsChain(() => ({ balance: 5n, allowance: 2n ** 256n - 1n }), {
    latest: 2_000_000,
    chainId: 11_155_111,
  });
  await using server = serveNode((calls) => node.rpc(calls));
  const words = ["inspect", UNFUNDED, "--recording", "simulated_1", "--rpc-url", server.url];
  const { out } = await succeeds(words);
  assertStringIncludes(
    out.replaceAll(/\s+/g, " "),
    "in block 1657616 (2026-11-21 00:03:12 UTC) its owner had too little",
  );
  for (const block of [1_657_612, 1_657_616]) {
    assertStringIncludes(out, `Balance in block ${block}`);
  }
});
