import { InputError, NATIVE_TOKEN_ADDRESS, NETWORKS } from "orderlens";
import type { InteractionEvent, SettlementTrade, TokenTransfer, TradeEvent } from "orderlens/evm";
import {
  type FlowsOfSettlement,
  type ImbalanceOptions,
  tokenFlows,
  tokenImbalances,
} from "orderlens/metrics";
import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { anyAmount, assertReason, computed } from "../fixtures.ts";

const CONTRACT = `0x${"90".repeat(20)}`;
const SOLVER = `0x${"50".repeat(20)}`;
const OWNER = `0x${"01".repeat(20)}`;
const FRIEND = `0x${"03".repeat(20)}`;
const POOL = `0x${"02".repeat(20)}`;
const GOLD = `0x${"a1".repeat(20)}`;
const SILVER = `0x${"b2".repeat(20)}`;
const NOBODY = `0x${"0".repeat(40)}`;
const WETH = NETWORKS.mainnet.wrappedNativeToken.address.toLowerCase();
/** Where a log is. */
const PLACE = { address: CONTRACT, blockNumber: 1, logIndex: 0, transactionHash: "0x01" };

/** A settlement that moves nothing. */
const NOTHING: FlowsOfSettlement = {
  from: SOLVER,
  to: CONTRACT,
  succeeded: true,
  events: [],
  trades: [],
  transfers: [],
  hasAllLogs: true,
};

type Move = [
  token: string,
  from: string,
  to: string,
  atoms: bigint,
  event?: "Deposit" | "Withdrawal",
];

/** Logs of what moves, in order. */
function moves(...all: Move[]): TokenTransfer[] {
  return all.map(([token, from, to, atoms, event = "Transfer" as const], logIndex) => ({
    event,
    token,
    from,
    to,
    atoms,
    logIndex,
  }));
}

/** One trade of 100 gold for 40 of a token, which the owner gets or somebody else. */
function sale(
  buyToken: string,
  transfers: TokenTransfer[],
  receiver: string | null = null,
): FlowsOfSettlement {
  const event: TradeEvent = {
    ...PLACE,
    event: "Trade",
    owner: OWNER,
    sellToken: GOLD,
    buyToken,
    sellAmount: 100n,
    buyAmount: 40n,
    feeAmount: 0n,
    orderUid: "0x",
  };
  const trade = { receiver, sellTokenBalance: "erc20", buyTokenBalance: "erc20" };
  return { ...NOTHING, events: [event], trades: [trade as SettlementTrade], transfers };
}

function saleToFriend(buyToken: string, transfers: TokenTransfer[]): FlowsOfSettlement {
  return sale(buyToken, transfers, FRIEND);
}

/** Each as `100 0xa1… of trader to contract`, with the first byte of the token. */
function told(of: FlowsOfSettlement): string[] {
  return computed(tokenFlows(of)).flows.map(({ atoms, token, fromRole, toRole }) =>
    `${atoms} ${token.slice(0, 4)} ${fromRole} ${toRole}`
  );
}

Deno.test("tokenFlows() states the roles of accounts, in the order of the logs", () => {
  const flows = saleToFriend(
    SILVER,
    moves(
      [GOLD, OWNER, CONTRACT, 100n],
      [GOLD, CONTRACT, POOL, 97n],
      [GOLD, POOL, NOBODY, 7n],
      [SILVER, POOL, CONTRACT, 41n],
      [GOLD, CONTRACT, SOLVER, 0n],
      [GOLD, CONTRACT, SOLVER, 1n],
      [SILVER, CONTRACT, FRIEND, 40n],
    ),
  );
  assertEquals(told({ ...flows, transfers: flows.transfers.toReversed() }), [
    "100 0xa1 trader contract",
    "97 0xa1 contract other",
    "7 0xa1 other nobody",
    "41 0xb2 other contract",
    "1 0xa1 contract solver",
    "40 0xb2 contract trader",
  ]);
  assertEquals(netOf(flows), { [GOLD]: 2n, [SILVER]: 1n });
});

