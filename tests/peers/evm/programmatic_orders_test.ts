import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { encodeAbiParameters, parseAbiParameters } from "viem";
import {
  decodeTwap,
  programmaticOrderId,
  programmaticOrders,
  type ProgrammaticParams,
  twapParts,
  type TwapTerms,
} from "../../../lib/evm/mod.ts";
import { COW_SHED_FACTORIES, NETWORKS, TWAP_HANDLER } from "../../../lib/networks/mod.ts";
import {
  accountText,
  inspectAccount,
  inspectOrder,
  inspectTransaction,
  orderText,
} from "../../../lib/reports/mod.ts";
import { bookThat } from "./book_of.ts";
import { type Protocol, testOnChain } from "./protocol.ts";

const TERMS = parseAbiParameters(
  "address sellToken, address buyToken, address receiver, uint256 partSellAmount, uint256 minPartLimit, uint256 t0, uint256 n, uint256 t, uint256 span, bytes32 appData",
);
const COMPOSABLE_COW = NETWORKS.mainnet.contracts.composableCow;
const OWNER = `0x${"5e".repeat(20)}`;
const HOUR = 3_600;

/** Puts the contract of programmatic orders and the factory at their public addresses. */
async function placePublic({ node, at }: Protocol): Promise<void> {
  const [orders, factory] = [await node.codeOf(at.composableCow), await node.codeOf(at.proxies)];
  await node.ask([
    { method: "anvil_setCode", params: [COMPOSABLE_COW, orders] },
    { method: "anvil_setCode", params: [COW_SHED_FACTORIES[0], factory] },
    { method: "anvil_setBalance", params: [OWNER, "0xde0b6b3a7640000"] },
  ]);
}

function paramsOf(
  { at }: Protocol,
  salt: string,
  terms: Partial<TwapTerms> = {},
): ProgrammaticParams {
  const whole = {
    sellToken: at.gold,
    buyToken: at.silver,
    receiver: `0x${"00".repeat(20)}`,
    partSellAmount: 1_000n,
    minPartLimit: 900n,
    t0: 0n,
    n: 4n,
    t: BigInt(HOUR),
    span: 600n,
    appData: `0x${"00".repeat(32)}`,
    ...terms,
  };
  const values = TERMS.map(({ name }) => whole[name as keyof typeof whole]);
  const staticInput = encodeAbiParameters(TERMS, values as never);
  return { handler: TWAP_HANDLER, salt: `0x${salt.repeat(32)}`, staticInput };
}

async function create(protocol: Protocol, from: string, params: ProgrammaticParams) {
  const to = COMPOSABLE_COW;
  const receipt = await protocol.act("composableCow", "create", [params], { from, to });
  const { number: block, seconds: start } = await protocol.node.block();
  return { txHash: receipt.transactionHash, start, block };
}

/** A deployment that has some orders: their bodies by UID. */
function bookWith(protocol: Protocol, bodies: readonly { readonly uid: string }[]) {
  return bookThat(protocol, (place, body) => {
    if (place.endsWith("/by_uids")) {
      const uids: string[] = JSON.parse(String(body));
      return bodies.filter(({ uid }) => uids.includes(uid)).map((order) => ({ order }));
    }
    const isList = /\/account\/|\/trades$/.test(place);
    return bodies.find(({ uid }) => place === `/api/v1/orders/${uid}`) ?? (isList ? [] : undefined);
  });
}

