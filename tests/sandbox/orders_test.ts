import { assert, assertEquals } from "@std/assert";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "../../lib/sandbox/mod.ts";
import { OrderDesk } from "./order_desk.ts";
import { decodeSettlement } from "../../lib/evm/mod.ts";

const OTHER = DEVELOPMENT_ACCOUNTS[1]!;
const ETHER = 10n ** 18n;
/** Far more DAI than the WETH sold is worth. */
const OUT_OF_MARKET = 10n ** 24n;

async function opened(limits = {}) {
  const sandbox = await openSandbox({ seed: 7, limits });
  return { sandbox, desk: new OrderDesk(sandbox) };
}

function replacing(uid: string): string {
  return `{"version":"1.1.0","metadata":{"replacedOrder":{"uid":"${uid}"}}}`;
}

Deno.test("createOrder() accepts one of two equal concurrent orders", async () => {
  const { desk } = await opened();
  const order = await desk.order();
  const answers = await Promise.all([1, 2].map(() => desk.ask("POST /api/v1/orders", order)));
  assertEquals(answers.map(({ status }) => status), [201, 400]);
  assertEquals(answers[1]!.errorType, "DuplicatedOrder");
});

Deno.test("createOrder() requires a balance of one atom, or the whole amount if the order says so", async () => {
  const { desk } = await opened();
  const tooMuch = await desk.order({ sellAmount: 10n ** 30n });
  assertEquals(
    (await desk.ask("POST /api/v1/orders", { ...tooMuch, fullBalanceCheck: true })).outcome,
    "400 InsufficientBalance",
  );
  assertEquals((await desk.ask("POST /api/v1/orders", tooMuch)).status, 201);
});

Deno.test("createOrder() limits open out-of-market orders on request", async () => {
  const { desk } = await opened({ openLimitOrders: 2 });
  const first = await desk.placed({ buyAmount: OUT_OF_MARKET });
  await desk.placed({ buyAmount: OUT_OF_MARKET + 1n });
  assertEquals(
    (await desk.place({ buyAmount: OUT_OF_MARKET + 2n })).outcome,
    "400 TooManyLimitOrders",
  );
  // In-market orders and other accounts' orders do not count.
  await desk.placed({ buyAmount: 1n });
  await desk.placed({ buyAmount: OUT_OF_MARKET }, OTHER);
  assertEquals((await desk.cancel([first])).status, 200);
  await desk.placed({ buyAmount: OUT_OF_MARKET + 2n });
});

Deno.test("createOrder() rejects hooks and a trade above 8,000,000 gas", async () => {
  const { desk } = await opened();
  const withGas = (gasLimit: number) =>
    `{"metadata":{"hooks":{"pre":[{"target":"${OTHER.address}","callData":"0x","gasLimit":"${gasLimit}"}]}}}`;
  assertEquals((await desk.place({ document: withGas(8_000_000) })).outcome, "400 TooMuchGas");
  await desk.placed({ document: withGas(7_000_000) });
});

Deno.test("createOrder() replaces an order of the same owner", async () => {
  const { desk } = await opened();
  const old = await desk.placed({ buyAmount: OUT_OF_MARKET });
  const document = replacing(old);
  assertEquals((await desk.place({ document }, OTHER)).outcome, "401 WrongOwner");
  assertEquals(
    (await desk.place({ document, signingScheme: "presign" })).outcome,
    "400 InvalidSignature",
  );
  await desk.placed({ document });
  assertEquals((await desk.read(`GET /api/v1/orders/${old}`)).status, "cancelled");
  assertEquals((await desk.place({ document, buyAmount: 2n })).outcome, "400 AlreadyCancelled");
  assertEquals(
    (await desk.place({ document: replacing(`0x${"ab".repeat(56)}`) })).outcome,
    "404 OrderNotFound",
  );
});

Deno.test("createOrder() does not replace an order that solvers bid on", async () => {
  const { sandbox, desk } = await opened();
  // Only partially fillable by the pools, so that it stays open with bids.
  const old = await desk.placed({ sellAmount: 30_000n * ETHER, partiallyFillable: true });
  await sandbox.advance({ auctions: 1 });
  assertEquals(
    (await desk.place({ document: replacing(old) })).outcome,
    "400 OldOrderActivelyBidOn",
  );
});

