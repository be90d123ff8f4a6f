import { assert, assertEquals } from "@std/assert";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "../../lib/sandbox/mod.ts";
import { OrderDesk } from "./order_desk.ts";
import { decodeSettlement } from "../../lib/evm/mod.ts";

const OTHER = DEVELOPMENT_ACCOUNTS[1]!;
/** Far more DAI than the WETH sold is worth. */
const OUT_OF_MARKET = 10n ** 24n;

async function opened(limits = {}) {
  const sandbox = await openSandbox({ seed: 7, limits });
  return { sandbox, desk: new OrderDesk(sandbox) };
}

/** The body of an order, with the last byte of its signature in the other way to write it. */
function withShortV<Body extends { signature?: unknown }>(body: Body): Body {
  const signature = String(body.signature);
  const v = { "1b": "00", "1c": "01" }[signature.slice(-2)];
  return { ...body, signature: `${signature.slice(0, -2)}${v}` };
}

function replacing(uid: string): string {
  return `{"version":"1.1.0","metadata":{"replacedOrder":{"uid":"${uid}"}}}`;
}

Deno.test("createOrder() accepts one of two equal concurrent orders, and a balance of one atom unless told", async () => {
  const { sandbox, desk } = await opened();
  const order = await desk.order();
  const answers = await Promise.all([1, 2].map(() => desk.ask("POST /api/v1/orders", order)));
  assertEquals(answers.map(({ outcome }) => outcome), ["201 ", "400 DuplicatedOrder"]);
  const tooMuch = await desk.order({ sellAmount: 10n ** 30n });
  const whole = await desk.ask("POST /api/v1/orders", { ...tooMuch, fullBalanceCheck: true });
  assertEquals(whole.outcome, "400 InsufficientBalance");
  assertEquals((await desk.ask("POST /api/v1/orders", tooMuch)).status, 201);
  // A verifier that throws rejects.
  const from = `0x${"c0".repeat(20)}`;
  sandbox.registerVerifier(from, () => {
    throw new Error("reverted");
  });
  const { outcome } = await desk.place({ signingScheme: "eip1271", from });
  assertEquals(outcome, "400 InvalidEip1271Signature");
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

Deno.test("createOrder() accepts the hash of a registered document, and drops what is no signature", async () => {
  const { desk } = await opened();
  const document = '{"version":"1.6.0","metadata":{"quote":{"slippageBips":7}}}';
  const appData = await desk.read("PUT /api/v1/app_data", { fullAppData: document });
  const order = await desk.order({ document, signingScheme: "presign" });
  // As recorded: clients send the owner in place of a signature, and the service drops it.
  const sent = { ...order, appData, signature: DEVELOPMENT_ACCOUNTS[0]!.address };
  const uid = await desk.read("POST /api/v1/orders", sent);
  const { fullAppData, signature } = await desk.read(`GET /api/v1/orders/${uid}`);
  assertEquals([fullAppData, signature], [document, "0x"]);
});

Deno.test("createOrder() accepts a v of 0 and 1, and stores 27 and 28", async () => {
  const { desk } = await opened();
  const lasts = new Set<string>();
  while (lasts.size < 2) {
    const order = await desk.order();
    const uid = await desk.read("POST /api/v1/orders", withShortV(order));
    const { signature } = await desk.read(`GET /api/v1/orders/${uid}`);
    assertEquals(signature, order.signature);
    lasts.add(signature.slice(-2));
  }
});

Deno.test("cancelOrders() cancels all orders of a list or none", async () => {
  const { desk } = await opened();
  const uids = [];
  for (const more of [0n, 1n]) uids.push(await desk.placed({ buyAmount: OUT_OF_MARKET + more }));
  const unknown = `0x${"ab".repeat(56)}`;
  assertEquals((await desk.cancel([...uids, unknown])).outcome, "404 OrderNotFound");
  assertEquals((await desk.cancel(uids, OTHER)).outcome, "401 WrongOwner");
  const found = await desk.read("POST /api/v1/orders/by_uids", uids);
  const statuses = found.map((one: { order: { status: string } }) => one.order.status);
  assertEquals(statuses, ["open", "open"]);
  // Twice at once, of which one comes first.
  const answers = await Promise.all([desk.cancel([...uids, uids[0]!]), desk.cancel(uids)]);
  assertEquals(answers.map(({ outcome }) => outcome), ["200 ", "400 AlreadyCancelled"]);
  const account = DEVELOPMENT_ACCOUNTS[0]!.address;
  const sent = await desk.read(`GET /accounts/${account}/notifications`);
  const types = sent.map(({ type }: { type: string }) => type);
  assertEquals(types, ["order_cancelled", "order_cancelled"]);
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

Deno.test("cancelOrders() accepts a v of 0 and 1, and answers another v with an empty 400", async () => {
  const { desk } = await opened();
  const signed = await desk.cancellation([await desk.placed({ buyAmount: OUT_OF_MARKET })]);
  for (const v of ["22", "02", "1d"]) {
    const signature = `${signed.signature.slice(0, -2)}${v}`;
    const { status, text } = await desk.ask("DELETE /api/v1/orders", { ...signed, signature });
    assertEquals([status, text], [400, ""]);
  }
  assertEquals((await desk.ask("DELETE /api/v1/orders", withShortV(signed))).status, 200);
});

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
