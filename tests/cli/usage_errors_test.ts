import { assertEquals } from "@std/assert";
import { orderlens } from "./memory_io.ts";

const UID = `0x${"ab".repeat(56)}`;

for (
  const [words, message] of [
    ["exprt", "Cannot run orderlens exprt: did you mean export?"],
    ["frobnicate", "Cannot run orderlens frobnicate: there is no such command"],
    ["notebook nwe", "Cannot run orderlens notebook nwe: did you mean new?"],
    ["export", "Cannot run export without its <folder>"],
    ["describe a b", "Cannot run describe with b: it takes fewer words"],
    ["export x --lst 3", "Cannot run export with --lst: did you mean --last?"],
    ["export x --frobnicate", "Cannot run export with --frobnicate: there is no such option"],
    ["export x --last", "Cannot run export with --last and no value"],
    ["export x --last 3", "Cannot run export without a deployment"],
    ["export x --recording edges", "Cannot run export without a selection"],
    [
      "export x --sandbox 1 --network xdai --last 3",
      "Cannot run export with --network and --sandbox",
    ],
    [
      "export x --network gnosi --last 3",
      'Cannot find a network named "gnosi": did you mean "xdai" (Gnosis Chain, chain id 100)?',
    ],
    [
      "export x --network xdai --env stagin --last 3",
      "Cannot run export with --env stagin: did you mean staging?",
    ],
    [
      "export x --env staging --last 3",
      "Cannot run export with --env alone: it says nothing without --network",
    ],
    [
      "export x --url http://a --last 3",
      "Cannot run export with --url and without --chain-id: a URL does not say its chain",
    ],
    [
      "export x --url a.example --chain-id 1 --last 3",
      "Cannot run export with --url: it is not an http or https URL",
    ],
    [
      "export x --recording markt_1 --last 3",
      "Cannot run export with --recording markt_1: did you mean market_1?",
    ],
    ["export x --recording edges --last 0", 'Cannot run export with --last "0"'],
    ["export x --recording edges --last -3", 'Cannot run export with --last "-3"'],
    ["export x --recording edges --auctions 9..3", 'Cannot run export with --auctions "9..3"'],
    [
      "export x --recording edges --last 3 --owner 0x12",
      "Cannot run export with --last and --owner",
    ],
    [
      "export x --recording edges --owner 0x12",
      "Cannot run export with --owner 0x12: it is not an address",
    ],
    [
      "export x --recording edges --from 2026-11-31 --to 2026-12-01",
      'Cannot run export with --from "2026-11-31"',
    ],
    [
      "export x --recording edges --to 2026-12-01",
      "Cannot run export with --to and without --from",
    ],
    [
      "export x --recording edges --last 3 --tables ordrs",
      "Cannot run export with --tables ordrs: did you mean orders?",
    ],
    [
      "export x --recording edges --last 3 --format parqet",
      "Cannot run export with --format parqet: did you mean parquet?",
    ],
    [
      "export x --recording edges --last 3 --quiet --verbose",
      "Cannot run export with --quiet and --verbose",
    ],
    [
      "export x --recording edges --uids -",
      "Cannot run export with --uids -: there is no UID in it",
    ],
    ["verify x --network xdai", "Cannot run verify with a deployment and without --refetch"],
    ["verify x --refetch 3", "Cannot run verify without a deployment"],
    ["verify x --check-chain", "Cannot run verify with --check-chain and without a node"],
    ["verify x --sample 3", "Cannot run verify with --sample and without --check-chain"],
    [
      "verify x --rpc-url http://127.0.0.1:1",
      "Cannot run verify with --rpc-url and without --check-chain",
    ],
    [
      "inspect So11111111111111111111111111111111111111112",
      'Cannot run inspect for "So11111111111111111111111111111111111111112": it is an address of Solana',
    ],
    ["notebook new x.ipynb", "Cannot run notebook new without a dataset"],
    ["notebook new x --from y", "Cannot run notebook new with x: it is not the name of a notebook"],
    ["completions fis", "Cannot run completions fis: did you mean fish?"],
    ["sandbox --port x", 'Cannot run sandbox with --port "x"'],
    ["export x --recording edges --auctions 3..", "Cannot run export with --auctions and no end"],
    [
      "export x --recording edges --auctions 3..9 --follow",
      "Cannot run export with --follow and a selection that has an end",
    ],
    ["rebuild x --into=", "Cannot run rebuild with --into and no value"],
    ["convert x y", "Cannot run convert without a format"],
    ["merge x y", "Cannot run merge without a place for the result"],
    ["help exprt", "Cannot run orderlens exprt: did you mean export?"],
    ["describe x --json=3", "Cannot run describe with --json=3: it takes no value"],
    ["export x --recording edges --last=", "Cannot run export with --last and no value"],
    [
      "export x --recording edges --last 3 --tables ,",
      'Cannot run export with --tables ","',
    ],
    [["export", "", "--recording", "edges"], "Cannot run export with an empty word"],
    [
      "export x --recording edges --last 3 --tables auctions,trades --no-trades",
      "Cannot run export with --tables trades and --no-trades, which leaves it empty",
    ],
    [["verify", ""], "Cannot run verify with an empty word"],
  ] as const
) {
  Deno.test(`orderlens ${[words].flat().join(" ")} says what is wrong`, async () => {
    const { code, out, err } = await orderlens(words, { input: UID.slice(0, 60) });
    const [first, ...others] = err.split("\n");
    assertEquals([code, out, first], [2, "", `Error: ${message}`]);
    assertEquals(others.some((line) => /^Fix: [A-Z]/.test(line)), true, err);
    assertEquals(others.some((line) => /^Help: orderlens.* --help$/.test(line)), true, err);
    assertEquals(/^ +at /m.test(err), [words].flat().join(" ").includes("--verbose"));
  });
}
