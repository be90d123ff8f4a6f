import { connect, InputError, placeOrder, UnauthorizedError } from "orderlens";
import { inspectOrder, locate } from "orderlens/reports";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "orderlens/sandbox";
import { decodeOrderSimulation } from "orderlens/schemas";
import { parseOrderUid } from "orderlens/evm";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { privateKeyToAccount } from "viem/accounts";
import { FakeTransport } from "../endpoints/fake_transport.ts";

const ACCOUNT = privateKeyToAccount(DEVELOPMENT_ACCOUNTS[0]!.privateKey as `0x${string}`);
const NETWORK = {
  chainId: 1,
  settlementContract: "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
} as const;
const UID = `0x${"ab".repeat(56)}`;

Deno.test("simulate() says whether an order can be settled, stored or not", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 5 });
  const book = connect(sandbox);
  const [sellToken, buyToken] = sandbox.description.tokens.map(({ address }) => address);
  // A limit that nobody can meet keeps it open.
  const sale = { sellToken: sellToken!, buyToken: buyToken!, sellAmountBeforeFee: 10n ** 18n };
  const bounds = { minBuyAmount: 1n, slippageBps: 0 };
  const placed = await placeOrder(book, ACCOUNT, { kind: "sell", ...sale }, bounds);
  const found = await book.simulate(placed.uid);
  assertEquals(found.error ?? null, null);
  assertEquals(Object(found.tenderlyRequest).block_number, sandbox.description.block);
  const earlier = await book.simulate(placed.uid, { blockNumber: 1_001 });
  assertEquals(Object(earlier.tenderlyRequest).block_number, 1_001);
  const unsigned = { ...placed.creation, from: ACCOUNT.address, validTo: 1 };
  const { error } = await book.simulate(unsigned);
  assert(error?.includes("GPv2"), `${error}`);
  const ownerless = () => book.simulate({ ...unsigned, from: undefined } as never);
  await assertRejects(ownerless, InputError, "without its owner");
  const { evidence } = await inspectOrder(book, placed.uid);
  assertEquals(evidence.simulation?.error ?? null, null);
  assert(evidence.simulation !== null);
});

Deno.test("a simulation is read by both names of its request, and keeps what is new", () => {
  const request = { network_id: "1" };
  for (const name of ["tenderly_request", "tenderlyRequest"]) {
    const read = decodeOrderSimulation({ [name]: request, error: "no", tenderlyUrl: "u", more: 1 });
    assertEquals([read.tenderlyRequest, read.error, read.tenderlyUrl], [request, "no", "u"]);
    assertEquals(Object(read).more, 1);
  }
  assertThrows(() => decodeOrderSimulation({ error: 5 }));
});

Deno.test("a competition is asked of the operation for partners on request, by its id alone", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 5 });
  const book = connect(sandbox);
  const { auctionId } = await book.competition("latest");
  const asked = await book.competition(auctionId, { isRestricted: true });
  assertEquals(asked, await book.competition(auctionId));
  const latest = () => book.competition("latest", { isRestricted: true });
  await assertRejects(latest, InputError, "restricted");
  const transport = new FakeTransport(() => ({ status: 403, body: "no" }));
  const refused = await assertRejects(
    () => connect(transport, NETWORK).competition(7, { isRestricted: true }),
    UnauthorizedError,
  );
  assertEquals(transport.paths, ["/restricted/api/v2/solver_competition/7"]);
  assert(refused.remedy.includes("isRestricted"), refused.remedy);
});

Deno.test("a text of Solana is refused by name, wherever an EVM one is wanted", async () => {
  // The system program's neighbours: the wrapped native token, and a signature of 64 bytes.
  const address = "So11111111111111111111111111111111111111112";
  const signature =
    "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";
  const transport = new FakeTransport(() => ({ status: 500, body: "" }));
  const book = connect(transport, NETWORK);
  const refusals = [
    () => book.order(address),
    () => book.order(signature),
    () => book.transactionOrders(signature),
    () => Array.fromAsync(book.accountOrders(address)),
    () => book.nativePrice(address),
    () => inspectOrder(book, address),
    () => locate(address, { books: [book] }),
    () => Promise.resolve().then(() => parseOrderUid(address)),
  ];
  for (const refusal of refusals) {
    const error = await assertRejects(refusal, InputError);
    assert(error.message.includes("of Solana"), error.message);
    assert(error.message.includes("EVM network"), error.message);
  }
  assertEquals(transport.requests, []);
  // Hex without 0x is not taken for base58.
  const hex = await assertRejects(() => book.order(UID.slice(2)), InputError);
  assert(!hex.message.includes("Solana"));
});
