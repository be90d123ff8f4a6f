import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError, NETWORKS } from "orderlens";
import { decodeCompetition } from "orderlens/schemas";
import * as tables from "orderlens/tables";
import { cells } from "../made_up.ts";
import production from "../../testdata/networks/competition_arbitrum_one_4672122.json" with {
  type: "json",
};
import staging from "../../testdata/networks/competition_mainnet_staging_15567158.json" with {
  type: "json",
};
import { usdc } from "viem/tokens";
import { isNetworkName } from "orderlens/networks";
import lists from "../../../data/token_lists.json" with { type: "json" };
import deployment from "../../../data/recorded/market_1.deployment.json" with { type: "json" };

const arbitrum = decodeCompetition(production);
const mainnet = decodeCompetition(staging);
const WINNER = "0x9cf49541f8b94da501cd16b60fa176d856fb1e75";
Deno.test("buildTable() names the solvers of a public network", () => {
  assertEquals(
    cells(tables.buildTable(tables.SOLUTIONS, { competitions: [arbitrum] }), "solver_name").flat(),
    [
      ...["Sector_Finance", "Portus", "Gnosis_0x", "Wraxyn", "ExtQuasimodo", "Tsolver"],
      ...["Baseline", "Arctic"],
    ],
  );
  assertEquals(
    cells(
      tables.buildTable(tables.REFERENCE_SCORES, { competitions: [arbitrum, mainnet] }),
      "solver",
      "solver_name",
    ),
    [
      [WINNER, "Sector_Finance"],
      ["0x01246d541e732d7f15d164331711edff217e4665", "Baseline (staging)"],
    ],
  );
});

Deno.test("buildTable() looks up names on the given network", () => {
  const named = (network: string) =>
    cells(tables.buildTable(tables.SOLUTIONS, { competitions: [arbitrum], network }), "solver_name")
      .flat()
      .filter((name) => name !== null);
  assertEquals(named("arbitrum_one").length, 8);
  assertEquals(named("mainnet"), ["Portus"]);
  assertEquals(named("local"), []);
});

Deno.test("buildTable() takes solvers as a Map, pairs, records or an object, in any letter case", () => {
  const address = WINNER.toUpperCase().replace("0X", "0x");
  const given: tables.SolverNames[] = [
    new Map([[address, "<b>mine</b>"]]),
    [[address, "<b>mine</b>"]],
    new Set([{ address, name: "<b>mine</b>" }]),
    { [address]: "<b>mine</b>" },
    Object.assign(Object.create(null), { [address]: "<b>mine</b>" }),
    (function* () {
      yield { address, name: "<b>mine</b>" };
    })(),
  ];
  for (const solvers of given) {
    const [first, second] = cells(
      tables.buildTable(tables.SOLUTIONS, { competitions: [arbitrum], solvers }),
      "solver_name",
    );
    assertEquals([first, second], [["<b>mine</b>"], ["Portus"]]);
  }
});

Deno.test("buildTable() rejects solvers other than addresses with names", () => {
  for (
    const solvers of [
      { Baseline: WINNER },
      { [WINNER]: "" },
      { [WINNER]: null },
      [[WINNER]],
      [{ address: WINNER }],
      [{}],
      new Map([[7, "x"]]),
      new Set([null]),
    ]
  ) {
    const message = assertThrows(
      () => tables.buildTable(tables.SOLUTIONS, { competitions: [], solvers: solvers as never }),
      InputError,
    ).message;
    assertStringIncludes(message, "Cannot read the name of a solver from ");
    assertStringIncludes(
      message,
      "Fix: Pass each solver as an address, 0x and 40 hex digits, with",
    );
  }
});

