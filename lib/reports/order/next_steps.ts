import { resolveReceiver } from "../../evm/orders/order_digest.ts";
import { SETTLING_MS } from "../../metrics/mod.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { effectiveValidTo, isOpenStatus, type Order } from "../../schemas/mod.ts";
import { lowerFirst } from "../../units/format.ts";
import { formatInstant, formatSpan, sameHex } from "../../units/mod.ts";
import { formatSearch } from "../command_text.ts";
import {
  formatDepositName,
  isDepositOver,
  type ReportedDeposit,
  toTraderView,
} from "./ethflow_deposit.ts";
import { CONSIDERED } from "./judge_order.ts";
import { explainLimit, formatLaxLimit, formatLooserTerms, formatLoss } from "./limit_distance.ts";
import { isShort, scaleToRemaining } from "./order_funds.ts";
import { describeOutcome } from "./reported_failure.ts";
import {
  findPendingWin,
  formatPendingWin,
  type NextAction,
  type NextStep,
  type OrderReport,
  readValidUntil,
  toInstant,
} from "./order_report.ts";
import { UNLIMITED_FROM } from "./format_sentence.ts";
import type { OrderCause, ReportedFunds } from "./verdicts.ts";

/** Everything of a report that the next steps follow from. */
type StepFacts = Omit<OrderReport, "next">;

/** One step, or several. */
type Steps = NextStep | readonly NextStep[];

/** Writes an amount of a token. */
type WriteAmount = (atoms: bigint, token: string) => string;

/** Facts about an order that the deployment has. */
interface OrderFacts extends StepFacts {
  readonly order: Order;
  /** Whether it may still be filled. */
  readonly isOpen: boolean;
  /** Writes an amount in atoms of the sell token. */
  readonly formatSell: (atoms: bigint) => string;
  /** Writes an amount in atoms of the buy token. */
  readonly formatBuy: (atoms: bigint) => string;
}

/**
 * Suggests the next steps for an order by its cause. A step never claims more than the report
 * shows: where only the cause is known, it says what would show more.
 *
 * @param facts The report.
 * @param write Writes amounts, as a page does in whole tokens. @default {in atoms}
 */
export function suggestSteps(
  facts: StepFacts,
  write: WriteAmount = (atoms, token) => `${atoms} ${atoms === 1n ? "atom" : "atoms"} of ${token}`,
): NextStep[] {
  const { order, cause, status } = facts;
  if (order === null) return [suggestWithoutOrder(facts)].flat();
  const isOpen = isOpenStatus(status?.reported ?? "");
  const { sellToken } = toTraderView(order);
  const formatSell = (atoms: bigint) => write(atoms, sellToken);
  const formatBuy = (atoms: bigint) => write(atoms, order.buyToken);
  const steps = isOpen && isBehind(order, cause, facts.evidence.isTimed ? facts.asOf : null)
    ? [
      step("ask_more", `Look again: its validity is over, and its status is still ${order.status}`),
    ]
    : [STEPS[cause]({ ...facts, order, isOpen, formatSell, formatBuy })].flat();
  const warning = formatLaxLimit(facts.tolerance, order.kind);
  const warnedSteps = steps.map((suggestion) =>
    suggestion.action === "place_anew"
      ? { ...suggestion, text: `${suggestion.text}${warning}` }
      : suggestion
  );
  const safe = preventDoubleTrade(warnedSteps, { ...facts, order, isOpen });
  const reclaim = suggestReclaim(facts.deposit, order, write);
  if (reclaim === null) return safe;
  // While it may still be settled, its deposit is being spent.
  const isSpent = safe[0]?.action === "wait" || isUnseen(facts);
  return isSpent ? [...safe, reclaim] : [reclaim, ...safe];
}

/** Taking back what an EthFlow order did not sell; `null` unless the contract holds it for nothing. */
function suggestReclaim(
  deposit: ReportedDeposit | null,
  order: Order,
  write: WriteAmount,
): NextStep | null {
  if (deposit?.state !== "held" || !isDepositOver(order)) return null;
  const { unsoldAtoms: atoms, contract, trader } = deposit;
  const token = NATIVE_TOKEN_ADDRESS;
  const money = atoms === null
    ? `what is left of its ${formatDepositName(deposit)}`
    : write(atoms, token);
  const caller = order.status === "expired"
    ? "anybody may call it"
    : "its trader alone may call it before it expires";
  return step(
    "reclaim_funds",
    `Get ${money} back with \`invalidateOrder\` of the EthFlow contract ${contract}: ${caller}, ` +
      `and it pays ${
        trader ?? "the trader"
      }; the service calls it for many expired orders, but not ` +
      "for those with a small slippage or a short validity",
    atoms === null ? {} : { atoms, token },
  );
}

