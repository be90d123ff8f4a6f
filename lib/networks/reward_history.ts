import { parseAtoms, type Ratio, ratio } from "../units/mod.ts";
import { NATIVE_DECIMALS } from "../units/parse_atoms.ts";
import type {
  DatedRule,
  DeadlineRule,
  ExcludedAuctions,
  NetworkName,
  QuoteReward,
  RewardRules,
} from "./network.ts";

const COW_OF_QUOTE = parseAtoms("6", 18);
export const [HALF_OF_FEES, ALL_FEES]: readonly [Ratio, Ratio] = [ratio(1n, 2n), ratio(1n, 1n)];

const REWARDS_CODE = "https://github.com/cowprotocol/solver-rewards/commit/";
const REWARDS_DOCS = "https://github.com/cowprotocol/docs/commit/";
const QUERIES = "https://github.com/cowprotocol/dune-queries/commit/";

/** The first day of the rules of a network, in native tokens. */
interface RewardStart {
  /** The first day on which solvers of the network were rewarded by these rules. */
  readonly begin: DatedRule & { readonly since: string };
  /** c_u until CIP-74; `null` where there never was one. */
  readonly upperCap: string | null;
  /** c_l. */
  readonly lowerCap: string;
  /** β since CIP-85. */
  readonly feeShare: Ratio;
  /** Native amount for a quote at first, and since CIP-72 if that is another one. */
  readonly quotes: readonly [first: string, later?: string];
}

/** By network; a source for each. */
const STARTS: Partial<Record<NetworkName, RewardStart>> = {
  // The score of the settlement in place of observed quality; CIP-38's caps.
  mainnet: {
    begin: {
      since: "2024-07-16",
      span: ["2024-07-09", "2024-07-16"],
      sure: "C",
      source: `${REWARDS_CODE}e163e7c`,
    },
    upperCap: "0.012",
    lowerCap: "0.01",
    feeShare: HALF_OF_FEES,
    quotes: ["0.0006", "0.0007"],
  },
  // Earlier weeks were paid later, by issue 466: which, it does not say.
  xdai: {
    begin: { since: "2024-12-03", sure: "C", source: `${REWARDS_CODE}0e6e804` },
    upperCap: "10",
    lowerCap: "10",
    feeShare: ALL_FEES,
    quotes: ["0.15"],
  },
  arbitrum_one: {
    begin: { since: "2024-12-03", sure: "C", source: `${REWARDS_CODE}b4727c4` },
    upperCap: "0.012",
    lowerCap: "0.01",
    feeShare: HALF_OF_FEES,
    quotes: ["0.0002", "0.00024"],
  },
  base: {
    begin: { since: "2024-12-17", sure: "B", source: `${REWARDS_CODE}d2b1e4a` },
    upperCap: "0.012",
    lowerCap: "0.01",
    feeShare: HALF_OF_FEES,
    quotes: ["0.0002", "0.00024"],
  },
  avalanche: {
    begin: { since: "2025-07-01", sure: "B", source: `${REWARDS_CODE}807c2ad` },
    upperCap: "0.4",
    lowerCap: "0.3",
    feeShare: ALL_FEES,
    quotes: ["0.005", "0.006"],
  },
  polygon: {
    begin: { since: "2025-07-15", sure: "B", source: `${REWARDS_CODE}641f8af` },
    upperCap: "40",
    lowerCap: "30",
    feeShare: ALL_FEES,
    quotes: ["0.5", "0.6"],
  },
  bnb: {
    begin: { since: "2025-10-28", sure: "B", source: `${REWARDS_CODE}01eb4de` },
    upperCap: "0.048",
    lowerCap: "0.04",
    feeShare: ALL_FEES,
    quotes: ["0.001"],
  },
  linea: {
    begin: { since: "2025-11-25", sure: "B", source: `${REWARDS_CODE}5b321db` },
    upperCap: null,
    lowerCap: "0.0015",
    feeShare: ALL_FEES,
    quotes: ["0.00003"],
  },
  plasma: {
    begin: { since: "2026-01-13", sure: "B", source: `${REWARDS_CODE}c6c96eb` },
    upperCap: null,
    lowerCap: "30",
    feeShare: ALL_FEES,
    quotes: ["0.6"],
  },
  ink: {
    begin: { since: "2026-03-03", sure: "B", source: `${REWARDS_CODE}87ea357` },
    upperCap: null,
    lowerCap: "0.0015",
    feeShare: ALL_FEES,
    quotes: ["0.00003"],
  },
};

