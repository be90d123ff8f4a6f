import { assertEquals, assertThrows } from "@std/assert";
import { DecodeError } from "orderlens";
import { decodeInstance, drift, encodeInstance } from "orderlens/schemas";

const WETH = "0x82af49447d8a07e3bd95bd0d56f35241523fbab1";
const USDT = "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9";
const USDC = "0xaf88d065e77c8cc2239327c5edb3a432268e5831";
const OWNER = "0x147945cccfbb2e332b26556ecfac37645db1ae86";

/** Auction 8339027 of arbitrum_one, with one of its orders, as published in August 2026. */
const PUBLISHED = {
  id: "8339027",
  tokens: {
    [WETH]: {
      decimals: 18,
      symbol: "WETH",
      referencePrice: "1000000000000000000",
      availableBalance: "12287635329651531",
      trusted: false,
    },
    [USDT]: {
      decimals: 6,
      symbol: "USD\u20ae0",
      referencePrice: "522065060506477648741924864",
      availableBalance: "139362756",
      trusted: false,
    },
    [USDC]: {
      decimals: 6,
      symbol: "USDC",
      referencePrice: "522566719487592554773348352",
      availableBalance: "5415705",
      trusted: false,
    },
  },
  orders: [{
    uid:
      "0x931fc12ac39dc130a2076a982d652addba11bd07397197bd7b0e5ba397cc5c5f147945cccfbb2e332b26556ecfac37645db1ae866b0ec707",
    sellToken: USDC,
    buyToken: USDT,
    sellAmount: "2385464",
    fullSellAmount: "10000000000000",
    buyAmount: "2385178",
    fullBuyAmount: "9998500224966",
    validTo: 1796130567,
    kind: "sell",
    receiver: OWNER,
    owner: OWNER,
    partiallyFillable: true,
    preInteractions: [],
    postInteractions: [],
    sellTokenSource: "erc20",
    buyTokenDestination: "erc20",
    class: "limit",
    appData: "0x2f04af8c246588a9e73b177c282278cf1d4001cdfb78015c82d4c8533f2ef802",
    signingScheme: "eip712",
    signature:
      "0x6dbcff75989db24b8bc5456adcfd091bd03598903431eed81dc17b54a59e08a225f0b05fa6c97dadb804a0175c716c81d3b7d53954b034cab8e264ca3f618c911b",
  }],
  surplusCapturingJitOrderOwners: [],
  effectiveGasPrice: "21294000",
  deadline: "2026-08-06T15:11:14.566395390Z",
};

Deno.test("decodeInstance() reads a published instance to the last digit", () => {
  const { tokens = {}, orders = [], ...auction } = decodeInstance(PUBLISHED);

  assertEquals(auction, {
    id: 8_339_027,
    surplusCapturingJitOrderOwners: [],
    effectiveGasPrice: 21_294_000n,
    deadline: Temporal.Instant.fromEpochNanoseconds(1_786_029_074_566_395_390n),
  });
  assertEquals(tokens[USDT], {
    decimals: 6,
    symbol: "USD₮0",
    referencePrice: 522_065_060_506_477_648_741_924_864n,
    availableBalance: 139_362_756n,
    trusted: false,
  });
  const [order] = orders;
  assertEquals(
    [order?.sellAmount, order?.fullSellAmount, order?.buyAmount, order?.fullBuyAmount],
    [2_385_464n, 10_000_000_000_000n, 2_385_178n, 9_998_500_224_966n],
  );
  assertEquals([order?.kind, order?.validTo, order?.owner], ["sell", 1_796_130_567, OWNER]);
});

Deno.test("encodeInstance() writes what decodeInstance() read, and drift() finds nothing in it", () => {
  assertEquals(encodeInstance(decodeInstance(PUBLISHED)), PUBLISHED);
  assertEquals(drift([{ kind: "instance", body: PUBLISHED }]).unknownFields, []);
});

Deno.test("decodeInstance() takes an instance without any field, and one with null", () => {
  assertEquals(decodeInstance({}), {});
  assertEquals(decodeInstance({ id: null, tokens: {}, orders: [{}] }), {
    id: null,
    tokens: {},
    orders: [{}],
  });
  const unpriced = { decimals: null, symbol: null, referencePrice: null };
  assertEquals(decodeInstance({ tokens: { [WETH]: unpriced } }).tokens?.[WETH], unpriced);
});

Deno.test("decodeInstance() keeps fields that it does not know, and drift() counts them", () => {
  const body = { id: "7", orders: [{ reward: 3 }], stage: "second" };
  assertEquals(encodeInstance(decodeInstance(body)), body);
  assertEquals(
    drift([{ kind: "instance", body }]).unknownFields.map(({ path }) => path).sort(),
    ["orders[].reward", "stage"],
  );
});

Deno.test("decodeInstance() rejects amounts that are no whole atoms, and ids that are no number", () => {
  const [order] = PUBLISHED.orders;
  const bodies: [body: unknown, path: string][] = [
    [{ orders: [{ ...order, fullBuyAmount: "9998500224966.5" }] }, "orders[0].fullBuyAmount"],
    [{ orders: [{ ...order, fullSellAmount: 1e13 }] }, "orders[0].fullSellAmount"],
    [{ tokens: { [WETH]: { referencePrice: "-1" } } }, `tokens["${WETH}"].referencePrice`],
    [{ id: "8339027.0" }, "id"],
    [{ id: 8_339_027 }, "id"],
    [{ id: "9007199254740993" }, "id"],
    [{ surplusCapturingJitOrderOwners: ["0x12"] }, "surplusCapturingJitOrderOwners[0]"],
  ];
  for (const [body, path] of bodies) {
    const error = assertThrows(() => decodeInstance(body), DecodeError);
    assertEquals(error.failure.path, path);
  }
});
