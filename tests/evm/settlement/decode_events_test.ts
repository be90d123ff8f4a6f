import { connect, InputError, type Order } from "orderlens";
import {
  decodeEthFlowCall,
  decodeEthFlowEvents,
  decodeSettlementEvents,
  type EventLog,
  orderDomain,
  type SignableOrder,
} from "orderlens/evm";
import { replay } from "orderlens/recordings";
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  encodePacked,
  keccak256,
  parseAbi,
  stringToBytes,
} from "viem/utils";

/** The contract's interface as its own source has it, written down again. */
const ABI = parseAbi([
  "struct Order { address sellToken; address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; bytes32 kind; bool partiallyFillable; bytes32 sellTokenBalance; bytes32 buyTokenBalance; }",
  "struct OnchainSignature { uint8 scheme; bytes data; }",
  "struct Data { address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; bytes32 appData; uint256 feeAmount; uint32 validTo; bool partiallyFillable; int64 quoteId; }",
  "event OrderPlacement(address indexed sender, Order order, OnchainSignature signature, bytes data)",
  "event OrderInvalidation(bytes orderUid)",
  "event OrderRefund(bytes orderUid, address indexed refunder)",
  "function createOrder(Data order) payable returns (bytes32 orderHash)",
  "function invalidateOrder(Data order)",
  "function invalidateOrdersIgnoringNotAllowed(Data[] orderArray)",
]);
type Hex = `0x${string}`;
const [PLACEMENT] = ABI.filter((item) => item.type === "event" && item.name === "OrderPlacement");
const hash = (word: string) => keccak256(stringToBytes(word));
const PLACE = { blockNumber: 32, logIndex: 0, transactionHash: `0x${"ab".repeat(32)}` };
const UID = `0x${"12".repeat(56)}` as Hex;
const DOMAIN = orderDomain({ chainId: 1, settlementContract: `0x${"90".repeat(20)}` });

type Body = SignableOrder & Pick<Order, "owner" | "onchainUser">;

/** The log of a placement, with any part replaced. */
function placementLog(
  order: Body,
  { data = "0x", kind = order.kind, scheme = 0, signature = order.owner }: {
    data?: string;
    kind?: string;
    scheme?: number;
    signature?: string;
  } = {},
): EventLog {
  assert(PLACEMENT?.type === "event");
  return {
    ...PLACE,
    address: order.owner,
    topics: encodeEventTopics({
      abi: ABI,
      eventName: "OrderPlacement",
      args: { sender: order.onchainUser as Hex },
    }) as Hex[],
    data: encodeAbiParameters(PLACEMENT.inputs.slice(1), [
      {
        ...order,
        receiver: order.receiver ?? `0x${"00".repeat(20)}`,
        kind: hash(kind),
        sellTokenBalance: hash("erc20"),
        buyTokenBalance: hash("erc20"),
      },
      { scheme, data: signature },
      data,
    ] as never),
  };
}

for (const name of ["ethflow__eth_flow_tx", "ethflow__eth_flow_indexing_after_refund"]) {
  Deno.test(`decodeEthFlowEvents() computes the UIDs that the service has in ${name}`, async () => {
    const recording = await replay(name);
    const book = connect(recording);
    let found = 0;
    for (const uid of recording.recorded.orderUids) {
      const order = await book.order(uid);
      if (order.ethflowData == null) continue;
      const { userValidTo } = order.ethflowData;
      const data = encodePacked(["int64", "uint32"], [-7n, userValidTo]);
      const [event] = decodeEthFlowEvents([placementLog(order, { data })], book.domain);
      assert(event?.event === "OrderPlacement");
      assertEquals(event.orderUid, order.uid);
      assertEquals([event.owner, event.sender], [order.owner, order.onchainUser]);
      assertEquals([event.quoteId, event.userValidTo], [-7n, userValidTo]);
      assertEquals([event.signingScheme, event.signature], ["eip1271", "0x"]);
      found++;
    }
    assert(found > 0);
  });
}

const ORDER: Body = {
  owner: `0x${"e1".repeat(20)}`,
  onchainUser: `0x${"0d".repeat(20)}`,
  sellToken: `0x${"a1".repeat(20)}`,
  buyToken: `0x${"b2".repeat(20)}`,
  receiver: null,
  sellAmount: 100n,
  buyAmount: 200n,
  feeAmount: 3n,
  validTo: 2 ** 32 - 1,
  appData: `0x${"00".repeat(32)}`,
  kind: "sell",
  partiallyFillable: true,
};

Deno.test("decodeEthFlowEvents() reads placements of other contracts, refunds and cancellations", () => {
  const uidData = encodeAbiParameters([{ type: "bytes" }], [UID]);
  const refunder = `0x${"0f".repeat(20)}` as Hex;
  const emitted = (event: object, data: string): EventLog => ({
    ...PLACE,
    address: ORDER.owner,
    topics: encodeEventTopics({ abi: ABI, ...event } as never) as Hex[],
    data,
  });
  const logs: EventLog[] = [
    placementLog(ORDER, { scheme: 1, signature: `${ORDER.owner}1234`, data: "0x55" }),
    emitted({ eventName: "OrderInvalidation" }, uidData),
    emitted({ eventName: "OrderRefund", args: { refunder } }, uidData),
    { ...PLACE, address: ORDER.owner, topics: [hash("Deposit(address,uint256)")], data: "0x" },
  ];
  const [placed, invalidated, refunded, other] = decodeEthFlowEvents(logs, DOMAIN);
  assert(placed?.event === "OrderPlacement");
  assertEquals([placed.signingScheme, placed.signature], ["presign", "0x1234"]);
  assertEquals([placed.quoteId, placed.userValidTo, placed.data], [null, null, "0x55"]);
  assertEquals([placed.order.receiver, placed.order.kind], [null, "sell"]);
  const place = { ...PLACE, address: ORDER.owner, orderUid: UID };
  assertEquals(invalidated, { event: "OrderInvalidation", ...place });
  assertEquals(refunded, { event: "OrderRefund", ...place, refunder });
  assertEquals(other?.event, "other");
});