/** A day on which a part of the rules changed. */
type RuleChange = DatedRule & { readonly since: string } & Partial<RewardRules>;

/** Lists the changes on every network, oldest first; a network has those after its first day. */
function listChanges({ upperCap, feeShare }: RewardStart): RuleChange[] {
  return [
    // CIP-48: no more participation rewards.
    {
      since: "2024-07-23",
      sure: "A",
      source: `${REWARDS_CODE}7215ba7`,
      hasConsistency: false,
      consistencyMetric: "none",
    },
    {
      since: "2024-08-13",
      sure: "B",
      source: `${REWARDS_CODE}9c1a602`,
      graceBlocks: 1,
    },
    {
      since: "2025-02-18",
      sure: "B",
      source: `${REWARDS_CODE}3bb7ab8`,
      graceBlocks: 0,
    },
    // CIP-67: several winners, so that a reference can be above the total. Since when it is limited to
    // the total, no source states; payments of 2026-08-01 follow it.
    {
      since: "2025-06-24",
      span: ["2025-06-03", "2025-06-24"],
      sure: "C",
      source: `${QUERIES}a0afecd`,
      limitsReference: null,
    },
    // CIP-74.
    {
      since: "2025-11-25",
      ...upperCap !== null && { span: ["2025-11-18", "2025-11-25"] as const },
      sure: "C",
      source: `${REWARDS_DOCS}f47810d2`,
      asOf: "2025-11",
      feeShare: ALL_FEES,
    },
    // CIP-85.
    {
      since: "2026-04-14",
      sure: "B",
      source: `${REWARDS_DOCS}188c94c8`,
      asOf: "2026-04",
      feeShare,
      hasConsistency: true,
      consistencyMetric: "executed_orders",
    },
    {
      since: "2026-06-30",
      sure: "A",
      source: `${REWARDS_DOCS}c793c55f`,
      asOf: "2026-08",
      consistencyMetric: "order_share",
    },
    {
      since: "2026-07-28",
      sure: "A",
      source: "https://github.com/fhenneke/cow-competition-loo/blob/5f0a701/docs/rewards.md",
      limitsReference: true,
    },
    // CIP-87 was in review the day before; its first day is not published.
    {
      since: "2026-08-25",
      sure: "C",
      source: "https://github.com/cowprotocol/services/pull/4773",
      hasOrderCaps: null,
    },
  ];
}

function toAtoms(amount: string): bigint {
  return parseAtoms(amount, NATIVE_DECIMALS);
}

/** Lists the rules of a network by their first day, newest last; none if no source states any. */
export function listRewardRules(name: NetworkName): RewardRules[] {
  const start = STARTS[name];
  if (start === undefined) return [];
  const { begin, upperCap, lowerCap } = start;
  const isBegun = ({ since }: RuleChange) => since <= begin.since;
  let rules: Omit<RewardRules, keyof DatedRule> = {
    asOf: begin.since.slice(0, 7),
    feeShare: upperCap === null ? ALL_FEES : null,
    ...upperCap !== null && { upperCapAtoms: toAtoms(upperCap) },
    lowerCapAtoms: toAtoms(lowerCap),
    hasConsistency: true,
    consistencyMetric: "auctions",
  };
  const apply = ({ since: _, span: __, sure: ___, source: ____, ...part }: RuleChange) => {
    rules = { ...rules, ...part };
    if (rules.feeShare !== null) {
      const { upperCapAtoms: _, ...withoutCap } = rules;
      rules = withoutCap;
    }
  };
  const changes = listChanges(start);
  changes.filter(isBegun).forEach(apply);
  const history: RewardRules[] = [{ ...begin, ...rules }];
  for (const change of changes.filter((change) => !isBegun(change))) {
    apply(change);
    history.push({ ...pickDating(change), ...rules });
  }
  return history;
}