Deno.test("data/tokens.json has each token of a network once, well-formed, and those of all known networks", () => {
  const byPlace = new Map(
    tables.TOKEN_FACTS.map((fact) => [`${fact.network} ${fact.address}`, fact]),
  );
  assertEquals(byPlace.size, tables.TOKEN_FACTS.length);
  for (const { network, address, symbol, decimals, source } of tables.TOKEN_FACTS) {
    assert(network === "local" || isNetworkName(network), network);
    assert(/^0x[0-9a-f]{40}$/.test(address), address);
    assert(symbol.length > 0 && source.length > 0, address);
    assert(Number.isInteger(decimals) && decimals >= 0 && decimals <= 18, address);
  }
  const known = [
    ...Object.values(NETWORKS).flatMap(({ name, nativeToken, wrappedNativeToken }) =>
      [nativeToken, wrappedNativeToken].map((token) => ({ name: name as string, ...token }))
    ),
    ...deployment.tokens.map((token) => ({ name: "local", ...token })),
  ];
  for (const { name, address, symbol, decimals } of known) {
    const fact = byPlace.get(`${name} ${address}`);
    assertEquals([fact?.symbol, fact?.decimals], [symbol, decimals], name);
  }
  assertEquals(byPlace.get(`local ${deployment.wrappedNativeToken}`)?.decimals, 18);
});

Deno.test("data/tokens.json has the USDC that its source names", () => {
  const addresses: Readonly<Record<number, string>> = usdc.addresses;
  const own = tables.TOKEN_FACTS.filter(({ source }) => source.startsWith("viem"));
  assertEquals(own.length, 9);
  for (const { network, address, decimals } of own) {
    assert(isNetworkName(network));
    assertEquals(addresses[NETWORKS[network].chainId]?.toLowerCase(), address);
    assertEquals(decimals, usdc.decimals);
  }
});

Deno.test("data/token_lists.json has each token of a network once, well-formed, and not in data/tokens.json", () => {
  const { sources, tokens, dollars } = lists;
  const seen = new Set(tables.TOKEN_FACTS.map(({ network, address }) => `${network} ${address}`));
  for (const [network, entries] of Object.entries(tokens)) {
    assert(isNetworkName(network), network);
    for (const [address, symbol, decimals, source] of entries) {
      assert(/^0x[0-9a-f]{40}$/.test(String(address)), `${address}`);
      assert(!seen.has(`${network} ${address}`), `${network} ${address}`);
      seen.add(`${network} ${address}`);
      assert(/^[^\p{C}\p{Zl}\p{Zp}]{1,32}$/u.test(String(symbol)), `${symbol}`);
      assert(
        Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= 36,
        `${address}`,
      );
      assert(sources[Number(source)]?.includes("(MIT)"), `${address}`);
    }
  }
  for (const [network, addresses] of Object.entries(dollars)) {
    for (const address of addresses) assert(seen.has(`${network} ${address}`), address);
  }
});

Deno.test("TokenAmounts has the tokens of the lists, and distinguishes those that share a symbol", () => {
  const [knc, oldKnc] = [
    "0xdefa4e8a7bcba345f687a2f1456f5edd9ce97202",
    "0xdd974d5c2e2928dea5f71b9825b8b646686bd200",
  ] as const;
  const usdc = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
  const mainnet = new tables.TokenAmounts({ network: "mainnet" });
  assertEquals([mainnet.symbol(knc), mainnet.decimals(knc)], ["KNC (0xdefa…7202)", 18]);
  assertEquals(mainnet.pair(oldKnc, usdc), "KNC (0xdd97…d200) → USDC");
  assertStringIncludes(mainnet.source(knc)!, "npm:@");
  assertEquals(new tables.TokenAmounts({ network: "base" }).symbol(knc), null);

  // A token that a node or a caller names like a listed one, in another letter case.
  const fake = `0x${"66".repeat(20)}`;
  const named = new tables.TokenAmounts({
    network: "mainnet",
    symbols: new Map([[fake, "usdc"], [`0x${"77".repeat(20)}`, "ABC"]]),
  });
  assertEquals(named.symbol(fake), "usdc (0x6666…6666)");
  assertEquals(named.symbol(usdc), "USDC (0xa0b8…eb48)");
  assertEquals(named.symbol(`0x${"77".repeat(20)}`), "ABC");
  // A caller's symbol replaces that of the list.
  const renamed = new tables.TokenAmounts({
    network: "mainnet",
    symbols: new Map([[oldKnc, "KNCL"]]),
  });
  assertEquals([renamed.symbol(knc), renamed.symbol(oldKnc)], ["KNC", "KNCL"]);
});
