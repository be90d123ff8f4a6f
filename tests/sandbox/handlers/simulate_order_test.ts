import { assert, assertEquals } from "@std/assert";
import { decodeSettlement } from "../../../lib/evm/mod.ts";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "../../../lib/sandbox/mod.ts";
import { OrderDesk } from "../service/order_desk.ts";

const RECORDED = new URL("../../testdata/sandbox/simulations.ndjson", import.meta.url);
const PATH = "/restricted/api/v1/debug/simulation";

Deno.test("simulateOrder() encodes the calldata and the errors of the service", async () => {
  const [line] = (await Deno.readTextFile(RECORDED)).split("\n");
  const { requestBody, responseBody } = JSON.parse(line!);
  const desk = new OrderDesk(await openSandbox());
  const { status, text } = await desk.ask(`POST ${PATH}`, requestBody);
  assertEquals(status, 200);
  const [found, expected] = [JSON.parse(text), JSON.parse(responseBody)];
  // The owner has no funds here either.
  assertEquals(found.error, expected.error);
  assertEquals(found.tenderlyRequest.input, expected.tenderlyRequest.input);
  assertEquals(Object.keys(found.tenderlyRequest), Object.keys(expected.tenderlyRequest));
});

Deno.test("simulateKnownOrder() simulates an order of the book at its limit", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  const desk = new OrderDesk(sandbox);
  const uid = await desk.placed({ sellAmount: 10n ** 18n, buyAmount: 5n });
  const { status, text } = await desk.ask(`GET ${PATH}/${uid}?block_number=9`);
  assertEquals(status, 200);
  const { tenderlyRequest, error } = JSON.parse(text);
  assertEquals(error, null);
  assertEquals(tenderlyRequest.block_number, 9);
  assertEquals(tenderlyRequest.to, sandbox.description.settlementContract);
  const { clearingPrices, trades } = decodeSettlement(tenderlyRequest.input);
  assertEquals(clearingPrices, [5n, 10n ** 18n]);
  assertEquals(trades[0]?.executedAmount, 10n ** 18n);
});

Deno.test("simulateKnownOrder() names the reason why an order cannot be settled", async () => {
  const sandbox = await openSandbox({ seed: 7 });
  const desk = new OrderDesk(sandbox);
  const reason = async (uid: string) => {
    const { text } = await desk.ask(`GET ${PATH}/${uid}`);
    return /reverted: (.*?), data/.exec(JSON.parse(text).error ?? "")?.[1] ?? null;
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
  const sandbox = await openSandbox();
  const desk = new OrderDesk(sandbox);
  const { address } = DEVELOPMENT_ACCOUNTS[0]!;
  const owner = `0x${"c0".repeat(20)}`;
  const order = { ...await desk.order({ signingScheme: "eip1271", from: owner }), owner };
  const tried = async (body: unknown) =>
    JSON.parse((await desk.ask(`POST ${PATH}`, body)).text).error as string | null;
  assert((await tried(order))?.includes("GPv2: invalid eip1271 signature"));
  sandbox.registerVerifier(owner, () => true);
  assertEquals(await tried(order), null);
  assertEquals(await tried({ ...await desk.order(), owner: address }), null);
  const broken = { ...await desk.order(), owner: address, signature: `0x${"0".repeat(130)}` };
  assert((await tried(broken))?.includes("GPv2: invalid ecdsa signature"));
});