Deno.test("tokenFlows() exchanges wrapped and unwrapped atoms with the wrapped native token", () => {
  const unwrapped = moves(
    [GOLD, OWNER, CONTRACT, 100n],
    [WETH, POOL, CONTRACT, 50n],
    [WETH, CONTRACT, NOBODY, 42n, "Withdrawal"],
  );
  const expected = [
    "100 0xa1 trader contract",
    `50 ${WETH.slice(0, 4)} other contract`,
    `42 ${WETH.slice(0, 4)} contract wrapper`,
    "42 0xee wrapper contract",
    "40 0xee contract trader",
  ];
  // Some wrapped tokens log a transfer to nobody besides.
  const twice = [...unwrapped, { ...unwrapped[2]!, event: "Transfer" as const }];
  for (const transfers of [unwrapped, twice]) {
    const flows = saleToFriend(NATIVE_TOKEN_ADDRESS, transfers);
    assertEquals(told(flows), expected);
    for (const options of [{}, { wrappedNativeToken: WETH }]) {
      assertEquals(netOf(flows, options), { [GOLD]: 100n, [WETH]: 8n, [NATIVE_TOKEN_ADDRESS]: 2n });
    }
  }
  const wrapping: FlowsOfSettlement = {
    ...NOTHING,
    transfers: moves([WETH, NOBODY, CONTRACT, 5n, "Deposit"]),
    events: [{
      ...PLACE,
      event: "Interaction",
      target: WETH,
      value: 5n,
      selector: "0xd0e30db0",
      logIndex: 1,
    }],
  };
  assertEquals(told(wrapping), [
    `5 ${WETH.slice(0, 4)} wrapper contract`,
    "5 0xee contract wrapper",
  ]);
});

/** What the flows leave in the contract, by token; the same as `tokenImbalances` must say. */
function assertSameNets(of: FlowsOfSettlement, options: ImbalanceOptions = {}): void {
  const found = computed(tokenFlows(of, options));
  const nets = new Map<string, bigint>();
  for (const { token, fromRole, toRole, atoms } of found.flows) {
    const sign = BigInt(toRole === "contract") - BigInt(fromRole === "contract");
    nets.set(token, (nets.get(token) ?? 0n) + sign * atoms);
  }
  const imbalances = computed(tokenImbalances(of, options));
  for (const [index, { leastNetAtoms, ...unknown }] of imbalances.unknown.entries()) {
    assertEquals(found.unknown[index], unknown);
    if (leastNetAtoms !== undefined) assertEquals(nets.get(unknown.token), leastNetAtoms);
  }
  assertEquals(found.unknown.length, imbalances.unknown.length);
  for (const { token, netAtoms } of imbalances.tokens) assertEquals(nets.get(token), netAtoms);
  const known = new Set([...imbalances.tokens, ...found.unknown].map(({ token }) => token));
  for (const [token, net] of nets) assert(known.has(token) || net === 0n);
}

function imbalancesOf(flows: FlowsOfSettlement, options: ImbalanceOptions = {}) {
  assertSameNets(flows, options);
  return computed(tokenImbalances(flows, options));
}

function netOf(flows: FlowsOfSettlement, options: ImbalanceOptions = {}): Record<string, bigint> {
  const found = imbalancesOf(flows, options);
  assertEquals(found.unknown, []);
  return Object.fromEntries(found.tokens.map(({ token, netAtoms }) => [token, netAtoms]));
}

function unknownOf(flows: FlowsOfSettlement): string[] {
  return imbalancesOf(flows).unknown.map(({ token }) => token);
}

Deno.test("tokenImbalances() knows no native atoms where a called contract may pay them in", () => {
  const called = (target: string, value: bigint, selector: string): InteractionEvent => ({
    ...PLACE,
    event: "Interaction",
    target,
    value,
    selector,
  });
  // The pool pays one native atom in, without a log, and the contract wraps it.
  const wraps = {
    ...NOTHING,
    events: [called(POOL, 0n, "0x022c0d9f"), called(WETH, 1n, "0xd0e30db0")],
    transfers: moves([WETH, NOBODY, CONTRACT, 1n, "Deposit"]),
  };
  assertEquals(unknownOf(wraps), [NATIVE_TOKEN_ADDRESS]);
  // Nothing is known to have come in, and one went out.
  assertEquals(imbalancesOf(wraps).unknown[0]?.leastNetAtoms, -1n);
  const alone = [called(GOLD, 0n, "0x095ea7b3"), called(WETH, 1n, "0xd0e30db0")];
  assertEquals(netOf({ ...wraps, events: alone }), { [NATIVE_TOKEN_ADDRESS]: -1n, [WETH]: 1n });
});