/**
 * Steps that never lead to two trades: an order that may still be settled is not placed again before
 * it is cancelled, or before it is certain that no settlement of it is under way.
 */
function preventDoubleTrade(
  steps: readonly NextStep[],
  { outlook, cause, order, isOpen, auctions }: Pick<
    OrderFacts,
    "outlook" | "cause" | "order" | "isOpen" | "auctions"
  >,
): NextStep[] {
  if (outlook === null || outlook.mayStillSettle === false) return [...steps];
  const { mayStillSettle, until: settleableUntil } = outlook;
  if (isUnseen({ outlook })) return [suggestSearch(auctions)];
  if (mayStillSettle === null) {
    if (!steps.some(({ action }) => action === "place_anew")) return [...steps];
    return order.status === "cancelled"
      ? [
        step("wait", WAIT_IF_JUST_CANCELLED),
        ...steps.map((suggestion) => ({
          ...suggestion,
          text: `Otherwise ${lowerFirst(suggestion.text)}`,
        })),
      ]
      : [step("ask_more", `First find out what its status ${order.status} means`)];
  }
  if (isOpen) {
    return steps.map((suggestion) =>
      suggestion.action === "place_anew"
        ? {
          ...suggestion,
          action: "cancel",
          text: `Cancel it, then ${lowerFirst(suggestion.text)}`,
        }
        : suggestion
    );
  }
  if (cause === "executed_not_indexed" || settleableUntil === null) return [...steps];
  return [
    step("wait", `Wait until ${formatTime(settleableUntil)}: a fill may still appear until then`),
  ];
}

/** Whether responses without a time end with a pending settlement, which they do not show. */
function isUnseen({ outlook }: Pick<StepFacts, "outlook">): boolean {
  return outlook?.mayStillSettle === null && outlook.basis === "in_flight";
}

function suggestSearch(auctions: StepFacts["auctions"]): NextStep {
  return step(
    "ask_more",
    "Inspect it at its deployment, or look for its `Trade` event on the chain, before placing it again: " +
      formatPendingWin(findPendingWin(auctions)),
  );
}

const WAIT_IF_JUST_CANCELLED =
  `Wait ${
    SETTLING_MS / 60_000
  } minutes if it was cancelled just now: a settlement that was under ` +
  "way may still fill it";

/** The deployment does not have it: it is of another one, or a part of a TWAP that nobody posted. */
function suggestWithoutOrder({ uid, programmatic }: StepFacts): Steps {
  const part = programmatic?.parts.find((candidate) => candidate.uid === uid);
  if (part === undefined) {
    return step(
      "look_elsewhere",
      formatSearch("UID"),
    );
  }
  if (programmatic?.isAllowed === false) {
    return step("nothing", "Nothing: its owner has removed the TWAP");
  }
  return part.state === "never_posted"
    ? step(
      "place_anew",
      "Place an order for the amount that this part should have sold: its time is over",
    )
    : step("wait", `Wait: it may be posted until ${formatTime(part.validTo)}`);
}

function step(
  action: NextAction,
  text: string,
  more: Partial<Pick<NextStep, "atoms" | "token" | "bps">> = {},
): NextStep {
  return { action, text, atoms: null, token: null, bps: null, ...more };
}

/** Suggests to wait while an order is open, and to place it again once it has expired. */
function waitOr({ isOpen }: OrderFacts, wait: string, again: string): NextStep {
  return isOpen ? step("wait", `Wait: ${wait}`) : step("place_anew", `Place it again: ${again}`);
}

const ADDED_BY_SOLVER = "Nothing: it is settled, and a solver added it itself";

const CHECK_PRESIGNATURE =
  "Check whether its owner sent `setPreSignature` of the settlement contract before it expired: no " +
  "auction lists it without";

