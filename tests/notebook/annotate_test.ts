import { assertEquals } from "@std/assert";
import { annotate, type ReadingFacts } from "../../lib/notebook/annotate.ts";
import type { Leaf } from "../../lib/notebook/outline_html.ts";
import { outlineValue } from "../../lib/notebook/outline_value.ts";
import { TokenAmounts, type TokenOptions } from "../../lib/tables/columns/lookups.ts";

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const UID = `0x${"ab".repeat(56)}`;
const LIMITS = { rows: 20, entries: 100 };

function facts(options: TokenOptions = {}, more: Partial<ReadingFacts> = {}): ReadingFacts {
  const amounts = new TokenAmounts(options);
  return { network: undefined, nativeSymbol: "native tokens", amounts, ...more };
}

/** The leaves of a record, by path. */
function leavesOf(value: unknown, read = facts()): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const walk = (outline: ReturnType<typeof annotate>, path: string): void => {
    if (outline.kind === "leaf") leaves.set(path, outline);
    if (outline.kind === "record") {
      for (const [key, child] of outline.entries) walk(child, `${path}/${key}`);
    }
    if (outline.kind === "list") {
      for (const [index, child] of outline.items.entries()) walk(child, `${path}/${index}`);
    }
    if (outline.kind === "table") {
      for (const [index, row] of outline.rows.entries()) {
        for (const [column, cell] of row.entries()) {
          if (cell) leaves.set(`${path}/${index}/${outline.columns[column]!.name}`, cell);
        }
      }
    }
  };
  walk(annotate(outlineValue(value, LIMITS), read), "");
  return leaves;
}

function readable(value: unknown, path: string, read = facts()): string | undefined {
  return leavesOf(value, read).get(path)?.readable;
}

Deno.test("annotate reads amounts with the decimals of a record's tokens, and of the records around it", () => {
  const order = {
    sellToken: WETH,
    buyToken: USDC,
    sellAmount: 1_234_567_890_123_456_789n,
    buyAmount: 2_500_000_000n,
    quote: { sellAmount: 10n ** 18n, buyAmount: 2_500_123_456_789n, feeAmount: 3n * 10n ** 15n },
    executedProtocolFees: [{ amount: 420_504n, token: USDC }],
  };
  const leaves = leavesOf(order, facts({ network: "mainnet" }));
  const read = (path: string) => leaves.get(path)?.readable;
  assertEquals(read("/sellAmount"), "1.23457 WETH");
  assertEquals(read("/buyAmount"), "2,500 USDC");
  assertEquals(read("/quote/sellAmount"), "1 WETH");
  assertEquals(read("/quote/buyAmount"), "2,500,123 USDC");
  assertEquals(read("/quote/feeAmount"), "0.003 WETH");
  assertEquals(read("/executedProtocolFees/0/amount"), "0.420504 USDC");
});

Deno.test("scores are in the native token, which has a symbol where the network is known", () => {
  const competition = {
    referenceScores: { [USDC]: 309_907_882_724_800_404n },
    solutions: [{ score: 309_907_882_724_800_404n, clearingPrices: { [USDC]: 5n } }],
  };
  assertEquals(
    readable(competition, `/referenceScores/${USDC}`, facts({}, { nativeSymbol: "xDAI" })),
    "0.309908 xDAI",
  );
  assertEquals(readable(competition, "/solutions/0/score"), "0.309908 native tokens");
  assertEquals(readable(competition, `/solutions/0/clearingPrices/${USDC}`), undefined);
});

Deno.test("annotate leaves amounts of unknown tokens or decimals unchanged", () => {
  const unknown = `0x${"99".repeat(20)}`;
  assertEquals(readable({ sellAmount: 10n ** 18n }, "/sellAmount"), undefined);
  assertEquals(readable({ sellAmount: 10n ** 18n, sellToken: unknown }, "/sellAmount"), undefined);
  assertEquals(readable({ amount: 10n ** 18n }, "/amount"), undefined);
  assertEquals(readable({ volume: 10n ** 18n }, "/volume"), undefined);
  // A number counts something: what is exact is a bigint or text.
  assertEquals(readable({ score: 5 }, "/score"), undefined);
  // USDC has 18 decimals on one network and 6 on others.
  const bsc = "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d";
  const sold = { sellAmount: 10n ** 18n, sellToken: bsc };
  assertEquals(readable(sold, "/sellAmount", facts({ network: "mainnet" })), undefined);
  assertEquals(readable(sold, "/sellAmount", facts({ network: "bnb" })), "1 USDC");
});

