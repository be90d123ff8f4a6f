import type { OrderBook } from "../../client/order_book.ts";
import { encodeEthFlowInvalidation } from "../../evm/node/ethflow.ts";
import { hashAppData, stringifyAppData } from "../../evm/orders/app_data.ts";
import { resolveReceiver } from "../../evm/orders/order_digest.ts";
import {
  encodeApproval,
  encodeInvalidateOrder,
  encodeRelayerApproval,
  encodeSetPreSignature,
} from "../../evm/settlement/encode_settlement.ts";
import { SETTLING_MS } from "../../metrics/mod.ts";
import { readRemaining } from "../../metrics/orders/lifecycle_facts.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import {
  effectiveValidTo,
  encodeOrderCreation,
  isOpenStatus,
  type Order,
  type OrderCreation,
} from "../../schemas/mod.ts";
import { lowerFirst, pluralize } from "../../units/format.ts";
import { formatInstant, formatSpan, mulDivUp } from "../../units/mod.ts";
import { isDepositOver, toTraderView } from "./ethflow_deposit.ts";
import { formatFunds, UNSEEN_TRANSACTION } from "./format_sentence.ts";
import { LAST_AUCTION_CAUSES } from "./judge_order.ts";
import { readValidityEnd } from "./next_steps.ts";
import { isShort, readLatestFunds, scaleToRemaining } from "./order_funds.ts";
import {
  findPendingWin,
  formatPendingWin,
  type OrderReport,
  type ReportNode,
  toInstant,
} from "./order_report.ts";
import type { MoneyMove, MoneyPlace, ReportedMoney } from "./reported_money.ts";
import { readDomain } from "./report_parts.ts";
import type { ReportedFunds } from "./verdicts.ts";

/** Everything of a report from which the places of its money follow. */
type MoneyReport = Omit<OrderReport, "money">;

/** Writes an amount of a token. */
type WriteAmount = (atoms: bigint, token: string) => string;

/** Facts about the money of an order that the deployment has. */
interface MoneyFacts extends MoneyReport {
  readonly order: Order;
  /** Funds of its owner now; `null` if unknown. */
  readonly ownerFunds: ReportedFunds | null;
  /** Whether it may still be filled by an auction. */
  readonly isOpen: boolean;
  /** Amounts that are not filled. */
  readonly left: OrderSize;
  /** The settlement contract of the order. */
  readonly settlementContract: string;
  /** The amount in atoms of a token. */
  readonly write: WriteAmount;
  /** The token that its trader sells. */
  readonly soldToken: string;
  /** Funds of the owner in words. */
  readonly formatOwnerFunds: (funds: ReportedFunds) => string;
}

/** Amounts to sell and to buy, in atoms. */
interface OrderSize {
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
}