/** The steps of each cause. */
const STEPS: Readonly<Record<OrderCause, (facts: OrderFacts) => Steps>> = {
  unknown_here: suggestWithoutOrder,
  part_not_posted: suggestWithoutOrder,
  jit_liquidity: () => step("nothing", ADDED_BY_SOLVER),
  jit_capturing: () => step("nothing", ADDED_BY_SOLVER),
  filled: (facts) => step("nothing", `Nothing: ${formatReceived(facts)}`),
  filled_late: (facts) =>
    step(
      "nothing",
      `Nothing: ${
        formatReceived(facts)
      }. The deadline binds its solver, and changes nothing for the order`,
    ),
  replaced: ({ replacedBy }) =>
    step("look_elsewhere", `Look at the order that replaced it: ${replacedBy}`),
  cancelled: ({ fills }) =>
    step(
      "place_anew",
      `Place ${
        fills.length === 0 ? "it" : "the rest"
      } again to trade: the service leaves this order out of auctions`,
    ),
  refunded: () => step("place_anew", "Place it again to trade: its funds have been returned"),
  placement_failed: ({ reason }) =>
    step(
      "place_anew",
      `Place it again with terms that the service accepts: it rejected these with ${reason}`,
    ),
  presignature_missing: (facts) =>
    facts.isOpen
      ? step(
        "set_presignature",
        `Send \`setPreSignature\` of the settlement contract from its owner before ${
          formatTime(readValidUntil(facts.order))
        }, if its owner wants this order: anybody may have placed it${formatOtherReceiver(facts)}`,
      )
      : step("place_anew", "Place it again, and send its `setPreSignature` before it expires"),
  not_valid_yet: ({ order: { validFrom } }) =>
    step(
      "wait",
      validFrom == null
        ? "Wait: it is in no auction before it is valid"
        : `Wait until ${formatTime(toInstant(validFrom))}: it is in no auction before`,
    ),
  invalid: (facts) => [...[suggestAfterInvalid(facts)].flat(), ...suggestLooserLimit(facts)],
  filtered: (facts) => [...[suggestAfterFiltered(facts)].flat(), ...suggestLooserLimit(facts)],
  won_not_settled: (facts) => {
    const last = facts.auctions.flatMap(({ attempts }) => attempts ?? []).at(-1);
    const failure = last?.outcome == null
      ? "it was not settled in time"
      : `the last attempt to settle it ended with: ${describeOutcome(last.outcome)}`;
    return waitOr(facts, `it may be in the next auctions; ${failure}`, failure);
  },
  executed_not_indexed: ({ outlook }) =>
    outlook?.mayStillSettle === null
      ? step(
        "ask_more",
        "Look for its `Trade` event on the chain before placing it again: no response shows what " +
          "happened to its execution",
      )
      : step("wait", "Wait: its trade will be listed once it is indexed"),
  auction_running: () => step("wait", "Wait: its auction has not been decided yet"),
  executing: ({ auctions }) => {
    const { deadlineBlock = null } = findPendingWin(auctions) ?? {};
    const text = deadlineBlock === null
      ? "Wait for its settlement"
      : `Wait until block ${deadlineBlock}, the last one for its settlement`;
    return step("wait", text);
  },
  bids_unfair: (facts) =>
    explainLimit(facts).isTooTight ? suggestWithoutBid(facts) : waitOr(
      facts,
      "solvers meet its limit, and the next auctions may bring a bid that counts",
      "solvers met its limit, but their solutions were filtered out, because a trade in them was worse than another bid for its pair",
    ),
  outbid: (facts) =>
    waitOr(
      facts,
      "solvers meet its limit, and may win with it in the next auctions",
      "solvers met its limit; a looser one gives their bids a higher score",
    ),
  no_bid_limit_beyond_market: suggestWithoutBid,
  no_bid_at_a_fair_limit: suggestWithoutBid,
  ready_in_no_stored_auction: suggestWithoutBid,
  never_in_an_auction: (facts) => [
    facts.isOpen ? step("wait", "Wait: the next auctions may list it") : step(
      "place_anew",
      `Place it again, ${formatLonger(facts.order)}: no response shows why no auction listed it`,
    ),
    ...suggestLooserLimit(facts),
  ],
  evidence_gone: (facts) =>
    facts.isOpen ? suggestWaiting(facts) : step(
      "place_anew",
      "Place it again if it is still to trade: why it was not filled is no longer stored",
    ),
  unknown: (facts) => {
    const { unknown, possible, isOpen, order } = facts;
    if (possible.includes("jit_liquidity")) return step("nothing", ADDED_BY_SOLVER);
    if (possible.includes("auction_running")) {
      return step("wait", "Wait: its latest auction may not have been decided yet");
    }
    const remedy = unknown.find(({ what }) => what === "cause")?.remedy ?? "Try again later";
    const remedies = remedy.replaceAll(/(?:^|; or: )[A-Z]/g, (start) => start.toLowerCase());
    if (!isOpen) {
      const isUnsigned = possible.includes("presignature_missing") && facts.auctions.length === 0;
      return [
        ...isUnsigned ? [step("ask_more", CHECK_PRESIGNATURE)] : [],
        step("ask_more", `${isUnsigned ? "Otherwise find" : "Find"} out why first: ${remedies}`),
        ...suggestLooserLimit(facts),
      ];
    }
    const isLeftOut = possible.includes("invalid") && !possible.includes("never_in_an_auction");
    const object = facts.fills.length === 0 ? "it" : "the rest";
    // The contract of an EthFlow order has what it sells.
    const isFunded = order.ethflowData != null;
    const steps = isLeftOut && !isFunded
      ? [suggestFundsNow(facts), suggestLooserLimit(facts)]
      : [suggestWaiting(facts)];
    return [
      ...steps.flat(2),
      step("ask_more", `Or find out why ${object} is not filled: ${remedies}`),
    ];
  },
};