Deno.test("decodeEthFlowEvents() rejects logs that no contract emits", () => {
  const wrong = (log: EventLog, words: string) =>
    assertThrows(() => decodeEthFlowEvents([log], DOMAIN), InputError, words);
  const log = placementLog(ORDER);
  wrong({ ...log, data: log.data.slice(0, -64) }, "does not match its event");
  wrong({ ...log, topics: log.topics.slice(0, 1) }, "does not match its event");
  wrong(placementLog(ORDER, { kind: "swap" }), "is the hash of none of sell, buy");
  wrong(placementLog(ORDER, { scheme: 2 }), "its signing scheme is 2");
  wrong(placementLog(ORDER, { signature: "0x1234" }), "names no owner");
  const short = encodeAbiParameters([{ type: "bytes" }], ["0x1234"]);
  const topics = encodeEventTopics({ abi: ABI, eventName: "OrderInvalidation" }) as Hex[];
  wrong({ ...log, topics, data: short }, "has not 56 bytes");
});

Deno.test("decodeEthFlowCall() reads the orders of calls", () => {
  const { buyToken, sellAmount, buyAmount, appData, feeAmount, partiallyFillable } = ORDER;
  const order = {
    buyToken: buyToken as Hex,
    receiver: ORDER.onchainUser as Hex,
    sellAmount,
    buyAmount,
    feeAmount,
    partiallyFillable,
    appData: appData as Hex,
    validTo: 1_800_000_000,
    quoteId: -1n,
  };
  const input = (functionName: "createOrder" | "invalidateOrder") =>
    encodeFunctionData({ abi: ABI, functionName, args: [order] });
  assertEquals(decodeEthFlowCall(input("createOrder")), { action: "create", orders: [order] });
  const invalidated = { action: "invalidate", orders: [order] };
  assertEquals<unknown>(decodeEthFlowCall(input("invalidateOrder")), invalidated);
  const functionName = "invalidateOrdersIgnoringNotAllowed";
  const many = encodeFunctionData({ abi: ABI, functionName, args: [[order, order]] });
  assertEquals<unknown>(decodeEthFlowCall(many), { ...invalidated, orders: [order, order] });
  for (const end of [-1, -2]) {
    assertThrows(() => decodeEthFlowCall(input("createOrder").slice(0, end)), InputError);
  }
});

const CONTRACT = "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const OWNER_TOPIC = `0x${"0".repeat(24)}${"a1".repeat(20)}`;
const UID_WORDS = `${"0".repeat(62)}38${"12".repeat(56)}${"0".repeat(16)}`;

function log(topics: string[], data: string): EventLog {
  return {
    address: CONTRACT.toUpperCase().replace("0X", "0x"),
    topics,
    data,
    ...PLACE,
    blockNumber: "0x10",
    logIndex: 3n,
  };
}

const SETTLED = { ...PLACE, blockNumber: 16, logIndex: 3, address: CONTRACT };

const OWNER = `0x${"a1".repeat(20)}`;
// keccak256("OrderInvalidated(address,bytes)"), keccak256("PreSignature(address,bytes,bool)").
const INVALIDATED = "0x875b6cb035bbd4ac6500fabc6d1e4ca5bdc58a3e2b424ccb5c24cdbebeb009a9";
const PRE_SIGNED = "0x01bf7c8b0ca55deecbea89d7e58295b7ffbf685fd0d96801034ba8c6ffe1c68d";

Deno.test("decodeSettlementEvents() decodes cancellations and withdrawn pre-signatures, and returns other logs as such", () => {
  const words = (...numbers: string[]) =>
    `0x${numbers.map((one) => one.padStart(64, "0")).join("")}`;
  const transfer = [TRANSFER, OWNER_TOPIC, OWNER_TOPIC];
  const events = decodeSettlementEvents([
    log([INVALIDATED, OWNER_TOPIC], `${words("20")}${UID_WORDS}`),
    log([PRE_SIGNED, OWNER_TOPIC], `${words("40", "0")}${UID_WORDS}`),
    log(transfer, "0x01"),
    log([], "0x"),
  ]);
  assertEquals(events, [
    { event: "OrderInvalidated", ...SETTLED, owner: OWNER, orderUid: UID },
    { event: "PreSignature", ...SETTLED, owner: OWNER, orderUid: UID, signed: false },
    { event: "other", ...SETTLED, topics: transfer, data: "0x01" },
    { event: "other", ...SETTLED, topics: [], data: "0x" },
  ]);
});

Deno.test("decodeSettlementEvents() rejects an event with invalid data", () => {
  const settlement = "0x40338ce1a7c49204f0099533b1e9a7ee0a3d261f84974ab7af36105b8c4e9db4";
  const trade = "0xa07a543ab8a018198e99ca0184c93fe9050a79400a0a723441f84de1d972cc17";
  const says = "Cannot decode log 3 of block 16: its data does not match its event";
  assertThrows(() => decodeSettlementEvents([log([settlement], "0x")]), InputError, says);
  assertThrows(() => decodeSettlementEvents([log([trade, OWNER_TOPIC], "0x00")]), InputError);
});
