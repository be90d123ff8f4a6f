import { InputError } from "orderlens";
import { decodeSettlementEvents, type EventLog } from "orderlens/evm";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Chain, recordedRun, unpack } from "../../metrics/recorded_run.ts";

const CONTRACT = "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853";
const OWNER_TOPIC = `0x${"0".repeat(24)}${"a1".repeat(20)}`;
const UID = `0x${"12".repeat(56)}`;
const UID_WORDS = `${"0".repeat(62)}38${"12".repeat(56)}${"0".repeat(16)}`;

function log(topics: string[], data: string): EventLog {
  return {
    address: CONTRACT.toUpperCase().replace("0X", "0x"),
    topics,
    data,
    blockNumber: "0x10",
    transactionHash: `0x${"ab".repeat(32)}`,
    logIndex: 3n,
  };
}

const PLACE = {
  blockNumber: 16,
  logIndex: 3,
  transactionHash: `0x${"ab".repeat(32)}`,
  address: CONTRACT,
};

Deno.test("decodeSettlementEvents() returns the fills that the service reports", async () => {
  const run = await recordedRun("market_1");
  const events = decodeSettlementEvents(run.chain.logs);
  const trades = events.filter((event) => event.event === "Trade");
  assertEquals(trades.length, run.trades.size);
  for (const reported of run.trades.values()) {
    const event = trades.find((one) =>
      one.blockNumber === reported.blockNumber && one.logIndex === reported.logIndex
    );
    assert(event !== undefined);
    const { orderUid, owner, sellToken, buyToken, txHash } = reported;
    assertEquals(
      [event.orderUid, event.owner, event.sellToken, event.buyToken, event.transactionHash],
      [orderUid, owner, sellToken, buyToken, txHash ?? ""],
    );
    assertEquals(
      [event.sellAmount, event.buyAmount, event.sellAmount - event.feeAmount],
      [reported.sellAmount, reported.buyAmount, reported.sellAmountBeforeFees],
    );
  }
});

Deno.test("decodeSettlementEvents() keeps the order and number of the logs", async () => {
  const chain: Chain = JSON.parse(await unpack("market_1.chain.json.gz"));
  const events = decodeSettlementEvents(chain.logs);
  const counted = Object.fromEntries(
    [...Map.groupBy(events, (event) => event.event)].map(([name, { length }]) => [name, length]),
  );
  assertEquals(counted, { Trade: 664, Interaction: 1_575, Settlement: 637, PreSignature: 56 });
  assertEquals(
    events.map((event) => event.transactionHash),
    chain.logs.map((one) => one.transactionHash),
  );
});

Deno.test("decodeSettlementEvents() decodes an on-chain cancellation", () => {
  // keccak256("OrderInvalidated(address,bytes)").
  const topic = "0x875b6cb035bbd4ac6500fabc6d1e4ca5bdc58a3e2b424ccb5c24cdbebeb009a9";
  const data = `0x${"0".repeat(62)}20${UID_WORDS}`;
  assertEquals(decodeSettlementEvents([log([topic, OWNER_TOPIC], data)]), [
    { event: "OrderInvalidated", ...PLACE, owner: `0x${"a1".repeat(20)}`, orderUid: UID },
  ]);
});

Deno.test("decodeSettlementEvents() decodes a pre-signature and its withdrawal", () => {
  const topic = "0x01bf7c8b0ca55deecbea89d7e58295b7ffbf685fd0d96801034ba8c6ffe1c68d";
  const data = (signed: 0 | 1) => `0x${"0".repeat(62)}40${"0".repeat(63)}${signed}${UID_WORDS}`;
  const events = decodeSettlementEvents([
    log([topic, OWNER_TOPIC], data(1)),
    log([topic, OWNER_TOPIC], data(0)),
  ]);
  const owner = `0x${"a1".repeat(20)}`;
  assertEquals(events, [
    { event: "PreSignature", ...PLACE, owner, orderUid: UID, signed: true },
    { event: "PreSignature", ...PLACE, owner, orderUid: UID, signed: false },
  ]);
});

Deno.test("decodeSettlementEvents() keeps a log of an unknown event unchanged", () => {
  const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const topics = [transfer, OWNER_TOPIC, OWNER_TOPIC];
  assertEquals(decodeSettlementEvents([log(topics, "0x01"), log([], "0x")]), [
    { event: "other", ...PLACE, topics, data: "0x01" },
    { event: "other", ...PLACE, topics: [], data: "0x" },
  ]);
});

Deno.test("decodeSettlementEvents() rejects an event with invalid data", () => {
  const settlement = "0x40338ce1a7c49204f0099533b1e9a7ee0a3d261f84974ab7af36105b8c4e9db4";
  const trade = "0xa07a543ab8a018198e99ca0184c93fe9050a79400a0a723441f84de1d972cc17";
  assertThrows(
    () => decodeSettlementEvents([log([settlement], "0x")]),
    InputError,
    "Cannot decode log 3 of block 16: its data does not match its event",
  );
  assertThrows(() => decodeSettlementEvents([log([trade, OWNER_TOPIC], "0x00")]), InputError);
});