/** Suggests to wait until the validity of an open order ends, or a looser limit first, if it is too tight. */
function suggestWaiting(facts: OrderFacts): Steps {
  const isBid = facts.possible.length > 0 && facts.possible.every((cause) => CONSIDERED.has(cause));
  if (!isBid && explainLimit(facts).isTooTight) return suggestWithoutBid(facts);
  const untilText = formatTime(readValidUntil(facts.order));
  return step("wait", `Wait: the next auctions may fill it, until ${untilText}`);
}

/** Formats who gets what the order buys, if it is not its owner, after a comma; empty otherwise. */
function formatOtherReceiver({ order }: OrderFacts): string {
  const receiver = resolveReceiver(order);
  return sameHex(receiver, order.owner) ? "" : `, and what it buys goes to ${receiver}`;
}

/** Formats the recipient and the amount received, and that its transaction is unknown. */
function formatReceived({ order, fills, tolerance, formatBuy }: OrderFacts): string {
  const { executedBuyAmount, buyTokenBalance } = order;
  const receiver = resolveReceiver(order);
  const isOther = !sameHex(receiver, toTraderView(order).owner);
  const subject = isOther ? `its receiver ${receiver}, not its owner,` : "its owner";
  const vault = buyTokenBalance === "internal" ? " in the Balancer vault" : "";
  const unseenText = fills.some(({ txHash }) => txHash !== null)
    ? ""
    : "; no response has its transaction";
  return `${subject} got ${formatBuy(executedBuyAmount)}${vault}${unseenText}${
    formatLoss(tolerance)
  }`;
}

/** Whether an order is over by the time of the responses, in which nothing of it is being settled. */
export function isBehind(
  order: Order,
  cause: OrderCause,
  seenAt: Temporal.Instant | null,
): boolean {
  return seenAt !== null && !isSettling(cause) &&
    Temporal.Instant.compare(seenAt, readValidityEnd(order)) >= 0;
}

/** Whether an order is being settled. */
export function isSettling(cause: OrderCause): boolean {
  return cause === "executing" || cause === "executed_not_indexed";
}

/** The end of the last second of its validity. */
export function readValidityEnd(order: Order): Temporal.Instant {
  return toInstant(effectiveValidTo(order) + 1);
}

function formatTime(time: Temporal.Instant): string {
  return formatInstant(time).replace("T", " ").replace("Z", " UTC");
}

/** Suggests a longer validity for an order that expired within two minutes; empty for others. */
function formatShortValidity({ isOpen, order }: OrderFacts): string {
  const minutes = order.creationDate.until(readValidityEnd(order)).total("minutes");
  if (isOpen || minutes < 0 || minutes > 2) return "";
  return `; make it ${formatLonger(order)}: the service lists no order in its last minute, ` +
    "unless it is set up otherwise";
}

