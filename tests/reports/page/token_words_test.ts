import { connect } from "orderlens";
import { inspectOrder, orderPage, orderText } from "orderlens/reports";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  chooseTokenNetwork,
  createTokenReader,
  listTokens,
  namePageTokens,
} from "../../../lib/reports/page/node_tokens.ts";
import {
  CellFormatter,
  formatDollars,
  toBpsCell,
} from "../../../lib/reports/page/cell_formatter.ts";
import { sanitizeText } from "../../../lib/reports/page/page_content.ts";
import { replaceControls } from "../../../lib/reports/page/text_page.ts";
import { competitionBody, filledAnswers, orderBody, tradeBody, TX, uidOf } from "../canned_book.ts";

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const ETH = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const UNNAMED = `0x${"ab".repeat(20)}`;
const SETTLEMENT = "0x9008d19f58aabd9ed0d60971565aa8510560ab41";
const MAINNET = { network: "mainnet", chainId: 1, settlementContract: SETTLEMENT, source: "" };

function wordsOf(symbols: ReadonlyMap<string, string>, decimals = new Map<string, number>()) {
  return new CellFormatter(namePageTokens(symbols.keys(), { symbols, decimals }, MAINNET));
}

/** An order of mainnet that sold 2 WETH for 5,000 USDC, at native prices of its auction. */
async function inspectFilled(usdcPrice: string) {
  const amounts = { sellToken: WETH, buyToken: USDC };
  const executed = { sellAmount: `${2n * 10n ** 18n}`, buyAmount: "5000000000" };
  const order = orderBody({
    ...amounts,
    sellAmount: executed.sellAmount,
    buyAmount: "4900000000",
    status: "fulfilled",
    executedSellAmount: executed.sellAmount,
    executedSellAmountBeforeFees: executed.sellAmount,
    executedBuyAmount: executed.buyAmount,
  });
  const trade = tradeBody({
    ...amounts,
    ...executed,
    sellAmountBeforeFees: executed.sellAmount,
  });
  const competition = competitionBody({
    auction: { orders: [uidOf("01")], prices: { [WETH]: `${10n ** 18n}`, [USDC]: usdcPrice } },
  });
  const answers: Record<string, unknown> = {
    ...filledAnswers(),
    [`/api/v1/orders/${uidOf("01")}`]: order,
    "/api/v2/trades": [trade],
    [`/api/v2/solver_competition/by_tx_hash/${TX}`]: competition,
  };
  const book = connect("mainnet", {
    fetch: (url) => {
      const path = new URL(url).pathname.replace("/mainnet", "");
      const body = answers[path];
      const missing = Response.json({ errorType: "NotFound", description: "" }, { status: 404 });
      return Promise.resolve(body === undefined ? missing : Response.json(body));
    },
  });
  return await inspectOrder(book, uidOf("01"));
}

Deno.test("orderText values amounts in US dollars by the auction of the fill, and names tokens whole", async () => {
  // One USDC is worth 0.0004 ETH, so that a WETH is worth 2,500 dollars.
  const text = orderText(await inspectFilled(`${4n * 10n ** 26n}`), { width: 120 });
  assertStringIncludes(text, "Sold 2 WETH ($5,000.00) → received 5,000 USDC ($5,000.00)");
  assertMatch(text, /Surplus +100 USDC \(\$100\.00\)/);
  assertMatch(text, new RegExp(`\\n  WETH +${WETH} +18 `));
  assertMatch(text, new RegExp(`\\n  USDC +${USDC} +6 `));
});

Deno.test("orderText gives no dollars where the native prices of both sides disagree", async () => {
  // At three times the price, what was bought would be worth three times what was sold.
  const text = orderText(await inspectFilled(`${12n * 10n ** 26n}`), { width: 120 });
  assertStringIncludes(text, "Sold 2 WETH → received 5,000 USDC\n");
});

Deno.test("orderPage has the address of each token whole, with a button that copies it", async () => {
  const page = await orderPage(await inspectFilled(`${4n * 10n ** 26n}`), { charts: false });
  for (const token of [WETH, USDC]) {
    const whole = `<span class="whole">${token}</span> <button type="button" class="copy">`;
    assertEquals(page.split(whole).length - 1, 1);
  }
});

Deno.test("formatAmount says which token it is of, in atoms with the short address without decimals", () => {
  const words = wordsOf(new Map([[UNNAMED, "NODEC"]]));
  assertEquals(
    [
      words.formatAmount(12n, UNNAMED).text,
      words.formatAmount(1n, `0x${"cd".repeat(20)}`).text,
      words.formatAmount(7n, WETH).text,
      words.formatAmount(10n ** 18n, ETH).text,
      words.formatNative(10n ** 16n).text,
    ],
    [
      "12 atoms of NODEC (0xabababab…ababab)",
      "1 atom of 0xcdcd…cdcd",
      "7 atoms of WETH",
      "1 ETH",
      "0.01 ETH",
    ],
  );
});

