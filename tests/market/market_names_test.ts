import { InputError } from "orderlens";
import { type MarketOptions, openMarket } from "orderlens/market";
import { type Replay, replay } from "orderlens/recordings";
import type { Frame } from "orderlens/tables";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import deployment from "../../data/recorded/market_1.deployment.json" with { type: "json" };
import { withFolder } from "../sandbox/temp_folder.ts";

const [T0, T1] = deployment.tokens.map(({ address }) => address) as [string, string];
const { address: SOLVER } = deployment.solvers[0]!;

/** The distinct texts of a column. */
function textsOf(frame: Frame, column: string): unknown[] {
  return [...new Set(frame.getColumn(column).toArray())].sort();
}

Deno.test("openMarket names solvers in tables, views, SQL and reports", async () => {
  const solverNames = new Map([[SOLVER.toUpperCase().replace("0X", "0x"), "Mine"]]);
  for (const source of ["market_1", "dataset://market_1"]) {
    const options: MarketOptions = source === "market_1" ? { last: 60 } : {};
    await using market = await openMarket(source, {
      ...options,
      solverNames: solverNames.entries(),
    });
    for (const frame of [await market.solutions(), await market.leaderboard()]) {
      const names = textsOf(frame, "solver_name");
      assert(names.includes("Mine") && !names.includes("test_solver"), `${source} ${names}`);
      assert(names.includes("solver_b"), `${names}`);
    }
    const query = `SELECT DISTINCT solver_name FROM bids WHERE solver = '${SOLVER}'`;
    assertEquals(await market.sql(query), [{ solver_name: "Mine" }]);
    const report = await market.solver(SOLVER);
    assertEquals(report.solverName, "Mine");
  }
  await assertRejects(
    () => openMarket("market_1", { solverNames: { Mine: SOLVER } }),
    InputError,
    "Cannot read the name of a solver",
  );
});

const LIST = {
  name: "Mine",
  tokens: [
    { chainId: 1, address: T0, symbol: "USDX", decimals: 6, name: "Dollar" },
    { chainId: 1, address: T1, symbol: "usdx", decimals: 18, name: "Another" },
    { chainId: 100, address: T0, symbol: "ELSEWHERE", decimals: 2, name: "of another chain" },
  ],
};

Deno.test("openMarket takes tokens by address, as a token list, and by its path", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/list.json`, JSON.stringify(LIST));
    const byAddress = {
      [T0]: { symbol: "USDX", decimals: 6 },
      [T1]: { symbol: "usdx" },
    };
    const sources = [
      LIST,
      `${folder}/list.json`,
      new URL(`file://${await Deno.realPath(folder)}/list.json`),
      byAddress,
      new Map(Object.entries(byAddress)),
    ];
    for (const tokens of sources) {
      const market = await openMarket("market_1", { last: 20, tokens });
      const prices = (await market.nativePrices()).toRecords<{ token: string; symbol: string }>();
      const labels = Object.fromEntries(prices.map(({ token, symbol }) => [token, symbol]));
      // Both have one symbol, in any letter case.
      assertEquals([labels[T0], labels[T1]], ["USDX (0x67d2…5933)", "usdx (0xe6e3…e57e)"]);
      assertEquals((await market.tokens()).decimals.get(T0), 6);
    }
    const market = await openMarket("market_1", {
      last: 20,
      tokens: LIST,
      decimals: { [T0]: 9 },
    });
    assertEquals((await market.tokens()).decimals.get(T0), 9);
  });
});