Deno.test("a column next to an amount determines its decimals, but its value does not", () => {
  const row = { fee_atoms: "1500000", fee_tokens: 1.5, pair: "A → B" };
  assertEquals(readable(row, "/fee_atoms"), "1.5 tokens");
  const sold = { sell_amount_atoms: "1500000", sell_amount_tokens: 1.5, pair: "A → B" };
  assertEquals(readable(sold, "/sell_amount_atoms"), "1.5 A");
  const won = { margin_atoms: "1500000000000000000", margin_native: 1.5 };
  assertEquals(readable(won, "/margin_atoms"), "1.5 native tokens");
  const left = { left: "1500000", left_native: 0.0006 };
  assertEquals(readable(left, "/left"), undefined);
});

Deno.test("amounts below a billionth stay in atoms, negative and large ones keep their digits", () => {
  const native = (score: bigint) => readable({ score }, "/score");
  assertEquals(native(0n), "0 native tokens");
  assertEquals(native(12_000n), "12,000 atoms of native tokens");
  assertEquals(native(-12_000n), "−12,000 atoms of native tokens");
  assertEquals(native(1_234_567_890n), "0.00000000123457 native tokens");
  assertEquals(native(-1_234_567_890_123_456_789n), "−1.23457 native tokens");
  assertEquals(native(2n ** 90n), "1,237,940,039 native tokens");
});

Deno.test("annotate reads amounts of an audit with the decimals of their token", () => {
  const audit = {
    trades: [{
      sellToken: WETH,
      buyToken: USDC,
      surplusToken: USDC,
      surplusAtoms: 2_500_000n,
      priceDifferenceAtoms: -1_000_000n,
      networkFeeAtoms: 420_504n,
    }],
    imbalances: {
      tokens: [{ token: WETH, inAtoms: 10n ** 18n, outAtoms: 0n, netAtoms: 10n ** 18n }],
    },
    flows: [{ from: USDC, to: WETH, token: USDC, atoms: 3_000_000n }],
  };
  const leaves = leavesOf(audit, facts({ network: "mainnet" }));
  const read = (path: string) => leaves.get(path)?.readable;
  assertEquals(read("/trades/0/surplusAtoms"), "2.5 USDC");
  assertEquals(read("/trades/0/priceDifferenceAtoms"), "−1 USDC");
  assertEquals(read("/trades/0/networkFeeAtoms"), "0.420504 USDC");
  assertEquals(read("/imbalances/tokens/0/netAtoms"), "1 WETH");
  assertEquals(read("/flows/0/atoms"), "3 USDC");
  const unknown = leavesOf({ token: UID, atoms: 3n });
  assertEquals(unknown.get("/atoms")?.readable, undefined);
});

Deno.test("annotate classifies hex texts by length and field, and links them on a public network", () => {
  const hash = `0x${"cd".repeat(32)}`;
  const record = {
    uid: UID,
    txHash: hash,
    transactionHashes: [hash],
    appData: hash,
    owner: USDC,
    sellToken: WETH,
    buyToken: `0x${"ee".repeat(20)}`,
    receiver: `0x${"00".repeat(20)}`,
    signature: `0x${"12".repeat(65)}`,
    prices: { [WETH]: WETH },
  };
  const linksOf = (read: ReadingFacts) =>
    [...leavesOf(record, read).values()].map(({ hex, href }) => [hex, href]);
  assertEquals(linksOf(facts({}, { network: "xdai" })), [
    ["uid", `https://explorer.cow.fi/gc/orders/${UID}`],
    ["transaction", `https://gnosisscan.io/tx/${hash}`],
    ["transaction", `https://gnosisscan.io/tx/${hash}`],
    ["hash", undefined],
    ["account", `https://gnosisscan.io/address/${USDC}`],
    ["token", `https://gnosisscan.io/token/${WETH}`],
    ["token", undefined],
    ["account", undefined],
    [undefined, undefined],
    ["token", `https://gnosisscan.io/token/${WETH}`],
  ]);
  assertEquals(linksOf(facts()).filter(([, href]) => href !== undefined), []);
});
