import { assertEquals, assertNotEquals } from "@std/assert";
import { declared } from "../../lib/cli/arguments/command_line.ts";
import { COMMANDS } from "../../lib/cli/mod.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { orderlens } from "./memory_io.ts";

/** A deployment with its node, which answers whatever host the command line asks. */
const sandbox = await openSandbox({ seed: 7, auctions: 12, clock: "virtual" });
const { chainId, settlementContract, accounts } = sandbox.description;
const folder = await Deno.makeTempDir();
await Deno.writeTextFile(`${folder}/key`, "a-key-of-a-partner-0123456789");
await Deno.writeTextFile(`${folder}/node`, "http://127.0.0.1:6/rpc");

/** The newest auction that was settled. */
async function findSettled() {
  const route = "/api/v2/solver_competition";
  const { auctionId: latest } = await (await sandbox.fetch(`${route}/latest`)).json();
  for (let id = latest; id > 0; id--) {
    const response = await sandbox.fetch(`${route}/${id}`);
    const { auctionId, transactionHashes = [], solutions } = await response.json();
    const [txHash] = transactionHashes;
    const settled = solutions?.find((each: { txHash?: string | null }) => each.txHash === txHash);
    if (txHash !== undefined && settled !== undefined) {
      return { AUCTION: auctionId, TX: txHash, FILLED: settled.orders[0].id };
    }
  }
  throw new Error("No auction of the sandbox was settled");
}

const { AUCTION, TX, FILLED } = await findSettled();
await Deno.writeTextFile(`${folder}/uids`, FILLED);
const HERE = `--url http://127.0.0.1:9 --chain-id ${chainId} --settlement ${settlementContract}`;

const OTHER_CONTRACT = `0x${"12".repeat(20)}`;

/** Times of the run, which differ from run to run. */
const TIMES = /\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z| UTC)|\(?\d+ \w+ ago\)?|\d+(?:\.\d+)? ?m?s\b/g;

/** What a command line asked for and said. */
async function trace(words: string) {
  const requests: string[] = [];
  const real = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = await request.clone().text();
    const key = request.headers.get("x-api-key") ?? "";
    requests.push(`${request.method} ${url.host}${url.pathname}${url.search} ${key} ${body}`);
    const path = url.pathname.replace(/^.*?(?=\/(?:api|restricted|rpc|accounts)\b)/, "");
    // This one keeps debug reports for partners.
    if (url.port === "7" && path.startsWith("/restricted/")) {
      return new Response("", { status: 403 });
    }
    return await sandbox.fetch(`${path}${url.search}`, {
      method: request.method,
      headers: request.headers,
      ...body !== "" && { body },
    });
  };
  try {
    const { code, out, err } = await orderlens(words);
    const said = `${out}\n${err}`.replaceAll(TIMES, "").replaceAll(/\s+/g, " ");
    return { code, said, requests: requests.toSorted() };
  } finally {
    globalThis.fetch = real;
  }
}

/** A command line, and the same with an option: or another one, after `=>`. */
type Rows = Readonly<Record<string, readonly string[]>>;

function targetRows(command: string): Rows {
  return {
    "--network": [`${command} ${HERE} => ${command} --network mainnet`],
    "--env": [`${command} --network mainnet => --env staging`],
    "--url": [`${command} ${HERE} => ${command} ${HERE.replace(":9", ":8")}`],
    "--chain-id": [`${command} ${HERE} => ${command} ${HERE.replace(/--chain-id \d+/, "")}`],
    "--settlement": [
      `${command} ${HERE} => ${command} ${HERE.replace(settlementContract, OTHER_CONTRACT)}`,
    ],
    "--recording": [`${command} ${HERE} => ${command} --recording market_1`],
    "--sandbox": [`${command} ${HERE} => ${command} --sandbox 8`],
    "--api-key-file": [`${command} ${HERE} => --api-key-file ${folder}/key`],
  };
}

function omitRow(rows: Rows, option: string): Rows {
  return Object.fromEntries(Object.entries(rows).filter(([name]) => name !== option));
}

function nodeRows(...commands: readonly string[]): Rows {
  return {
    "--rpc-url": commands.map((command) => `${command} => --rpc-url http://127.0.0.1:6/rpc`),
    "--rpc-url-file": commands.map((command) => `${command} => --rpc-url-file ${folder}/node`),
  };
}

/** How options are shown to do something, by command. */
const SHOWN: Readonly<Record<string, Rows>> = {
  inspect: {
    ...targetRows(`inspect ${FILLED}`),
    ...nodeRows(...[FILLED, AUCTION, TX, accounts[0]].map((word) => `inspect ${word} ${HERE}`)),
    "--html": [`inspect ${FILLED} ${HERE} => --html ${folder}/page.html`],
    "--deep": [`inspect ${FILLED} ${HERE.replace(":9", ":7")} => --deep`],
    "--watch": [`inspect ${FILLED} ${HERE} => --watch`],
    "--exit-status": [
      `inspect 0x4e042b63cc16e729ac5cf8f4d8dc8bcdcc278d6ac538b4ebca2e3809cc21d9f8ba78423395063915fbf92bab6d4c769676f0f55e6b01b27f --recording market_1 => --exit-status`,
    ],
  },
  triage: {
    ...omitRow(targetRows(`triage ${folder}/uids`), "--settlement"),
    "--resume": [`triage ${folder}/uids ${HERE} => --resume ${folder}/rows.csv`],
    "--table": [`triage ${folder}/uids ${HERE} => --table`],
    "--settlements": [`triage ${folder}/uids ${HERE} => --settlements`],
  },
  doctor: { ...omitRow(targetRows("doctor"), "--settlement"), ...nodeRows("doctor") },
};

/** What the table leaves out, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "doctor --settlement": "does nothing: no check asks for the contract",
  "inspect --open": "starts a browser",
  "triage --settlement": "does nothing: rows do not say whether UIDs are of the contract",
};

/** Commands whose options other tests show one by one, or that start other programs. */
const OTHER_COMMANDS = [
  ...["export", "verify", "rebuild", "convert", "publish", "merge", "describe", "report week"],
  ...["sql", "watch", "serve", "mcp", "sandbox", "lab", "notebook new", "notebook run"],
  "completions",
];

Deno.test("the table of options has every option of its commands", () => {
  assertEquals(
    COMMANDS.map(({ name }) => name).toSorted(),
    [...Object.keys(SHOWN), ...OTHER_COMMANDS].toSorted(),
  );
  for (const { name, options = {} } of COMMANDS.filter(({ name }) => name in SHOWN)) {
    const listed = Object.keys(options).map((each) => declared(each).name);
    const shown = Object.keys(SHOWN[name]!);
    const leftOut = listed.filter((option) => `${name} ${option}` in LEFT_OUT);
    assertEquals([...shown, ...leftOut].toSorted(), listed.toSorted(), name);
  }
});

Deno.test("each option in the table changes a request, the output or the exit code", async () => {
  for (const [command, rows] of Object.entries(SHOWN)) {
    for (const [option, lines] of Object.entries(rows)) {
      for (const line of lines) {
        const [base = "", more = ""] = line.split(" => ");
        const other = more.startsWith(`${command} `) || more === command ? more : `${base} ${more}`;
        const plain = await trace(base);
        assertNotEquals(await trace(other), plain, `${command} ${option}: ${line}`);
      }
    }
  }
});