Deno.test("createOrder() accepts the hash of a registered document", async () => {
  const { desk } = await opened();
  const document = '{"version":"1.6.0","metadata":{"quote":{"slippageBips":7}}}';
  const appData = await desk.read("PUT /api/v1/app_data", { fullAppData: document });
  const order = { ...await desk.order({ document }), appData };
  const uid = await desk.read("POST /api/v1/orders", order);
  assertEquals((await desk.read(`GET /api/v1/orders/${uid}`)).fullAppData, document);
});

Deno.test("createOrder() treats a verifier that throws as one that rejects", async () => {
  const { sandbox, desk } = await opened();
  const from = `0x${"c0".repeat(20)}`;
  sandbox.registerVerifier(from, () => {
    throw new Error("reverted");
  });
  assertEquals(
    (await desk.place({ signingScheme: "eip1271", from })).outcome,
    "400 InvalidEip1271Signature",
  );
});

Deno.test("createOrder() drops the signature of an order that is signed on-chain", async () => {
  const { desk } = await opened();
  const order = await desk.order({ signingScheme: "presign" });
  // As recorded: clients send the owner, and the service drops it.
  const sent = { ...order, signature: DEVELOPMENT_ACCOUNTS[0]!.address };
  const uid = await desk.read("POST /api/v1/orders", sent);
  assertEquals((await desk.read(`GET /api/v1/orders/${uid}`)).signature, "0x");
});

Deno.test("createOrder() accepts a v of 0 and 1, and stores 27 and 28", async () => {
  const { desk } = await opened();
  const lasts = new Set<string>();
  while (lasts.size < 2) {
    const order = await desk.order();
    const signature = String(order.signature);
    const short = SHORT_V[signature.slice(-2)]!;
    const sent = { ...order, signature: `${signature.slice(0, -2)}${short}` };
    const placed = await desk.ask("POST /api/v1/orders", sent);
    assertEquals(placed.status, 201);
    assertEquals(
      (await desk.read(`GET /api/v1/orders/${JSON.parse(placed.text)}`)).signature,
      signature,
    );
    lasts.add(short);
  }
});

Deno.test("cancelOrders() cancels all orders of a list or none", async () => {
  const { desk } = await opened();
  const uids = [];
  for (const more of [0n, 1n]) uids.push(await desk.placed({ buyAmount: OUT_OF_MARKET + more }));
  const unknown = `0x${"ab".repeat(56)}`;
  assertEquals((await desk.cancel([...uids, unknown])).outcome, "404 OrderNotFound");
  assertEquals((await desk.cancel(uids, DEVELOPMENT_ACCOUNTS[1])).outcome, "401 WrongOwner");
  const found = await desk.read("POST /api/v1/orders/by_uids", uids);
  const statuses = found.map((one: { order: { status: string } }) => one.order.status);
  assertEquals(statuses, ["open", "open"]);
  assertEquals((await desk.cancel([...uids, uids[0]!])).outcome, "200 ");
  assertEquals((await desk.cancel(uids.slice(0, 1))).outcome, "400 AlreadyCancelled");
});

Deno.test("cancelOrders() names the reason why an order cannot be cancelled", async () => {
  const { sandbox, desk } = await opened();
  const { now } = sandbox.description;
  const filled = await desk.placed({ buyAmount: 1n });
  const expired = await desk.placed({ buyAmount: OUT_OF_MARKET, validTo: now + 60 });
  const presigned = await desk.placed({ signingScheme: "presign", buyAmount: OUT_OF_MARKET });
  await sandbox.advance({ auctions: 40 });
  assertEquals((await desk.cancel([filled])).outcome, "400 OrderFullyExecuted");
  assertEquals((await desk.cancel([expired])).outcome, "400 OrderExpired");
  assertEquals((await desk.cancel([presigned])).outcome, "400 OnChainOrder");
});

Deno.test("cancelOrders() notifies once if an order is cancelled twice concurrently", async () => {
  const { desk } = await opened();
  const uid = await desk.placed({ buyAmount: OUT_OF_MARKET });
  const answers = await Promise.all([desk.cancel([uid]), desk.cancel([uid])]);
  assertEquals(answers[0]!.status, 200);
  const account = DEVELOPMENT_ACCOUNTS[0]!.address;
  const sent = await desk.read(`GET /accounts/${account}/notifications`);
  const types = sent.map(({ type }: { type: string }) => type);
  assertEquals(types, ["order_cancelled"]);
});