const FOUND = "a TWAP of a trader's proxy is found, and which of its parts was never posted";
testOnChain(FOUND, async (protocol) => {
  await placePublic(protocol);
  const { node, traders, domain } = protocol;
  const trader = traders[0]!.address.toLowerCase();
  const to = COW_SHED_FACTORIES[0]!;
  await protocol.act("proxies", "setProxy", [OWNER], { from: trader, to });
  const params = paramsOf(protocol, "01");
  const { txHash, start, block } = await create(protocol, OWNER, params);
  await node.mine(start + 2 * HOUR + 10);

  const { orders, at } = await programmaticOrders(node.url, { account: trader });
  assertEquals(at.epochMilliseconds, 1_000 * (start + 2 * HOUR + 10));
  const terms = { ...decodeTwap(params.staticInput), t0: BigInt(start) };
  const id = programmaticOrderId(params);
  assertEquals(orders, [{
    event: "ConditionalOrderCreated",
    owner: OWNER,
    params,
    id,
    terms,
    trader,
    isAllowed: true,
    startUnknown: null,
    address: COMPOSABLE_COW,
    transactionHash: txHash,
    blockNumber: block,
    logIndex: 0,
  }]);
  // The owner's own, of its transaction, of its handler; none of others.
  const of = async (which: object) => (await programmaticOrders(node.url, which)).orders.length;
  assertEquals(await of({ account: OWNER }), 1);
  assertEquals(await of({ txHash }), 1);
  assertEquals(await of({ handler: TWAP_HANDLER, fromBlock: block }), 1);
  assertEquals(await of({ handler: OWNER }), 0);
  assertEquals(await of({ fromBlock: 0, toBlock: block - 1 }), 0);
  assertEquals(await of({ account: traders[1]!.address }), 0);

  // Part 1 is filled, part 2 was forgotten, part 3 is open, part 4 begins in an hour.
  const parts = [...twapParts(domain, { owner: OWNER, terms })];
  const payload = encodeAbiParameters(
    parseAbiParameters([
      "bytes32[12] order, Payload payload",
      "struct Payload { bytes32[] proof; Params params; bytes offchainInput; }",
      "struct Params { address handler; bytes32 salt; bytes staticInput; }",
    ]),
    [
      Array(12).fill(`0x${"00".repeat(32)}`) as never,
      { proof: [], params: params as never, offchainInput: "0x" },
    ],
  );
  const [filled, forgotten, open, later] = parts.map(({ uid, order, validFrom }, place) => ({
    uid,
    owner: OWNER,
    receiver: null,
    signingScheme: "eip1271",
    signature: payload,
    sellToken: order.sellToken,
    buyToken: order.buyToken,
    kind: "sell",
    class: "limit",
    sellAmount: "1000",
    buyAmount: "900",
    feeAmount: "0",
    validTo: order.validTo,
    appData: order.appData,
    partiallyFillable: false,
    sellTokenBalance: "erc20",
    buyTokenBalance: "erc20",
    status: place === 0 ? "fulfilled" : "open",
    creationDate: new Date(1_000 * (validFrom + 1)).toISOString(),
    invalidated: false,
    executedSellAmount: place === 0 ? "1000" : "0",
    executedFeeAmount: "0",
    executedSellAmountBeforeFees: place === 0 ? "1000" : "0",
    executedFee: "0",
    executedBuyAmount: place === 0 ? "901" : "0",
  }));
  const book = bookWith(protocol, [filled!, open!]);
  const states = ["fulfilled", "never_posted", "open", "not_due"];
  const sentence = "TWAP of 4 parts: 1 filled, 1 open, 1 never posted, 1 not due.";

  const account = await inspectAccount(book, trader, { node: node.url });
  const [twap] = account.programmatic;
  assertEquals(twap!.parts.map(({ state }) => state), states);
  assertEquals(twap!.parts.map(({ uid }) => uid), parts.map(({ uid }) => uid));
  assertEquals([twap!.sentence, twap!.trader, twap!.owner], [sentence, trader, OWNER]);
  assertEquals(
    account.sentence,
    "This deployment has no order of this account. It created 1 programmatic order, 1 by its CoW Shed proxy.",
  );
  assertStringIncludes(accountText(account), "never posted");

  const created = await inspectTransaction(book, txHash, { node: node.url });
  assertEquals(
    [created.isFound, created.sentence, created.programmatic[0]?.txHash],
    [true, `Created 1 programmatic order. ${sentence}`, txHash],
  );

  const missing = await inspectOrder(book, forgotten!.uid, { node: node.url });
  const time = (seconds: number) => new Date(1_000 * seconds).toISOString().replace(".000", "");
  assertEquals([missing.verdict, missing.sentence], [
    "part_not_posted",
    `Part 2 of 4 of a TWAP was never posted: it was valid from ${time(start + HOUR)} to ${
      time(start + HOUR + 599)
    }.`,
  ]);
  assertStringIncludes(orderText(missing), "part_not_posted");
  const early = await inspectOrder(book, later!.uid, { node: node.url });
  assertStringIncludes(early.sentence, "Part 4 of 4 of a TWAP is not posted yet");
  const stranger = `0x${"12".repeat(56)}`;
  assertEquals((await inspectOrder(book, stranger, { node: node.url })).verdict, "unknown_here");

  // The signature of a part has the terms; the node has the start.
  const now = at;
  const part = await inspectOrder(book, open!.uid, { node: node.url, now });
  assertEquals(part.programmatic?.parts.map(({ state }) => state), states);
  assertEquals([part.programmatic?.id, part.programmatic?.sentence], [id, sentence]);
  const blind = await inspectOrder(book, open!.uid, { now });
  assertEquals(
    blind.programmatic?.sentence,
    "TWAP of 4 parts, one every 1 h, whose start is not known.",
  );
  assert(blind.unknown.some(({ what }) => what === "twap_start"));

  // Removed, it keeps its start in the states of earlier blocks.
  const owner = { from: OWNER, to: COMPOSABLE_COW };
  await protocol.act("composableCow", "remove", [id], owner);
  const [removed] = (await programmaticOrders(node.url, { account: trader })).orders;
  assertEquals([removed!.isAllowed, removed!.terms?.t0], [false, BigInt(start)]);
  const after = await inspectOrder(book, forgotten!.uid, { node: node.url });
  assertStringIncludes(after.sentence, "and its owner has removed the TWAP.");
  const signed = await inspectOrder(book, open!.uid, { node: node.url, now });
  assertEquals(signed.programmatic?.terms?.t0, BigInt(start));
});

const STARTS = "TWAPs with a start of their own, and terms that the contract refuses";
testOnChain(STARTS, async (protocol) => {
  await placePublic(protocol);
  const { node } = protocol;
  const later = 4_000_000_000n;
  await create(protocol, OWNER, paramsOf(protocol, "01", { t0: later, n: 600n }));
  await create(protocol, OWNER, paramsOf(protocol, "02", { n: 1n }));
  const { handler: _, ...rest } = paramsOf(protocol, "03");
  const other = { ...rest, handler: `0x${"77".repeat(20)}` };
  await create(protocol, OWNER, other);
  const again = await create(protocol, OWNER, other);
  const book = bookWith(protocol, []);
  const { programmatic: found } = await inspectAccount(book, OWNER, { node: node.url });
  assertEquals(found.map(({ sentence }) => sentence), [
    "TWAP of 600 parts, of which 500 are listed: 500 not due.",
    'TWAP of 1 parts, which the contract refuses with "invalid num parts".',
    `Programmatic order of the handler ${other.handler}.`,
  ]);
  assertEquals(found[0]!.terms?.t0, later);
  assertEquals(found.map(({ txHash }) => txHash).at(-1), again.txHash);
});