function formatLonger(order: Order): string {
  const validity = order.creationDate.until(readValidityEnd(order));
  return `valid for longer than its ${
    formatSpan(validity, { fractionDigits: 0, rounding: "trunc" })
  }`;
}

/** Suggests a looser limit for an order that nobody bid on, if it is too tight. */
function suggestWithoutBid(facts: OrderFacts): Steps {
  const { isOpen, cause } = facts;
  const { explanation, bps, isTooTight } = explainLimit(facts);
  const validityText = formatShortValidity(facts);
  if (!isTooTight) {
    const end = explanation === "" ? "" : `; ${explanation}`;
    return waitOr(
      facts,
      `solvers may bid in the next auctions${end}`,
      `no response shows why nobody bid${end}${validityText}`,
    );
  }
  const relax = isOpen
    ? "Cancel it, then place it with a looser limit"
    : "Place it again with a looser limit";
  const isUnfair = cause === "bids_unfair";
  const bidsText = isUnfair ? "; bids that met it were filtered out" : "";
  const untilText = formatTime(readValidUntil(facts.order));
  return [
    step(
      "relax_limit",
      `${relax}${formatLooserTerms(facts, bps)}: ${explanation}${bidsText}${validityText}`,
      { bps },
    ),
    ...isOpen
      ? [
        step(
          "wait",
          `Or wait for ${
            isUnfair ? "a bid that counts" : "the market to meet it"
          }, until ${untilText}`,
        ),
      ]
      : [],
  ];
}

/** Suggests a looser limit for an order that has another cause, and that nobody bid on before, or could. */
function suggestLooserLimit(facts: OrderFacts): readonly NextStep[] {
  const { cause, possible, auctions } = facts;
  const wasUnbid = cause === "never_in_an_auction" ||
    (auctions.length === 0
      ? cause === "unknown" && possible.includes("no_bid_limit_beyond_market")
      : auctions.at(-1)!.outcome.startsWith("no_bid"));
  if (!wasUnbid) return [];
  const { explanation, bps, isTooTight } = explainLimit(facts);
  if (!isTooTight) return [];
  const start = facts.isOpen
    ? "Or cancel it, then place it with a looser limit too"
    : "Loosen its limit too";
  const reason = explanation.replace(/^its limit/, "it");
  return [
    step("relax_limit", `${start}${formatLooserTerms(facts, bps)}: ${reason}`, { bps }),
  ];
}

function suggestAfterInvalid(facts: OrderFacts): Steps {
  const { reason, isOpen, order } = facts;
  switch (reason) {
    case "banned_user":
      return step("nothing", "Nothing: the service accepts no orders from its owner");
    case "unsupported_token":
      return step("use_other_token", "Trade another token: one of these is not supported");
    case "invalid_signature":
      return order.signingScheme === "eip1271"
        ? step(
          isOpen ? "sign_again" : "place_anew",
          `${
            isOpen ? "Make" : "Place it again, and make"
          } \`isValidSignature\` of its owner, a contract, accept the signature`,
        )
        : step("place_anew", "Sign it again and place it again");
    case null:
    case "insufficient_balance":
      return isOpen ? suggestFundsNow(facts) : suggestFundsThen(facts);
    default:
      return waitOr(
        facts,
        "the reason may be temporary",
        `its reason was ${reason.replaceAll("_", " ")}`,
      );
  }
}

/** Suggests how to add the missing funds of an open order. */
function suggestFundsNow(facts: OrderFacts): Steps {
  const { funds, order, formatSell } = facts;
  const token = order.sellToken;
  if (isBoundless(order)) {
    return step("cancel", `Cancel it, then place it ${formatOwnAmount(facts)}`);
  }
  if (funds === null) {
    const leftAtoms = scaleToRemaining(order, order.sellAmount);
    const atoms = order.sellAmount + order.feeAmount;
    const requirement = order.partiallyFillable
      ? `some of the ${formatSell(leftAtoms)} that are left to sell`
      : formatSell(atoms);
    return step(
      "check_funds",
      `Check that its owner has ${requirement}, and allows the vault relayer to take it: with the URL of a ` +
        "node, the report says what is missing",
      order.partiallyFillable ? {} : { atoms, token },
    );
  }
  if (!isShort(funds)) {
    return step(
      "wait",
      `Wait: nothing is missing in block ${funds.block}, so the next auctions may list it`,
    );
  }
  const period = formatSince(facts, funds);
  const { missingBalanceAtoms, missingAllowanceAtoms, isRelayerApproved, spender, relayer } = funds;
  const part = order.partiallyFillable ? ", the minimum that the service requires" : "";
  return [
    ...missingBalanceAtoms === 0n ? [] : [step(
      "add_balance",
      `Add ${
        formatSell(missingBalanceAtoms)
      } to the balance of its owner${part}: missing ${period}`,
      { atoms: missingBalanceAtoms, token },
    )],
    ...missingAllowanceAtoms === 0n
      ? []
      : isRelayerApproved === false
      ? [step("approve_relayer", `Approve the relayer ${relayer} in the vault ${spender}`)]
      : [step(
        "raise_allowance",
        `Allow ${spender} to take ${
          formatSell(missingAllowanceAtoms)
        } more from its owner${part}: missing ` +
          period,
        { atoms: missingAllowanceAtoms, token },
      )],
  ];
}

