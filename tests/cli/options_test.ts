import { assertEquals, assertMatch } from "@std/assert";
import { COMMANDS } from "../../lib/cli/mod.ts";
import {
  ACCOUNT,
  AUCTION,
  FILLED,
  FOLDER,
  HERE,
  NODE,
  nodeRows,
  omitRow,
  OPEN,
  OWN,
  targetRows,
  testOptions,
  trace,
  TX,
  WITHOUT_CONTRACT,
} from "./option_rows.ts";
import { refused } from "./memory_io.ts";

const TRIAGE = `triage ${FOLDER}/uids`;
const WATCH = `watch ${FILLED} ${HERE}`;
/** An account without orders. */
const NOBODY = `0x${"12".repeat(20)}`;
const HOOK = `--webhook http://hooks.test/orders --webhook-secret-file ${FOLDER}/key`;

testOptions({
  inspect: {
    ...targetRows(`inspect ${FILLED}`),
    ...nodeRows(...[FILLED, AUCTION, TX, ACCOUNT].map((word) => `inspect ${word} ${HERE}`)),
    "--sandbox": [`inspect ${FILLED} ${HERE} => inspect ${FILLED} --sandbox 8`],
    "--html": [`inspect ${FILLED} ${HERE} => --html ${FOLDER}/page.html`],
    "--deep": [`inspect ${FILLED} ${HERE.replace(":9", ":7")} => --deep`],
    "--budget": [`inspect ${OPEN} ${HERE.replace(":9", ":7")} => --budget 0`],
    "--watch": [`inspect ${FILLED} ${HERE} => --watch`],
    "--exit-status": [`inspect ${OPEN} ${HERE} => --exit-status`],
  },
  triage: {
    ...omitRow(targetRows(TRIAGE, "", WITHOUT_CONTRACT), "--settlement"),
    // Rows name no chain; a URL needs one all the same.
    "--chain-id": [`${TRIAGE} ${WITHOUT_CONTRACT} => ${TRIAGE} --url http://127.0.0.1:9`],
    "--resume": [`${TRIAGE} ${WITHOUT_CONTRACT} => --resume ${FOLDER}/rows.csv`],
    "--table": [`${TRIAGE} ${WITHOUT_CONTRACT} => --table`],
    "--settlements": [`${TRIAGE} ${WITHOUT_CONTRACT} => --settlements`],
  },
  doctor: { ...targetRows("doctor", NODE), ...nodeRows(`doctor ${HERE}`) },
  watch: {
    ...targetRows(`watch ${OPEN}`, `--state ${OWN}/state.json`),
    ...nodeRows(`watch ${OPEN} ${HERE.replace(":9", ":7")}`),
    "--owner": [`${WATCH} => watch --owner ${ACCOUNT} ${HERE}`],
    "--state": [`${WATCH} => --state ${OWN}/state.json`],
    "--interval": [`watch ${OPEN} ${HERE} => --interval 30`],
    "--until-done": [`watch --owner ${NOBODY} ${HERE} => --until-done`],
    "--webhook": [`${WATCH} => ${HOOK}`],
    "--webhook-secret-file": [`${WATCH} --webhook http://hooks.test/orders => ${WATCH} ${HOOK}`],
  },
}, {
  leftOut: {
    "inspect --open": "starts a program: the last test here",
    "watch --no-bids": "takes a report of several auctions without a bid: tests of watchOrders()",
  },
});

/** Commands whose options other files of tests show. */
const OTHER_COMMANDS = [
  ...["export", "verify", "check", "rebuild", "convert", "merge", "describe", "report week"],
  ...["publish huggingface", "publish zenodo", "publish site"],
  ...["sql", "serve", "mcp", "sandbox", "lab", "notebook new", "notebook run", "completions"],
];

Deno.test("every option of every command has an effect", () => {
  assertEquals(
    COMMANDS.map(({ name }) => name).toSorted(),
    ["inspect", "triage", "doctor", "watch", ...OTHER_COMMANDS].toSorted(),
  );
});

Deno.test("orderlens rejects options without an effect, with the reason", async () => {
  const words = `triage ${FOLDER}/uids --settlement ${NOBODY} --network mainnet`;
  await refused(words, 2, "--settlement: no row depends on the contract\nFix: Leave it out");
  for (const word of [TX, ACCOUNT, AUCTION]) {
    for (
      const [option, why] of [
        ["--deep", "only an order has auctions to search"],
        ["--budget 5s", "only an order has auctions to search"],
        ["--exit-status", "the exit code reports the status of orders only"],
        ["--watch", "only orders change"],
      ] as const
    ) {
      const [name] = option.split(" ");
      await refused(`inspect ${word} ${HERE} ${option}`, 2, `with ${name}: ${why}\nFix: `);
    }
  }
});

Deno.test("orderlens doctor --settlement checks the contract on the chain of the node", async () => {
  const said = async (words: string) => (await trace(`doctor ${words}`)).said;
  assertMatch(await said(`${HERE} ${NODE}`), /ok Contract 0x\w{40} settles on chain 11155111,/);
  const elsewhere = HERE.replace(/--settlement \w+/, `--settlement ${NOBODY}`);
  assertMatch(
    await said(`${elsewhere} ${NODE}`),
    /failed Contract 0x\w{40} is not a settlement contract on the node's chain Fix: Pass the contract/,
  );
  assertMatch(
    await said(`${HERE.replace(/--chain-id \d+/, "--chain-id 1")} ${NODE}`),
    /failed Contract 0x\w{40} is a settlement contract, but not that of chain 1 Fix: /,
  );
  assertMatch(await said(HERE), /missing Contract 0x\w{40} is not checked without a node Fix: Set/);
});

Deno.test({
  name: "orderlens inspect --open opens its page with the system's program",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const path = Deno.env.get("PATH") ?? "";
    const own = '#!/bin/sh\nexec cp "$1" "$0.page"\n';
    await Deno.writeTextFile(`${FOLDER}/xdg-open`, own, { mode: 0o755 });
    Deno.env.set("PATH", `${FOLDER}:${path}`);
    // Its page stays.
    const temporary = Deno.env.get("TMPDIR");
    Deno.env.set("TMPDIR", FOLDER);
    try {
      const { code, said } = await trace(`inspect ${FILLED} ${HERE} --open`);
      assertEquals(code, 0, said);
    } finally {
      Deno.env.set("PATH", path);
      if (temporary === undefined) Deno.env.delete("TMPDIR");
      else Deno.env.set("TMPDIR", temporary);
    }
    assertMatch(await Deno.readTextFile(`${FOLDER}/xdg-open.page`), /^<!doctype html>/i);
  },
});