Deno.test("tokenImbalances() does not interpret a Deposit of another contract", () => {
  const staked = moves([POOL, NOBODY, CONTRACT, 7n, "Deposit"]);
  const flows = { ...NOTHING, transfers: staked };
  assertEquals(unknownOf(flows), [POOL, NATIVE_TOKEN_ADDRESS]);
  assertEquals(told(flows), []);
  assertEquals(netOf({ ...NOTHING, transfers: moves([POOL, NOBODY, OWNER, 7n, "Deposit"]) }), {});
  assertEquals(netOf(flows, { wrappedNativeToken: POOL }), { [POOL]: 7n });
});

Deno.test("tokenImbalances() is unknown for a token whose trade its logs do not show", () => {
  const withFee = moves(
    [GOLD, OWNER, CONTRACT, 99n],
    [GOLD, OWNER, POOL, 1n],
    [SILVER, CONTRACT, OWNER, 40n],
  );
  assertEquals(unknownOf(sale(SILVER, withFee)), [GOLD]);
  assertEquals(unknownOf(sale(SILVER, withFee.slice(0, 2))), [GOLD, SILVER]);
});

Deno.test("tokenFlows() and tokenImbalances() need all logs, unless the transaction failed", () => {
  for (const read of [tokenFlows, tokenImbalances]) {
    assertReason(read({ ...NOTHING, hasAllLogs: false }), "logs_incomplete");
    assertThrows(() => read(NOTHING, { wrapped: WETH } as never), InputError, "wrapped");
  }
  assertEquals(netOf({ ...NOTHING, hasAllLogs: false, succeeded: false }), {});
});

Deno.test("tokenFlows() knows kept balances, sold twice, paid to itself, called through and burned", () => {
  const weth = WETH.slice(0, 4);
  const logs = moves([GOLD, OWNER, CONTRACT, 100n], [SILVER, CONTRACT, OWNER, 40n]);
  const one = sale(SILVER, logs);
  // Balances inside of the vault move without a transfer of the token.
  const internal = { sellTokenBalance: "internal", buyTokenBalance: "internal" };
  const kept = { ...one, trades: [{ ...one.trades[0]!, ...internal } as SettlementTrade] };
  assertEquals(netOf({ ...kept, transfers: [] }), {});

  const twice = { events: [...one.events, ...one.events], trades: [...one.trades, ...one.trades] };
  assertEquals(unknownOf({ ...one, ...twice }), [GOLD, SILVER]);
  assertEquals(netOf({ ...one, ...twice, transfers: [...logs, ...logs] }), {
    [GOLD]: 200n,
    [SILVER]: -80n,
  });

  const toItself = sale(NATIVE_TOKEN_ADDRESS, logs.slice(0, 1), CONTRACT);
  assertEquals(told(toItself), ["100 0xa1 trader contract"]);

  const paid = saleToFriend(NATIVE_TOKEN_ADDRESS, logs.slice(0, 1));
  assertEquals(netOf(paid), { [GOLD]: 100n, [NATIVE_TOKEN_ADDRESS]: -40n });
  assertEquals(unknownOf({ ...paid, through: POOL }), [NATIVE_TOKEN_ADDRESS]);

  const burned = { ...NOTHING, transfers: moves([WETH, POOL, NOBODY, 5n, "Withdrawal"]) };
  assertEquals(told(burned), [`5 ${weth} other wrapper`]);
});

Deno.test("tokenImbalances() is the change of the contract's balances, whatever moves", () => {
  const anyone = fc.constantFrom(CONTRACT, OWNER, POOL, NOBODY);
  const anyMove = fc.tuple(fc.constantFrom(GOLD, WETH), anyone, anyone, anyAmount());
  fc.assert(fc.property(fc.array(anyMove, { maxLength: 40 }), (all) => {
    const transfers = moves(...all);
    const balances = new Map<string, bigint>();
    const add = (token: string, account: string, atoms: bigint) => {
      const key = `${token} ${account}`;
      balances.set(key, (balances.get(key) ?? 0n) + atoms);
    };
    for (const { token, from, to, atoms } of transfers) {
      add(token, from, -atoms);
      add(token, to, atoms);
    }
    const found = imbalancesOf({ ...NOTHING, transfers });
    assertEquals(found.unknown, []);
    const nets = new Map(found.tokens.map((one) => [one.token, one]));
    for (const token of [GOLD, WETH]) {
      const { netAtoms = 0n, inAtoms = 0n, outAtoms = 0n } = nets.get(token) ?? {};
      assertEquals(netAtoms, balances.get(`${token} ${CONTRACT}`) ?? 0n);
      assertEquals(inAtoms - outAtoms, netAtoms);
      assert(inAtoms >= 0n && outAtoms >= 0n);
    }
  }));
});