/**
 * Since when an open order lacks funds: since the block of its last event, if that is the one that left
 * it out and the same was missing there; otherwise only the latest block is known.
 */
function formatSince({ timeline, earlierFunds }: OrderFacts, now: ReportedFunds): string {
  const past = earlierFunds.findLast(({ moment }) => moment !== "last_filtered");
  const isStill = timeline.findLast(({ kind }) => kind === "event")?.label === "invalid";
  const isSame = past !== undefined &&
    past.missingBalanceAtoms > 0n === now.missingBalanceAtoms > 0n &&
    past.missingAllowanceAtoms > 0n === now.missingAllowanceAtoms > 0n;
  return isStill && isSame ? `since block ${past.block} or before` : `in block ${now.block}`;
}

/** Whether an order has to sell at once what no account has. */
function isBoundless({ partiallyFillable, sellAmount }: Order): boolean {
  return !partiallyFillable && sellAmount >= UNLIMITED_FROM;
}

function formatOwnAmount({ order, formatSell }: OrderFacts): string {
  return `for an amount that its owner has: no balance covers ${formatSell(order.sellAmount)}`;
}

/** Suggests the funds that an expired order lacked when it was left out. */
function suggestFundsThen(facts: OrderFacts): Steps {
  const { earlierFunds, order, formatSell } = facts;
  if (isBoundless(order)) return step("place_anew", `Place it again ${formatOwnAmount(facts)}`);
  const past = earlierFunds.findLast(isShort);
  if (past === undefined) {
    const atoms = order.sellAmount + order.feeAmount;
    const requirement = order.partiallyFillable
      ? "balance and allowance"
      : `${formatSell(atoms)}, and has approved them`;
    return step("place_anew", `Place it again once its owner has ${requirement}`);
  }
  const { missingBalanceAtoms, missingAllowanceAtoms, block } = past;
  const lacks = [
    ...missingBalanceAtoms === 0n ? [] : [`${formatSell(missingBalanceAtoms)} of balance`],
    ...missingAllowanceAtoms === 0n ? [] : [`${formatSell(missingAllowanceAtoms)} of allowance`],
  ].join(" and ");
  const maxAtoms = missingBalanceAtoms > missingAllowanceAtoms
    ? missingBalanceAtoms
    : missingAllowanceAtoms;
  return step(
    "place_anew",
    `Place it again once its owner has what was missing in block ${block}: ${lacks}`,
    { atoms: maxAtoms, token: order.sellToken },
  );
}

function suggestAfterFiltered(facts: OrderFacts): Steps {
  const { reason, order, isOpen } = facts;
  switch (reason) {
    case "dust_order":
      return order.partiallyFillable && isOpen
        ? step(
          "add_balance",
          "Add to the balance of its owner: it covers too small a part of the order",
        )
        : step("place_anew", "Place a larger order: this one is too small");
    case "missing_native_price":
      return [
        facts.isOpen
          ? step("wait", "Wait: the service may get a native price of both tokens")
          : step("place_anew", "Place it again once the service has a native price of both tokens"),
        step("use_other_token", "Or trade other tokens: `nativePrice` shows which have a price"),
      ];
    case "in_flight":
      return waitOr(facts, "a settlement of it is pending", "a settlement of it was pending");
    default:
      return waitOr(facts, "the reason may be temporary", "the reason may no longer apply");
  }
}