Deno.test("openMarket rejects tokens that are none, and lists of other chains", async () => {
  const [first] = LIST.tokens as [typeof LIST.tokens[number]];
  const cases: [unknown, string][] = [
    [
      { tokens: LIST.tokens.slice(2) },
      "the list has no token of chain 1\n  chains of the list: 100",
    ],
    [{ tokens: [] }, "chains of the list: none"],
    [{ tokens: [{ ...first, address: "0x12" }] }, 'the address "0x12"\n  entry: 0'],
    [{ tokens: [first, { ...first, decimals: 300 }] }, "decimals 300"],
    [{ tokens: [first, { ...first, symbol: "OTHER" }] }, "is listed twice with different facts"],
    [{ tokens: [{ ...first, symbol: " " }] }, 'symbol " "'],
    [{ tokens: [{ ...first, symbol: 5 }] }, "symbol 5"],
    [{ T0: { symbol: "T0" } }, 'the address "T0"'],
    [{ [T0]: 18 }, "18 of 0x67d2"],
    ["no/such/list.json", "Fix: Pass the path of a token list as JSON"],
    ["https://tokens.example/list.json", "Fix: Download the list, and pass its path"],
    [5, "tokens"],
  ];
  for (const [tokens, part] of cases) {
    const read = async () => {
      const market = await openMarket("market_1", { last: 5, tokens: tokens as never });
      return await market.tokens([]);
    };
    const { message } = await assertRejects(read, InputError);
    assertStringIncludes(message, part);
  }
  // Invisible characters and long symbols of a list are shown as they are, but harmless.
  const hostile = { [T0]: { symbol: `\u202eUSDC${"C".repeat(10_000)}` }, [T1]: {} };
  const market = await openMarket("market_1", { last: 5, tokens: hostile });
  const symbol = (await market.tokens([])).symbols.get(T0)!;
  assertEquals([symbol.slice(0, 6), Array.from(symbol).length], ["\ufffdUSDCC", 32]);
});

/** A node that says that every token has 300 decimals, and an endless symbol that turns the text around. */
function lyingNode(recording: Replay) {
  const word = (value: number) => value.toString(16).padStart(64, "0");
  const bytes = new TextEncoder().encode(`\u202eUSDC${"A".repeat(10_000)}`);
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const symbol = `0x${word(32)}${word(bytes.length)}${
    text.padEnd(64 * Math.ceil(text.length / 64), "0")
  }`;
  const rpc: Replay["rpc"] = async (calls) => {
    const answers = await recording.rpc(calls);
    return calls.map(({ method, params }, index) => {
      if (method !== "eth_call") return answers[index]!;
      const { data } = params[0] as { data: string };
      if (data === "0x313ce567") return { result: `0x${word(300)}` };
      return data === "0x95d89b41" ? { result: symbol } : { error: { code: 3, message: "no" } };
    });
  };
  return { rpc };
}

Deno.test("openMarket reads symbols of a node harmlessly, and no decimals beyond 77", async () => {
  const market = await openMarket("market_1", {
    last: 5,
    node: lyingNode(await replay("market_1")),
  });
  const { symbols, decimals } = await market.tokens([T0]);
  assertEquals(decimals.get(T0), 18);
  const symbol = symbols.get(T0)!;
  assertEquals([symbol.slice(0, 6), Array.from(symbol).length], ["\ufffdUSDCA", 32]);
});

Deno.test("openMarket values fills in US dollars by the caller's dollar tokens", async () => {
  await using market = await openMarket("market_1", {
    last: 60,
    dollarTokens: [T0, `0x${"66".repeat(20)}`],
  });
  const rows = await market.sql<Record<string, unknown>>(`
    SELECT f.native_usd, f.usd_tokens, f.usd_reason, f.volume_atoms, f.volume_usd_atoms,
      CAST(p.native_price AS VARCHAR) AS price
    FROM fills f JOIN native_prices p USING (auction_id) WHERE p.token = '${T0}'`);
  assert(rows.length > 0);
  for (const row of rows) {
    if (row.usd_reason !== null) continue;
    assertEquals(row.usd_tokens, T0);
    // One T0 of 18 decimals is worth `price` native atoms, and one dollar.
    const price = BigInt(String(row.price));
    const floor = BigInt(String(row.volume_atoms)) * 1_000_000n / price;
    const dollars = BigInt(String(row.volume_usd_atoms));
    // The value in native atoms is rounded down before this division, so it may be one atom more.
    assert(dollars === floor || dollars === floor + 1n, `${dollars} ${floor}`);
    assert(Math.abs(Number(row.native_usd) * Number(price) / 1e18 - 1) < 1e-12);
  }
  const rated = rows.filter(({ usd_reason: reason }) => reason === null);
  assert(rated.length > 0);
  const unlisted = await openMarket("market_1", { last: 20 });
  assertEquals(textsOf(await unlisted.fills(), "usd_reason"), ["no_dollar_token"]);
});