Deno.test("namePageTokens cuts long symbols, replaces marks of direction, and tells namesakes apart", () => {
  const [long, bidi, fake] = ["01", "02", "03"].map((byte) => `0x${byte.repeat(20)}`) as [
    string,
    string,
    string,
  ];
  const symbols = new Map([[long, "A".repeat(10_000)], [bidi, "USDC\u202eHTEW"], [fake, "usdc"]]);
  const words = wordsOf(symbols);
  assertEquals(words.token(long).text, `${"A".repeat(31)}…`);
  assertEquals(words.token(bidi).text, "USDC\ufffdHTEW");
  assertEquals(words.token(fake).text, "usdc (0x0303…0303)");
});

Deno.test("chooseTokenNetwork takes the network of a chain by its contract, and none that ships at others", () => {
  const url = { ...MAINNET, network: null, source: "http://127.0.0.1:8080" };
  const fork = { ...url, settlementContract: `0x${"90".repeat(20)}` };
  assertEquals(
    [url, fork, { ...url, chainId: 31_337 }, { ...fork, source: "replay://market_1" }]
      .map((deployment) => chooseTokenNetwork(deployment)),
    ["mainnet", "chain 1", "chain 31337", "local"],
  );
  // A simulated deployment has the contract of a network, and tokens of its own.
  const simulated = { ...url, source: "replay://simulated_1" };
  assertEquals(chooseTokenNetwork(simulated, { symbols: new Map([[UNNAMED, "X"]]) }), "chain 1");
  const name = (deployment: typeof fork) =>
    new CellFormatter(namePageTokens([USDC], {}, deployment)).formatAmount(5_000_000n, USDC).text;
  assertEquals([name(url), name(fork)], ["5 USDC", "5,000,000 atoms of 0xa0b8…eb48"]);
  // The native token has 18 decimals on every chain.
  const native = new CellFormatter(namePageTokens([], {}, fork));
  assertEquals(native.formatAmount(3n * 10n ** 15n, ETH).text, "0.003 ETH");
});

Deno.test("symbols written from right to left are isolated on pages and in terminals", () => {
  const words = wordsOf(new Map([[UNNAMED, "שקל"]]), new Map([[UNNAMED, 2]]));
  const { text } = words.formatAmount(1_250n, UNNAMED);
  assertEquals(text, "12.5 \u2068שקל\u2069");
  assertEquals([sanitizeText(text, 100), replaceControls(text)], [text, text]);
  // A mark that is not closed, and one around another, can still turn what follows.
  assertEquals(sanitizeText("a\u2068b", 10), "a\\u2068b");
  assertEquals(replaceControls("\u2068a\u202eb\u2069"), "�a�b�");
});

Deno.test("formatDollars rounds half to even, and keeps what is less than a cent from reading as nothing", () => {
  const format = (numerator: bigint, denominator: bigint) =>
    formatDollars({ numerator, denominator });
  assertEquals(
    [format(1_234_567_125n, 1_000n), format(1n, 1_000n), format(0n, 1n), format(-5n, 2n)],
    ["$1,234,567.12", "<$0.01", "$0.00", "−$2.50"],
  );
});

Deno.test("toBpsCell has every digit of a ratio, and of a double none that it does not know", () => {
  const vast = 24_805_647_320_497_044_388_760_000n;
  const ratios = [[vast, 1n], [-31n, 10n], [1n, 3n], [100n, 1n], [-1n, 1_000n]] as const;
  assertEquals(
    ratios.map(([numerator, denominator]) => toBpsCell({ numerator, denominator }).text),
    ["+24,805,647,320,497,044,388,760,000 bps", "−3.1 bps", "+0.33 bps", "+100 bps", "0 bps"],
  );
  assertEquals(
    [Number(vast), -1_258.375, 106.1959, 0, -1e-9].map((bps) => toBpsCell(bps).text),
    ["+2.481e25 bps", "−1,258.38 bps", "+106.2 bps", "0 bps", "0 bps"],
  );
});

Deno.test("createTokenReader asks a node once about each token that nothing else names", async () => {
  const asked: number[] = [];
  const node = {
    rpc: (calls: readonly { readonly method: string; readonly params: readonly unknown[] }[]) => {
      if (calls[0]!.method === "eth_chainId") return Promise.resolve([{ result: "0x1" }]);
      asked.push(calls.length);
      const decimals = `0x${"8".padStart(64, "0")}`;
      const symbol = `0x${"4e4f4445".padEnd(64, "0")}`;
      return Promise.resolve(calls.map(({ params }) => {
        const { data } = Object(params[0]);
        if (data === "0x313ce567") return { result: decimals };
        return { result: data === "0x95d89b41" ? symbol : "0x" };
      }));
    },
  };
  const read = createTokenReader(node, { chainId: 1, known: { network: "mainnet" } });
  const first = await read([WETH, UNNAMED, ETH]);
  const count = asked.length;
  const again = await read([UNNAMED]);
  assertEquals([first.failure, again.failure, asked.length], [null, null, count]);
  const words = new CellFormatter(namePageTokens([UNNAMED], again.tokens, MAINNET));
  assertEquals(words.formatAmount(250_000_000n, UNNAMED).text, "2.5 NODE");
  assertEquals(
    listTokens({ sellToken: UNNAMED.toUpperCase().replace("0X", "0x") }),
    new Set([UNNAMED]),
  );
});