/** The report with where its money is, for which a node is asked about what the owner has left. */
export async function addMoney(
  book: OrderBook,
  report: OrderReport,
  { node, signal }: {
    readonly node: ReportNode | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<OrderReport> {
  const { order, uid, deposit } = report;
  const isLeft = order !== null && deposit === null &&
    scaleToRemaining(order, order.sellAmount) > 0n;
  const funds = report.funds ??
    (isLeft && node?.failure === null
      ? await readLatestFunds(order, { node, domain: readDomain(book, uid, order), signal })
      : null);
  if (funds === null || !("why" in funds)) {
    return { ...report, money: locateMoney(report, funds) };
  }
  // The report names the failure of a node once.
  const isNew = funds.why !== node?.failure?.why;
  const unknown = isNew ? [...report.unknown, { what: "funds_now", ...funds }] : report.unknown;
  return { ...report, unknown, money: locateMoney(report, null) };
}

/**
 * Locates the money of an order: what its receiver got, what may still be sold, what is left, and the
 * calls that move it.
 *
 * @param report The report.
 * @param ownerFunds Funds of its owner at the latest block; `null` if unknown.
 * @param write Writes amounts, as a page does in whole tokens. @default {in atoms}
 * @returns `null` if nothing is known of the order.
 */
export function locateMoney(
  report: MoneyReport,
  ownerFunds: ReportedFunds | null,
  write?: WriteAmount,
): ReportedMoney | null {
  const { order, identity, deployment } = report;
  const writeAmount = write ?? ((atoms, token) => `${pluralize(atoms, "atom")} of ${token}`);
  if (order === null) return locateUnpostedPart(report, writeAmount);
  const facts: MoneyFacts = {
    ...report,
    order,
    ownerFunds,
    isOpen: isOpenStatus(order.status),
    left: countLeft(order),
    settlementContract: identity?.settlementContract ?? deployment.settlementContract,
    write: writeAmount,
    soldToken: toTraderView(order).sellToken,
    formatOwnerFunds: (funds) =>
      formatFunds(funds, write && ((atoms) => write(atoms, order.sellToken))),
  };
  return {
    places: [...listReceived(facts), ...listPending(facts), ...listRest(facts)],
    moves: listMoves(facts),
    funds: ownerFunds,
  };
}

/** A part of a TWAP that nobody posted: its tokens never left the owner of the TWAP. */
function locateUnpostedPart(
  { programmatic }: MoneyReport,
  write: WriteAmount,
): ReportedMoney | null {
  if (programmatic?.terms == null) return null;
  const { owner, terms: { sellToken, partSellAmount } } = programmatic;
  const text = `${write(partSellAmount, sellToken)}: never taken from its owner ${owner}`;
  const facts = { account: owner, atoms: partSellAmount, token: sellToken, text };
  return { places: [{ ...NOWHERE, place: "owner", ...facts }], moves: [], funds: null };
}

/** Counts what is not filled: the amount that the order fixes exactly, the other at its limit price. */
function countLeft(order: Order): OrderSize {
  return {
    sellAmount: scaleToRemaining(order, order.sellAmount),
    // Rounded in favour of the order's owner, so that its limit price is kept.
    buyAmount: mulDivUp(order.buyAmount, ...readRemaining(order)),
  };
}

const NOWHERE = { account: null, atoms: null, txHash: null, block: null, at: null } as const;

function listReceived({ order, fills, timeline, soldToken, write }: MoneyFacts): MoneyPlace[] {
  const { executedSellAmount, executedBuyAmount, buyToken, buyTokenBalance } = order;
  if (executedBuyAmount === 0n) return [];
  const receiver = resolveReceiver(order);
  const last = fills.at(-1);
  const moment = timeline.find(({ kind, block }) => kind === "fill" && block === last?.blockNumber);
  const filledAt = moment?.basis === "block" ? moment.at : null;
  const latestAt = moment?.latestAt ?? null;
  const time = filledAt !== null
    ? ` (${formatInstant(filledAt)})`
    : latestAt === null
    ? ""
    : ` (by ${
      formatInstant(latestAt.round({ smallestUnit: "millisecond", roundingMode: "ceil" }))
    })`;
  const count = fills.length > 1 ? `in ${fills.length} fills, the last ` : "";
  const settled = last === undefined ? UNSEEN_TRANSACTION : `, ${count}${
    [
      ...last.txHash === null ? [] : [`in transaction ${last.txHash}`],
      `in block ${last.blockNumber}`,
    ].join(", ")
  }${time}`;
  const vault = buyTokenBalance === "internal" ? " in the Balancer vault" : "";
  return [{
    place: "received",
    text: `Sold ${write(executedSellAmount, soldToken)}; ${receiver} received ${
      write(executedBuyAmount, buyToken)
    }${vault}${settled}`,
    account: receiver,
    atoms: executedBuyAmount,
    token: buyToken,
    txHash: last?.txHash ?? null,
    block: last?.blockNumber ?? null,
    at: filledAt,
  }];
}

/** The amount that a settlement may still take: of a win, of an execution that is not indexed, or from before its end. */
function listPending(facts: MoneyFacts): MoneyPlace[] {
  const { cause, outlook, auctions, left, soldToken, write, order } = facts;
  const base = {
    ...NOWHERE,
    place: "pending_settlement",
    token: soldToken,
    account: order.owner,
  } as const;
  const amount = write(left.sellAmount, soldToken);
  if (cause === "executed_not_indexed") {
    const text = outlook?.mayStillSettle === null
      ? "The service recorded that it was executed, but lists no trade: whether it was sold is unknown"
      : "It was executed, and its trade is not indexed yet: the amounts are unknown until then";
    return [{ ...base, text }];
  }
  if (cause === "executing") {
    const win = findPendingWin(auctions);
    const block = win?.deadlineBlock ?? null;
    const end = block === null ? "" : `, until block ${block}`;
    const text = outlook?.mayStillSettle === null
      ? `${formatPendingWin(win).replace(/^t/, "T")}, and have taken up to ${amount}`
      : `A pending settlement of ${
        win?.agent ?? "a solver"
      } takes up to ${amount}, if it lands${end}`;
    return [{ ...base, text, atoms: left.sellAmount, block }];
  }
  if (outlook?.basis !== "in_flight" || outlook.until === null) return [];
  const verb = outlook.mayStillSettle === null ? "may have taken" : "may still take";
  const text = `A settlement from before its end ${verb} up to ${amount} until ${
    formatInstant(outlook.until)
  }`;
  return [{ ...base, text, atoms: left.sellAmount }];
}

/** The amount that is not filled: with the owner, or with the EthFlow contract. */
function listRest(facts: MoneyFacts): MoneyPlace[] {
  const { order, deposit, left, ownerFunds, write, soldToken, cause, evidence } = facts;
  if (left.sellAmount === 0n || cause === "executed_not_indexed") return [];
  if (deposit !== null) return listDeposit(facts);
  const { owner } = order;
  // A step may have said so.
  const isSaid = facts.next.some(({ text }) => text.includes("URL of a node"));
  const funds = ownerFunds !== null
    ? `; ${lowerFirst(facts.formatOwnerFunds(ownerFunds))}`
    : evidence.node || isSaid
    ? ""
    : "; the URL of a node shows its balance and allowance";
  const mayStillSettle = facts.outlook?.mayStillSettle ?? null;
  // Of an unknown cause, a settlement may be pending, or not indexed yet.
  const takenText = mayStillSettle === null || cause === "unknown" ||
      mayStillSettle === false && mayBeSettledSince(facts)
    ? `not taken from its owner ${owner} as far as the responses show`
    : mayStillSettle
    ? `not taken from its owner ${owner} so far`
    : `never taken from its owner ${owner}`;
  const text = `${write(left.sellAmount, soldToken)}: ${takenText}${funds}`;
  return [{
    ...NOWHERE,
    place: "owner",
    text,
    account: owner,
    atoms: left.sellAmount,
    token: soldToken,
  }];
}

function listDeposit({ order, deposit, placement, refund, write }: MoneyFacts): MoneyPlace[] {
  if (deposit === null || deposit.state === "spent") return [];
  const { unsoldAtoms, contract, trader, refundTxHash, state } = deposit;
  const amount = unsoldAtoms === null
    ? "What it did not sell"
    : write(unsoldAtoms, NATIVE_TOKEN_ADDRESS);
  const base = { atoms: unsoldAtoms, token: NATIVE_TOKEN_ADDRESS };
  if (state === "held") {
    const paid = placement === null
      ? ""
      : `, paid in transaction ${placement.txHash}, block ${placement.block} (${
        formatInstant(placement.at)
      })`;
    const end = isDepositOver(order) ? "; no auction can take it any more" : "";
    return [{
      ...base,
      place: "ethflow_contract",
      text: `${amount}: in the EthFlow contract ${contract}${paid}${end}`,
      account: contract,
      txHash: placement?.txHash ?? null,
      block: placement?.block ?? null,
      at: placement?.at ?? null,
    }];
  }
  const block = refund === null ? "" : `, block ${refund.block} (${formatInstant(refund.at)})`;
  const transaction = refundTxHash === null
    ? " in the transaction that cancelled it"
    : ` in transaction ${refundTxHash}${block}`;
  return [{
    ...base,
    place: "returned",
    text: `${amount}: returned to ${trader ?? "the trader"}${transaction}`,
    account: trader,
    txHash: refundTxHash,
    block: refund?.block ?? null,
    at: refund?.at ?? null,
  }];
}

function listMoves(facts: MoneyFacts): MoneyMove[] {
  const { order, deposit, left, isOpen } = facts;
  if (left.sellAmount === 0n || facts.cause === "executed_not_indexed") return [];
  if (deposit !== null) return listDepositMoves(facts);
  const again = placeAgain(facts);
  const mayTrade = isOpen || again !== null;
  const mayTake = again !== null || facts.outlook?.mayStillSettle !== false;
  return [
    ...mayTrade ? listApprovals(facts) : [],
    ...isOpen && facts.cause === "presignature_missing" ? [presign(facts)] : [],
    ...isOpen ? listCancellations(order) : [],
    ...isOpen || mayTake && maySolverSettle(facts) ? [invalidateOrder(facts)] : [],
    ...again === null ? [] : [again],
  ];
}

const REQUEST = { to: null, data: null, order: null, line: null } as const;

/**
 * Whether the settlement contract may still take an order that no auction lists: it was cancelled by request,
 * as far as is known, and a solver has its signature until it expires.
 */
function maySolverSettle({ order, asOf, state }: MoneyFacts): boolean {
  return order.status === "cancelled" && state?.refusal == null &&
    (asOf === null || asOf.epochMilliseconds <= order.validTo * 1_000);
}

function listCancellations({ uid, owner, signingScheme }: Order): MoneyMove[] {
  const isSigned = signingScheme === "eip712" || signingScheme === "ethsign";
  const scheme = signingScheme === "ethsign" ? ', { signingScheme: "ethsign" }' : "";
  const line =
    `await book.cancelOrders(await signCancellations(account, book.domain, ["${uid}"]${scheme}));`;
  return !isSigned ? [] : [{
    ...REQUEST,
    call: "cancel",
    text: "Cancels it at the service, without gas: later auctions leave it out, and a settlement " +
      "that is under way may still fill it",
    from: owner,
    line,
  }];
}

function invalidateOrder({ order: { uid, owner }, settlementContract }: MoneyFacts): MoneyMove {
  return {
    ...REQUEST,
    call: "invalidate_order",
    text:
      `\`invalidateOrder\` of the settlement contract ${settlementContract}, sent by its owner: ` +
      "cancels it on the chain, for every settlement after that transaction",
    from: owner,
    to: settlementContract,
    data: encodeInvalidateOrder(uid),
  };
}

function presign({ order: { uid, owner }, settlementContract }: MoneyFacts): MoneyMove {
  return {
    ...REQUEST,
    call: "set_presignature",
    text:
      `\`setPreSignature\` of the settlement contract ${settlementContract}, sent by its owner: ` +
      "lets auctions list it",
    from: owner,
    to: settlementContract,
    data: encodeSetPreSignature(uid),
  };
}

/** The approval that the owner's allowance lacks for what is left to sell. */
function listApprovals({ order, ownerFunds, write }: MoneyFacts): MoneyMove[] {
  if (ownerFunds === null || !isShort(ownerFunds)) return [];
  const { isRelayerApproved, relayer, spender, allowanceAtoms, remainingAtoms } = ownerFunds;
  const { owner, sellToken } = order;
  if (isRelayerApproved === false) {
    return [{
      ...REQUEST,
      call: "approve_relayer",
      text:
        `\`setRelayerApproval\` of the vault ${spender}, sent by its owner: lets the relayer ${relayer} ` +
        "take the sell token",
      from: owner,
      to: spender,
      data: encodeRelayerApproval(owner, relayer),
    }];
  }
  if (ownerFunds.missingAllowanceAtoms === 0n) return [];
  const reset = allowanceAtoms === 0n ? "" : "; some tokens, such as USDT, must be set to 0 before";
  return [{
    ...REQUEST,
    call: "approve",
    text: `\`approve\` of the sell token ${sellToken}, sent by its owner: lets ${spender} take ${
      write(remainingAtoms, sellToken)
    }, all that is left to sell${reset}`,
    from: owner,
    to: sellToken,
    data: encodeApproval(spender, remainingAtoms),
  }];
}

/** Getting back what an EthFlow order did not sell: its trader may at any time, others once it has expired. */
function listDepositMoves({ order, deposit, placement, asOf }: MoneyFacts): MoneyMove[] {
  if (deposit?.state !== "held") return [];
  const { contract, trader } = deposit;
  const validTo = effectiveValidTo(order);
  const isExpired = order.status === "expired" ||
    asOf !== null && asOf.epochMilliseconds >= (validTo + 1) * 1_000;
  const { buyToken, sellAmount, buyAmount, appData, feeAmount, partiallyFillable } = order;
  const data = encodeEthFlowInvalidation({
    ...{ buyToken, sellAmount, buyAmount, appData, feeAmount, partiallyFillable, validTo },
    receiver: resolveReceiver(order),
    quoteId: placement?.quoteId ?? 0n,
  });
  return [{
    ...REQUEST,
    call: "invalidate_ethflow_order",
    text: `\`invalidateOrder\` of the EthFlow contract ${contract}, sent by ${
      isExpired ? "anybody" : "its trader alone until it expires"
    }: ends the order, and pays what it did not sell to ${trader ?? "the trader"}`,
    from: isExpired ? null : trader,
    to: contract,
    data,
  }];
}

/** The shortest validity of an order that is placed again, in seconds. */
const MIN_VALIDITY = 1_800;
const MAX_VALID_TO = 2 ** 32 - 1;

/** Schemes that an order can be placed with, each with the arguments of `signOrder` for it. */
const SIGNING: Readonly<Record<string, (owner: string) => readonly [string, string]>> = {
  eip712: () => ["account", ""],
  ethsign: () => ["account", ', { signingScheme: "ethsign" }'],
  presign: (owner) => [`{ address: "${owner}" }`, ', { signingScheme: "presign" }'],
  eip1271: (owner) => [`{ address: "${owner}" }`, ', { signingScheme: "eip1271", signature }'],
};

/**
 * The rest of an order to place once more; `null` while it may still be settled, where another order
 * replaced it, and for what its owner does not sign: a part of a TWAP, an order of a solver.
 */
function placeAgain(facts: MoneyFacts): MoneyMove | null {
  const { order, outlook, asOf, replacedBy, programmatic, cause, left, write } = facts;
  const isOwn = replacedBy === null && programmatic === null && !cause.startsWith("jit_");
  if (isRefusedAgain(facts)) return null;
  const signing = SIGNING[String(order.signingScheme)];
  if (outlook?.mayStillSettle !== false || !isOwn || asOf === null || signing === undefined) {
    return null;
  }
  if (left.buyAmount === 0n) return null;
  const { owner, sellToken, buyToken, kind } = order;
  const nowSeconds = Math.floor(asOf.epochMilliseconds / 1_000);
  const createdSeconds = Math.floor(order.creationDate.epochMilliseconds / 1_000);
  const validity = Math.max(MIN_VALIDITY, effectiveValidTo(order) - createdSeconds);
  const document = withoutReplacement(order);
  const creation: OrderCreation = {
    sellToken,
    buyToken,
    receiver: order.receiver ?? null,
    ...left,
    validTo: Math.min(MAX_VALID_TO, nowSeconds + validity),
    feeAmount: 0n,
    kind,
    partiallyFillable: order.partiallyFillable,
    sellTokenBalance: order.sellTokenBalance ?? "erc20",
    buyTokenBalance: order.buyTokenBalance ?? "erc20",
    signingScheme: order.signingScheme,
    signature: "0x",
    appData: document === null ? order.appData : hashAppData(document),
    from: owner,
  };
  const [signer, options] = signing(owner);
  const register = document === null
    ? ""
    : `await book.registerAppData(${JSON.stringify(document)}); `;
  const amounts = kind === "sell"
    ? `sells ${write(left.sellAmount, sellToken)} for at least ${write(left.buyAmount, buyToken)}`
    : `sells at most ${write(left.sellAmount, sellToken)} for ${write(left.buyAmount, buyToken)}`;
  const object = facts.fills.length === 0 ? "it" : "the rest";
  const isTooTight = facts.next.some(({ action }) => action === "relax_limit");
  const change = isTooTight
    ? ", which the next steps say to loosen first"
    : cause.startsWith("no_bid_")
    ? ", which nobody bid at"
    : "";
  // Responses without a time may be old.
  const isFixed = facts.evidence.isTimed || creation.validTo === MAX_VALID_TO;
  const fixedTerms = JSON.stringify(encodeOrderCreation(creation));
  const terms = isFixed
    ? fixedTerms
    : fixedTerms.replace(/("validTo":)\d+/, `$1Math.floor(Date.now() / 1_000) + ${validity}`);
  const validityText = isFixed
    ? `valid until ${formatInstant(toInstant(creation.validTo))}`
    : `valid for ${
      formatSpan(BigInt(validity) * 10n ** 9n, { fractionDigits: 0, rounding: "trunc" })
    } from when its code runs`;
  const presignature = order.signingScheme === "presign"
    ? "; once it is placed, its owner sends `setPreSignature` for it"
    : "";
  return {
    ...REQUEST,
    call: "place_again",
    text: `Places ${object} again at the same limit price${change}: ${amounts}, ${validityText}; ${
      formatOldOrder(facts)
    }${presignature}`,
    from: owner,
    order: creation,
    line:
      `${register}const order = decodeOrderCreation(${terms}); await book.createOrder({ ...order, ...await signOrder(${signer}, book.domain, order${options}) });`,
  };
}

/** Formats whether the old order may still be, or have been, filled where it is placed again. */
function formatOldOrder(facts: MoneyFacts): string {
  const { order, timeline, stage } = facts;
  if (maySolverSettle(facts)) {
    // Of a cancellation on the chain, the service stores no event.
    const isRequested = stage?.reported === "cancelled" ||
      timeline.some(({ label }) => label === "cancelled");
    return `${
      isRequested
        ? "the old order was cancelled by request, so that"
        : "if the old order was cancelled by request,"
    } a solver that has its signature could settle it until ${
      formatInstant(toInstant(order.validTo))
    }, unless it is invalidated first`;
  }
  return !mayBeSettledSince(facts)
    ? "no settlement can fill the old order any more"
    : `look first whether the old order was filled in its last seconds, which shows by ${
      formatInstant(findShownAt(order))
    }`;
}

/** Whether an order that is over may have been settled since, or after all: its responses do not show that. */
function mayBeSettledSince(facts: MoneyFacts): boolean {
  const { order, evidence, asOf, cause, possible } = facts;
  if (maySolverSettle(facts)) return true;
  // Responses without a time may be of its last seconds.
  return !evidence.isTimed && order.status === "expired" &&
    [cause, ...possible].some((candidate) => LAST_AUCTION_CAUSES.includes(candidate)) &&
    (asOf === null || Temporal.Instant.compare(asOf, findShownAt(order)) < 0);
}

/** Finds the time by which a fill in the last second of an order shows. */
function findShownAt(order: Order): Temporal.Instant {
  return readValidityEnd(order).add({ milliseconds: SETTLING_MS });
}

/** Whether the service would leave the same order out again for what it is. */
function isRefusedAgain({ cause, reason, order }: MoneyFacts): boolean {
  return cause === "invalid" && (reason === "banned_user" || reason === "unsupported_token") ||
    cause === "filtered" && reason === "dust_order" && !order.partiallyFillable;
}

/** The app data document without the order that it replaced, which is over; `null` if it names none. */
function withoutReplacement({ fullAppData }: Order): string | null {
  if (fullAppData == null || !fullAppData.includes("replacedOrder")) return null;
  try {
    const { metadata, ...document } = JSON.parse(fullAppData);
    if (Object(metadata).replacedOrder === undefined) return null;
    const { replacedOrder: _, ...kept } = metadata;
    return stringifyAppData({ ...document, metadata: kept });
  } catch {
    return null;
  }
}
