import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { InputError, NATIVE_TOKEN_ADDRESS } from "orderlens";
import type { InteractionEvent } from "orderlens/evm";
import { type FlowsOfSettlement, isNotComputable, tokenImbalances } from "orderlens/metrics";
import { anyAmount } from "../amounts.ts";
import { CONTRACT, GOLD, moves, NOBODY, NOTHING, OWNER, PLACE, POOL } from "./token_moves.ts";
import { sale, SILVER, WETH } from "./token_moves.ts";

function netOf(flows: FlowsOfSettlement, wrappedNativeToken?: string): Record<string, bigint> {
  const found = tokenImbalances(
    flows,
    wrappedNativeToken === undefined ? {} : { wrappedNativeToken },
  );
  assert(!isNotComputable(found));
  assertEquals(found.unknown, []);
  return Object.fromEntries(found.tokens.map(({ token, netAtoms }) => [token, netAtoms]));
}

function unknownOf(flows: FlowsOfSettlement): string[] {
  const found = tokenImbalances(flows);
  assert(!isNotComputable(found));
  return found.unknown.map(({ token }) => token);
}

Deno.test("tokenImbalances() is what came in less what went out, of the contract alone", () => {
  assertEquals(
    netOf(sale(
      SILVER,
      moves(
        [GOLD, OWNER, CONTRACT, 100n],
        [GOLD, CONTRACT, POOL, 97n],
        [SILVER, POOL, CONTRACT, 41n],
        [SILVER, POOL, OWNER, 5n],
        [SILVER, CONTRACT, OWNER, 40n],
      ),
    )),
    { [GOLD]: 3n, [SILVER]: 1n },
  );
});

Deno.test("tokenImbalances() counts unwrapping as wrapped atoms out and native ones in", () => {
  const transfers = moves(
    [GOLD, OWNER, CONTRACT, 100n],
    [WETH, POOL, CONTRACT, 50n],
    [WETH, CONTRACT, NOBODY, 42n, "Withdrawal"],
  );
  const flows = sale(NATIVE_TOKEN_ADDRESS, transfers);
  const expected = { [GOLD]: 100n, [WETH]: 8n, [NATIVE_TOKEN_ADDRESS]: 2n };
  assertEquals(netOf(flows), expected);
  assertEquals(netOf(flows, WETH), expected);
  // Some wrapped tokens log a transfer to nobody besides.
  const twice = { ...flows, transfers: [...transfers, ...moves([WETH, CONTRACT, NOBODY, 42n])] };
  assertEquals(netOf(twice), expected);
});

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
  const alone = [called(GOLD, 0n, "0x095ea7b3"), called(WETH, 1n, "0xd0e30db0")];
  assertEquals(netOf({ ...wraps, events: alone }), { [NATIVE_TOKEN_ADDRESS]: -1n, [WETH]: 1n });
});

Deno.test("tokenImbalances() does not guess what a Deposit of another contract is", () => {
  const staked = moves([POOL, NOBODY, CONTRACT, 7n, "Deposit"]);
  const flows = { ...NOTHING, transfers: staked };
  assertEquals(unknownOf(flows), [POOL, NATIVE_TOKEN_ADDRESS]);
  assertEquals(netOf({ ...NOTHING, transfers: moves([POOL, NOBODY, OWNER, 7n, "Deposit"]) }), {});
  assertEquals(netOf(flows, POOL), { [POOL]: 7n });
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

Deno.test("tokenImbalances() needs all logs, unless the transaction failed", () => {
  const found = tokenImbalances({ ...NOTHING, hasAllLogs: false });
  assert(isNotComputable(found));
  assertEquals(found.reason, "logs_incomplete");
  assertEquals(netOf({ ...NOTHING, hasAllLogs: false, succeeded: false }), {});
  assertThrows(() => tokenImbalances(NOTHING, { wrapped: WETH } as never), InputError, "wrapped");
});

Deno.test("tokenImbalances() is the change of the contract's balances, whatever moves", () => {
  const anyone = fc.constantFrom(CONTRACT, OWNER, POOL, NOBODY);
  const anyMove = fc.tuple(fc.constantFrom(GOLD, SILVER), anyone, anyone, anyAmount());
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
    const found = tokenImbalances({ ...NOTHING, transfers });
    assert(!isNotComputable(found));
    assertEquals(found.unknown, []);
    const nets = new Map(found.tokens.map((one) => [one.token, one]));
    for (const token of [GOLD, SILVER]) {
      const { netAtoms = 0n, inAtoms = 0n, outAtoms = 0n } = nets.get(token) ?? {};
      assertEquals(netAtoms, balances.get(`${token} ${CONTRACT}`) ?? 0n);
      assertEquals(inAtoms - outAtoms, netAtoms);
      assert(inAtoms >= 0n && outAtoms >= 0n);
    }
  }));
});
