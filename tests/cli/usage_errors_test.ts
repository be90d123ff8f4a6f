import { assertEquals } from "@std/assert";
import { orderlens } from "./memory_io.ts";

const UID = `0x${"ab".repeat(56)}`;

/**
 * What is wrong with a command line, whose words single spaces divide: two have an empty one between.
 * "UID" stands for one.
 */
const WRONG = {
  "exprt": "orderlens exprt: did you mean export?",
  "frobnicate": "orderlens frobnicate: there is no such command",
  "notebook nwe": "orderlens notebook nwe: did you mean new?",
  "export": "export without its <folder>",
  "describe a b": "describe with b: too many arguments",
  "export x --lst 3": "export with --lst: did you mean --last?",
  "export x --frobnicate": "export with --frobnicate: there is no such option",
  "export x --last": "export with --last and no value",
  "export x --last 3": "export without a deployment",
  "export x --recording edges": "export without a selection",
  "export x --sandbox 1 --network xdai --last 3": "export with --network and --sandbox",
  "export x --network gnosi --last 3":
    'Cannot find a network named "gnosi": did you mean "xdai" (Gnosis Chain, chain id 100)?',
  "export x --network xdai --env stagin --last 3":
    "export with --env stagin: did you mean staging?",
  "export x --env staging --last 3": "export with --env alone: it has no effect without --network",
  "export x --url http://a --last 3":
    "export with --url but without --chain-id: a URL does not identify its chain",
  "export x --url a.example --chain-id 1 --last 3":
    "export with --url: it is not an http or https URL",
  "export x --recording markt_1 --last 3":
    "export with --recording markt_1: did you mean market_1?",
  "export x --recording edges --last 0": 'export with --last "0"',
  "export x --recording edges --auctions 9..3": 'export with --auctions "9..3"',
  "export x --recording edges --last 3 --owner 0x12": "export with --last and --owner",
  "export x --recording edges --owner 0x12": "export with --owner 0x12: it is not an address",
  "export x --recording edges --from 2026-11-31 --to 2026-12-01": 'export with --from "2026-11-31"',
  "export x --recording edges --to 2026-12-01": "export with --to but without --from",
  "export x --recording edges --last 3 --tables ordrs":
    "export with --tables ordrs: did you mean orders?",
  "export x --recording edges --last 3 --format parqet":
    "export with --format parqet: did you mean parquet?",
  "export x --recording edges --last 3 --quiet --verbose": "export with --quiet and --verbose",
  "export x --recording edges --uids -": "export with --uids -: it contains no UID",
  "verify x --network xdai": "verify with a deployment but without --refetch",
  "verify x --refetch 3": "verify without a deployment",
  "verify x --check-chain": "verify with --check-chain but without a node",
  "verify x --sample 3": "verify with --sample but without --check-chain",
  "verify x --seed 3": "verify with --seed but without --refetch or --sample",
  "verify x --rpc-url http://127.0.0.1:1": "verify with --rpc-url but without --check-chain",
  "inspect So11111111111111111111111111111111111111112":
    'inspect for "So11111111111111111111111111111111111111112": it is an address of Solana',
  "notebook new x.ipynb": "notebook new without a dataset",
  "notebook new x --from y": "notebook new with x: it is not the name of a notebook",
  "completions fis": "completions fis: did you mean fish?",
  "sandbox --port x": 'sandbox with --port "x"',
  "export x --recording edges --auctions 3..": "export with --auctions and no end",
  "export x --recording edges --auctions 3..9 --follow":
    "export with --follow and a selection that has an end",
  "rebuild x --into=": "rebuild with --into and no value",
  "convert x y": "convert without a format",
  "merge x y": "merge without a folder for the result",
  "help exprt": "orderlens exprt: did you mean export?",
  "describe x --json=3": "describe with --json=3: it takes no value",
  "export x --recording edges --last=": "export with --last and no value",
  "export x --recording edges --last 3 --tables ,": 'export with --tables ","',
  "export  --recording edges": "export with an empty argument",
  "export x --recording edges --last 3 --tables auctions,trades --no-trades":
    "export with --tables trades and --no-trades, which leaves it empty",
  "verify ": "verify with an empty argument",
  "export x --recording edges --last 5 --rpc-url http://a --discover-by settlements":
    "export with --discover-by settlements and neither blocks nor dates",
  "export x --recording edges --blocks 1..2 --rpc-url http://a --discover-by logs":
    "export with --discover-by logs: there is no such value",
  "export x --recording edges --from 2026-11-01 --follow --rpc-url http://a --discover-by settlements":
    "export with --discover-by settlements and --follow",
  "inspect": "inspect without its <subjects...>",
  "inspect 0x12 --recording market_1":
    'inspect for "0x12": it has 2 hex digits, not the 112 of a UID, 64 of a transaction or 40 of an account',
  "inspect 2624":
    "inspect for auction 2624 without a deployment: auction IDs differ between deployments",
  "inspect 2624 --recording market_1 --watch": "inspect with --watch: only orders change",
  "inspect UID UID --recording edges --html x.html": "inspect with --html and several subjects",
  "watch": "watch without an order or an account",
  "watch UID": "watch without a deployment",
  "watch UID --owner 0x12": "watch with --owner and UIDs",
  "watch UID --recording edges --webhook http://127.0.0.1:9":
    "watch with --webhook but without a secret: the receiver could not trust any message",
  "watch UID --recording edges --webhook nowhere":
    "watch with --webhook: it is not an http or https URL",
  "triage - --recording edges --table --json": "triage with --table and --json",
  "serve here --sandbox 7": "serve with a folder and a deployment",
  "serve no-such-folder": 'Cannot find the recording "no-such-folder"',
  "mcp mainnet": "mcp with a folder mainnet",
  "mcp here --sandbox 7": "mcp with a folder and a deployment",
  "mcp --sandbox 7 --last 3": "mcp with --last: it applies to live deployments only",
  "sql market_1": "sql without a query",
  "sql market_1 x --with own.csv": "sql with --with own.csv",
  "sql market_1 x --output rows": "Cannot write a result to rows",
};

for (const [line, message] of Object.entries(WRONG)) {
  Deno.test(`orderlens ${line} says what is wrong`, async () => {
    const words = line.replaceAll("UID", UID).split(" ");
    const { code, out, err } = await orderlens(words, { input: UID.slice(0, 60) });
    const [first, ...others] = err.split("\n");
    const said = message.startsWith("Cannot ") ? message : `Cannot run ${message}`;
    assertEquals([code, out, first], [2, "", `Error: ${said}`]);
    assertEquals(others.some((line) => /^Fix: [A-Z]/.test(line)), true, err);
    assertEquals(others.some((line) => /^Help: orderlens.* --help$/.test(line)), true, err);
    assertEquals(/^ +at /m.test(err), line.includes("--verbose"));
  });
}
