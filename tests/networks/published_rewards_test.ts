import { assert, assertEquals } from "@std/assert";
import { listDatedRuleSets, NETWORKS, PUBLISHED_WEEKS, SERVICE_FEES } from "orderlens/networks";

/** Decimals of the texts at most: exact as integers of 10^-24. */
const DECIMALS = 24;

/** Reads a published decimal text, with or without an exponent, as an integer of 10^-24. */
function read(text: string): bigint {
  const [, sign, whole, fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e(-?\d+))?$/.exec(text) ?? [];
  assert(whole !== undefined, text);
  const shift = DECIMALS + Number(exponent) - fraction.length;
  assert(shift >= 0, text);
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(shift);
}

/** Whether two amounts differ by at most one part in 10^14, which is what doubles leave. */
function isNear(a: bigint, b: bigint): boolean {
  const [size, difference] = [a, a - b].map((value) => value < 0n ? -value : value);
  return difference! * 10n ** 14n <= size!;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

const [{ network, week, source, protocol_fee_native: fees, solvers }] = PUBLISHED_WEEKS as [
  typeof PUBLISHED_WEEKS[number],
];
const rules = listDatedRuleSets(network).findLast(({ name }) => name <= week)!;
const { share, spares } = SERVICE_FEES.findLast(({ since }) => since! <= week)!;

/** The price of COW as a fraction: the largest reimbursement in COW, and in the native token. */
const price = (() => {
  const { reimbursement_cow: cow, reimbursement_native: native } = solvers.find(({ name }) =>
    name === "prod-Curve"
  )!;
  return [read(cow), read(native)] as const;
})();

function toCow(native: bigint): bigint {
  return native * price[0] / price[1];
}

Deno.test("data/published_rewards.json has each solver once, with its source", () => {
  assertEquals([network, week, solvers.length], ["arbitrum_one", "2026-06-09", 28]);
  assertEquals(new Set(solvers.map(({ address }) => address)).size, 28);
  assert(solvers.every(({ address }) => /^0x[0-9a-f]{40}$/.test(address)));
  assert(source.startsWith("https://github.com/cowprotocol/solver-rewards/tree/"));
  assert(Object.isFrozen(solvers[0]));
});

Deno.test("published rewards follow the service fee in force in their week", () => {
  assertEquals(spares, "performance_and_consistency");
  for (const solver of solvers) {
    const whole = read(solver.performance_cow) + read(solver.consistency_cow);
    const isCharged = solver.has_service_fee && whole > 0n;
    const rest = share.denominator - (isCharged ? share.numerator : 0n);
    assert(isNear(read(solver.total_cow), whole * rest / share.denominator), solver.name);
  }
});

Deno.test("published rewards for quotes are whole numbers of the reward in force in their week", () => {
  const { nativeAtoms, cowAtoms } = rules.quoteReward!;
  const each = toCow(nativeAtoms * 10n ** 6n);
  assert(each < cowAtoms * 10n ** 6n);
  const counts = solvers.map((solver) => {
    const rest = share.denominator - (solver.has_service_fee ? share.numerator : 0n);
    const paid = read(solver.quotes_cow) * share.denominator / rest;
    const count = (paid + each / 2n) / each;
    assert(paid === 0n || isNear(paid, count * each), solver.name);
    return count;
  });
  assertEquals(sum(counts), 1_022n);
});

Deno.test("published performance and consistency are the share of the fees in force, to 6 parts in a million", () => {
  const { feeShare } = rules.rewards;
  const paid = sum(
    solvers.flatMap((one) => [read(one.performance_cow), read(one.consistency_cow)]),
  );
  const expected = toCow(read(fees) * feeShare!.numerator / feeShare!.denominator);
  const missing = expected - paid;
  assert(missing > 0n && missing * 1_000_000n < 6n * expected);
  // The rules before CIP-85 would have shared out all fees, or paid nothing for consistency.
  assertEquals(NETWORKS[network].rewards.findLast(({ since }) => since! < rules.name)?.feeShare, {
    numerator: 1n,
    denominator: 1n,
  });
});

Deno.test("the other published amounts of a solver follow from one another", () => {
  for (const solver of solvers) {
    const reimbursement = read(solver.reimbursement_native);
    const parts = read(solver.slippage_native) + read(solver.network_fee_native);
    assert(isNear(reimbursement, parts), solver.name);
    assert(isNear(read(solver.reimbursement_cow), toCow(reimbursement)), solver.name);
    const inCow = read(solver.total_cow) + toCow(reimbursement);
    if (solver.overdraft_native !== null) {
      assert(isNear(toCow(read(solver.overdraft_native)), inCow) && inCow < 0n, solver.name);
      assertEquals([solver.transfer_cow, solver.transfer_native], [null, null]);
      continue;
    }
    // A negative reimbursement is taken from the rewards in COW, a positive one is paid as it is.
    const [cow, native] = reimbursement < 0n
      ? [inCow, 0n]
      : [read(solver.total_cow), reimbursement];
    assert(isNear(read(solver.transfer_cow!), cow), solver.name);
    assert(isNear(read(solver.transfer_native!), native), solver.name);
  }
});