Deno.test("cancelOrders() accepts a v of 0 and 1, and answers another v with an empty 400", async () => {
  const { desk } = await opened();
  const body = async (uid: string, v: string) => {
    const { signature, ...rest } = await desk.cancellation([uid]);
    const sent = v === "short" ? SHORT_V[signature.slice(-2)] : v;
    return { ...rest, signature: `${signature.slice(0, -2)}${sent}` };
  };
  const uid = await desk.placed({ buyAmount: OUT_OF_MARKET });
  for (const v of ["22", "02", "1d"]) {
    const { status, text } = await desk.ask("DELETE /api/v1/orders", await body(uid, v));
    assertEquals([status, text], [400, ""]);
  }
  const cancelled = await desk.ask("DELETE /api/v1/orders", await body(uid, "short"));
  assertEquals(cancelled.status, 200);
});

/** Alternative last bytes of a signature. */
const SHORT_V: Readonly<Record<string, string>> = { "1b": "00", "1c": "01" };

const RECORDED = new URL("../testdata/sandbox/simulations.ndjson", import.meta.url);
const PATH = "/restricted/api/v1/debug/simulation";

Deno.test("simulateOrder() encodes the calldata and the errors of the service", async () => {
  const [line] = (await Deno.readTextFile(RECORDED)).split("\n");
  const { requestBody, responseBody } = JSON.parse(line!);
  const desk = new OrderDesk(await openSandbox());
  const [found, expected] = [
    await desk.read(`POST ${PATH}`, requestBody),
    JSON.parse(responseBody),
  ];
  // The owner has no funds here either.
  assertEquals(found.error, expected.error);
  assertEquals(found.tenderlyRequest.input, expected.tenderlyRequest.input);
  assertEquals(Object.keys(found.tenderlyRequest), Object.keys(expected.tenderlyRequest));
});

Deno.test("simulateKnownOrder() simulates an order of the book at its limit", async () => {
  const { sandbox, desk } = await opened();
  const uid = await desk.placed({ sellAmount: 10n ** 18n, buyAmount: 5n });
  const { tenderlyRequest, error } = await desk.read(`GET ${PATH}/${uid}?block_number=9`);
  assertEquals(error, null);
  assertEquals(tenderlyRequest.block_number, 9);
  assertEquals(tenderlyRequest.to, sandbox.description.settlementContract);
  const { clearingPrices, trades } = decodeSettlement(tenderlyRequest.input);
  assertEquals(clearingPrices, [5n, 10n ** 18n]);
  assertEquals(trades[0]?.executedAmount, 10n ** 18n);
});

Deno.test("simulateKnownOrder() names the reason why an order cannot be settled", async () => {
  const { sandbox, desk } = await opened();
  const reason = async (uid: string) => {
    const { error } = await desk.read(`GET ${PATH}/${uid}`);
    return /reverted: (.*?), data/.exec(error ?? "")?.[1] ?? null;
  };
  const presigned = await desk.placed({ signingScheme: "presign" });
  assertEquals(await reason(presigned), "GPv2: order not presigned");
  sandbox.preSign(presigned);
  assertEquals(await reason(presigned), null);
  const tooLarge = await desk.placed({ sellAmount: 2n ** 255n });
  assertEquals(await reason(tooLarge), "ERC20: transfer amount exceeds balance");
  const { now } = sandbox.description;
  const expired = await desk.placed({ sellAmount: 2n ** 254n, validTo: now + 61 });
  await sandbox.advance({ auctions: 40 });
  assertEquals(await reason(expired), "GPv2: order expired");
  assertEquals(await reason(presigned), "GPv2: order filled");
});

Deno.test("simulateOrder() verifies contract signatures, and recovers signers", async () => {
  const { sandbox, desk } = await opened();
  const { address } = DEVELOPMENT_ACCOUNTS[0]!;
  const owner = `0x${"c0".repeat(20)}`;
  const order = { ...await desk.order({ signingScheme: "eip1271", from: owner }), owner };
  const tried = async (body: unknown): Promise<string | null> =>
    (await desk.read(`POST ${PATH}`, body)).error;
  assert((await tried(order))?.includes("GPv2: invalid eip1271 signature"));
  sandbox.registerVerifier(owner, () => true);
  assertEquals(await tried(order), null);
  assertEquals(await tried({ ...await desk.order(), owner: address }), null);
  const broken = { ...await desk.order(), owner: address, signature: `0x${"0".repeat(130)}` };
  assert((await tried(broken))?.includes("GPv2: invalid ecdsa signature"));
});
