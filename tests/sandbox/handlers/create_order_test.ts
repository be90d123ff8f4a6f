import { assertEquals } from "@std/assert";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "../../../lib/sandbox/mod.ts";
import { OrderDesk } from "../service/order_desk.ts";

const OTHER = DEVELOPMENT_ACCOUNTS[1]!;
const ETHER = 10n ** 18n;
/** Far more DAI than the WETH sold is worth. */
const OUT_OF_MARKET = 10n ** 24n;

async function opened(limits = {}): Promise<OrderDesk> {
  return new OrderDesk(await openSandbox({ seed: 7, limits }));
}

function replacing(uid: string): string {
  return `{"version":"1.1.0","metadata":{"replacedOrder":{"uid":"${uid}"}}}`;
}

Deno.test("createOrder() accepts one of two equal concurrent orders", async () => {
  const desk = await opened();
  const order = await desk.order();
  const answers = await Promise.all([1, 2].map(() => desk.ask("POST /api/v1/orders", order)));
  assertEquals(answers.map(({ status }) => status), [201, 400]);
  assertEquals(answers[1]!.errorType, "DuplicatedOrder");
});

Deno.test("createOrder() requires a balance of one atom, or the whole amount if the order says so", async () => {
  const desk = await opened();
  const tooMuch = await desk.order({ sellAmount: 10n ** 30n });
  const whole = await desk.ask("POST /api/v1/orders", { ...tooMuch, fullBalanceCheck: true });
  assertEquals([whole.status, whole.errorType], [400, "InsufficientBalance"]);
  assertEquals((await desk.ask("POST /api/v1/orders", tooMuch)).status, 201);
});

Deno.test("createOrder() limits open out-of-market orders on request", async () => {
  const desk = await opened({ openLimitOrders: 2 });
  const first = await desk.placed({ buyAmount: OUT_OF_MARKET });
  await desk.placed({ buyAmount: OUT_OF_MARKET + 1n });
  const third = await desk.place({ buyAmount: OUT_OF_MARKET + 2n });
  assertEquals([third.status, third.errorType], [400, "TooManyLimitOrders"]);
  // In-market orders and other accounts' orders do not count.
  await desk.placed({ buyAmount: 1n });
  await desk.placed({ buyAmount: OUT_OF_MARKET }, OTHER);
  assertEquals((await desk.cancel([first])).status, 200);
  await desk.placed({ buyAmount: OUT_OF_MARKET + 2n });
});

Deno.test("createOrder() rejects hooks and a trade above 8,000,000 gas", async () => {
  const desk = await opened();
  const withGas = (gasLimit: number) =>
    `{"metadata":{"hooks":{"pre":[{"target":"${OTHER.address}","callData":"0x","gasLimit":"${gasLimit}"}]}}}`;
  const rejected = await desk.place({ document: withGas(8_000_000) });
  assertEquals([rejected.status, rejected.errorType], [400, "TooMuchGas"]);
  await desk.placed({ document: withGas(7_000_000) });
});

Deno.test("createOrder() replaces an order of the same owner", async () => {
  const desk = await opened();
  const old = await desk.placed({ buyAmount: OUT_OF_MARKET });
  const document = replacing(old);
  const foreign = await desk.place({ document }, OTHER);
  assertEquals([foreign.status, foreign.errorType], [401, "WrongOwner"]);
  const presigned = await desk.place({ document, signingScheme: "presign" });
  assertEquals([presigned.status, presigned.errorType], [400, "InvalidSignature"]);
  await desk.placed({ document });
  const { text } = await desk.ask(`GET /api/v1/orders/${old}`);
  assertEquals(JSON.parse(text).status, "cancelled");
  const again = await desk.place({ document, buyAmount: 2n });
  assertEquals([again.status, again.errorType], [400, "AlreadyCancelled"]);
  const unknown = await desk.place({ document: replacing(`0x${"ab".repeat(56)}`) });
  assertEquals([unknown.status, unknown.errorType], [404, "OrderNotFound"]);
});

Deno.test("createOrder() does not replace an order that solvers bid on", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  const desk = new OrderDesk(sandbox);
  // Only partially fillable by the pools, so that it stays open with bids.
  const old = await desk.placed({ sellAmount: 30_000n * ETHER, partiallyFillable: true });
  await sandbox.advance({ auctions: 1 });
  const rejected = await desk.place({ document: replacing(old) });
  assertEquals([rejected.status, rejected.errorType], [400, "OldOrderActivelyBidOn"]);
});

Deno.test("createOrder() accepts the hash of a registered document", async () => {
  const desk = await opened();
  const document = '{"version":"1.6.0","metadata":{"quote":{"slippageBips":7}}}';
  const { text: hash } = await desk.ask("PUT /api/v1/app_data", { fullAppData: document });
  const order = { ...await desk.order({ document }), appData: JSON.parse(hash) };
  const uid = JSON.parse((await desk.ask("POST /api/v1/orders", order)).text);
  const { text } = await desk.ask(`GET /api/v1/orders/${uid}`);
  assertEquals(JSON.parse(text).fullAppData, document);
});

Deno.test("createOrder() treats a verifier that throws as one that rejects", async () => {
  const sandbox = await openSandbox();
  const desk = new OrderDesk(sandbox);
  const from = `0x${"c0".repeat(20)}`;
  sandbox.registerVerifier(from, () => {
    throw new Error("reverted");
  });
  const answer = await desk.place({ signingScheme: "eip1271", from });
  assertEquals([answer.status, answer.errorType], [400, "InvalidEip1271Signature"]);
});

Deno.test("createOrder() drops the signature of an order that is signed on-chain", async () => {
  const desk = await opened();
  const order = await desk.order({ signingScheme: "presign" });
  // As recorded: clients send the owner, and the service drops it.
  const sent = { ...order, signature: DEVELOPMENT_ACCOUNTS[0]!.address };
  const uid = JSON.parse((await desk.ask("POST /api/v1/orders", sent)).text);
  const { text } = await desk.ask(`GET /api/v1/orders/${uid}`);
  assertEquals(JSON.parse(text).signature, "0x");
});

Deno.test("createOrder() accepts a v of 0 and 1, and stores 27 and 28", async () => {
  const desk = await opened();
  const lasts = new Set<string>();
  while (lasts.size < 2) {
    const order = await desk.order();
    const signature = String(order.signature);
    const short = { "1b": "00", "1c": "01" }[signature.slice(-2)]!;
    const sent = { ...order, signature: `${signature.slice(0, -2)}${short}` };
    const placed = await desk.ask("POST /api/v1/orders", sent);
    assertEquals(placed.status, 201);
    const { text } = await desk.ask(`GET /api/v1/orders/${JSON.parse(placed.text)}`);
    assertEquals(JSON.parse(text).signature, signature);
    lasts.add(short);
  }
});

Deno.test("createOrder() rejects another v together with the shape of the body", async () => {
  const desk = await opened();
  for (const signingScheme of ["eip712", "ethsign"] as const) {
    const order = await desk.order({ signingScheme });
    for (const [last, v] of [["22", 34], ["02", 2], ["1a", 26], ["ff", 255]] as const) {
      const signature = `${String(order.signature).slice(0, -2)}${last}`;
      const { status, contentType, text } = await desk.ask(
        "POST /api/v1/orders",
        { ...order, signature },
      );
      assertEquals([status, contentType], [422, "text/plain; charset=utf-8"]);
      assertEquals(
        text,
        "Failed to deserialize the JSON body into the target type: " +
          `invalid signature v value: ${v}, expected 0, 1, 27, or 28`,
      );
    }
  }
});