/** Picks the first day of a rule, with what is known of it. */
export function pickDating({ since, span, sure, source }: DatedRule): DatedRule {
  return {
    since,
    ...span !== undefined && { span },
    ...sure !== undefined && { sure },
    ...source !== undefined && { source },
  };
}

/** Lists the rewards for quotes of a network by their first day, newest last. */
export function listQuoteRewards(name: NetworkName): QuoteReward[] {
  const start = STARTS[name];
  if (start === undefined) return [];
  const { begin, quotes: [first, later = first] } = start;
  // CIP-72, and the conditions of verified quotes and bids.
  const conditions = {
    since: "2025-08-12",
    sure: "B" as const,
    source: `${REWARDS_CODE}57c927d`,
    asOf: "2025-11",
    cowAtoms: COW_OF_QUOTE,
    nativeAtoms: toAtoms(later),
    needsBid: true,
  };
  if (begin.since >= conditions.since) return [{ ...conditions, ...begin }];
  // On mainnet, the amount is older than the rules of performance.
  const dated = name === "mainnet"
    ? { since: "2024-02-06", sure: "A" as const, source: `${REWARDS_CODE}1a00c85` }
    : begin;
  const early = {
    ...dated,
    asOf: dated.since.slice(0, 7),
    cowAtoms: COW_OF_QUOTE,
    nativeAtoms: toAtoms(first),
    needsBid: false,
  };
  return [early, conditions];
}

/** Blocks of deadlines before the documentation of 2026-06-22, and since. */
const DEADLINES: Partial<Record<NetworkName, readonly [before: number | null, since: number]>> = {
  mainnet: [3, 3],
  xdai: [5, 3],
  arbitrum_one: [40, 11],
  base: [20, 4],
  avalanche: [20, 8],
  polygon: [20, 8],
  bnb: [40, 5],
  linea: [20, 4],
  plasma: [20, 5],
  ink: [null, 5],
};

/** Lists the deadlines of a network by their first day, newest last. */
export function listDeadlines(name: NetworkName): DeadlineRule[] {
  const [earlierBlocks, blocks] = DEADLINES[name] ?? [null, null];
  if (blocks === null) return [];
  const now: DeadlineRule = {
    since: "2026-06-22",
    // A little before the documentation said so.
    span: ["2026-06-01", "2026-06-22"],
    sure: "C",
    source: `${REWARDS_DOCS}b1de9cfd`,
    blocks,
  };
  const earlier: DeadlineRule = {
    since: STARTS[name]?.begin.since ?? null,
    sure: "C",
    source: `${REWARDS_DOCS}b1de9cfd`,
    blocks: earlierBlocks ?? blocks,
  };
  return earlierBlocks === null ? [now] : [earlier, now];
}

const EXCLUSIONS =
  "cowprotocol/accounting/rewards/excluded_auctions_from_rewards_query_4842868.sql of dune-queries";

/** Auctions of production whose rewards were multiplied by 0; the source names more ids than are here. */
const EXCLUDED: Partial<Record<NetworkName, readonly ExcludedAuctions[]>> = {
  mainnet: [
    {
      week: "2025-11-18",
      ids: { from: 11_774_697, to: 11_775_748, count: 54 },
      source: `${EXCLUSIONS}@5f348e4`,
    },
    {
      week: "2025-12-02",
      ids: { from: 11_854_671, to: 11_855_337, count: 203 },
      source: `${EXCLUSIONS}@a2dc9e8`,
    },
  ],
  base: [
    {
      week: "2025-03-04",
      orders: [["0x3971adfb", "cfd4b2"], ["0x3c8a1b22", "8d39719"]],
      source: `${EXCLUSIONS}; solver-rewards@0b28b2d`,
    },
    {
      week: "2025-11-25",
      ids: { from: 26_267_414, to: 26_267_505, count: 54 },
      source: `${EXCLUSIONS}@0615e59`,
    },
  ],
};

/** Lists the auctions of a network whose rewards were multiplied by 0. */
export function listExclusions(name: NetworkName): readonly ExcludedAuctions[] {
  return EXCLUDED[name] ?? [];
}
