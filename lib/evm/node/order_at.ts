import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  type OptionRules,
  requireWord,
  wholeNumber,
} from "../../errors/option_rules.ts";
import { MAX_AMOUNT } from "../../units/arithmetic.ts";
import { computeOrderUid, type SignableOrder } from "../orders/order_digest.ts";
import type { OrderDomain } from "../orders/order_uid.ts";
import type { SignatureFields } from "../orders/request_signature.ts";
import { type SettlementTrade, tradeOrderUid } from "../settlement/decode_settlement.ts";
import {
  type BlockHeader,
  type Funding,
  type FundingQuestion,
  type FundingUnknown,
  readHeader,
  toBlockTag,
  toHeaderCall,
  toNoAnswer,
  toNoBlock,
  toUnknown,
} from "./block_at.ts";
import { CHAIN_ID_CALL, type NodeSource, requireChainAnswer, requireNode } from "./node_source.ts";
import {
  CANCELLED_ATOMS,
  decodeAnswer,
  findRefusal,
  PRE_SIGNED,
  readState,
  type StateCall,
  type StateRefusal,
  toBalanceCall,
  toRpcCall,
} from "./contract_calls.ts";
import { RPC_OPTIONS, type RpcNode, type RpcOptions } from "./rpc_batches.ts";

/** An order with its signature and its owner, as from the service. */
export interface OwnedOrder extends SignableOrder, SignatureFields {
  /** Its owner, 20 bytes. */
  readonly owner: string;
}

/** The reason why the settlement contract refuses an order, whatever the prices. */
export type OrderRefusal = "invalid_signature" | "expired" | "cancelled" | "filled";

/** State of an order in the settlement contract at one block. */
export interface OrderAt {
  /** The block whose state it is. */
  readonly block: number;
  /** Hash of the block; `null` if the node does not report it. */
  readonly blockHash: string | null;
  /** Timestamp of the block. */
  readonly at: Temporal.Instant;
  /** UID of the order, computed. */
  readonly uid: string;
  /**
   * Amount that the contract counts as filled, in atoms of the token whose amount the order fixes; `null` if
   * the order is cancelled on the chain, which overwrites it. `0n` again once it is freed after expiry.
   */
  readonly filledAtoms: bigint | null;
  /**
   * Whether the contract takes the signature: the owner's for `eip712` and `ethsign`, an approval by
   * the wallet for `eip1271`, one on the chain for `presign`.
   */
  readonly isSignatureValid: boolean;
  /** Reason why the contract refuses the order; `null` if it settles it at prices within its limit. */
  readonly refusal: OrderRefusal | null;
}

const WANTED = "the state of an order";
const ACTION = `Cannot get ${WANTED}`;
/** Value that a wallet returns for a valid signature; the contract reads no more of the word. */
const MAGIC_VALUE = "0x1626ba7e";

/**
 * Reads the state of an order in the settlement contract at a block: how much is filled, whether
 * it was cancelled on the chain, and whether its signature is valid, for all four schemes.
 *
 * The contract looks at the signature first, then at the expiry, then at what is filled: `refusal` is
 * the first that fails. Funds are in {@linkcode fundingAt}. An order that was cancelled by a signed
 * request is only cancelled at the service: the contract would settle it.
 *
 * @param source A node of the order's network, or an equivalent: its URL, a sandbox. Keys in a URL are
 * never shown.
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}.
 * @param order The order, with `signature`, `signingScheme` and `owner`, as from the service.
 * @param options The block, and options of requests.
 * @returns The state; or why the node does not return it, as {@linkcode fundingAt} does.
 * @throws {InputError} If a field of the order, `source` or an option is invalid.
 * @throws {MismatchError} If the responses are of another block, or it was replaced meanwhile.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid response, or another error.
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/GPv2Settlement.sol | computeTradeExecution of the contract}
 *
 * @example An order of a sandbox
 * ```ts
 * import { connect } from "orderlens";
 * import { orderAt } from "orderlens/evm";
 * import { openSandbox } from "orderlens/sandbox";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const sandbox = await openSandbox({ seed: 7, auctions: 20 });
 * const book = connect(sandbox);
 * const found = await Array.fromAsync(book.competitions({ last: 20 }));
 * const solutions = found.flatMap(({ competition }) => competition?.solutions ?? []);
 * const winner = solutions.find(({ isWinner, txHash }) => isWinner && txHash !== null)!;
 * const order = await book.order(winner.orders[0]!.id);
 *
 * const state = await orderAt(sandbox, book.domain, order);
 *
 * assert(!("reason" in state));
 * assertEquals(state.uid, order.uid);
 * const { kind, executedSellAmountBeforeFees, executedBuyAmount } = order;
 * assertEquals(state.filledAtoms, kind === "sell" ? executedSellAmountBeforeFees : executedBuyAmount);
 * ```
 */
export async function orderAt(
  source: NodeSource,
  domain: OrderDomain,
  order: OwnedOrder,
  options: FundingOptions = {},
): Promise<OrderAt | FundingUnknown> {
  checkOptions(options, FUNDING_OPTIONS, ACTION);
  const { block, ...sending } = options;
  const uid = computeOrderUid(domain, order, order.owner);
  const settlementContract = domain.verifyingContract;
  const ask = requireNode(source, WANTED, sending);
  const [chain, latest] = await ask([CHAIN_ID_CALL, toHeaderCall(block ?? "latest")]);
  requireChainAnswer(chain, domain.chainId, ACTION);
  const header = readHeader(latest!, block ?? null, WANTED);
  if (header === null) return toNoBlock(block);
  const approval = toApprovalCalls(order, uid, settlementContract);
  const filledCall = { to: settlementContract, name: "filledAmount", args: [uid] };
  const answers = await readState(ask, header, {
    calls: [filledCall, ...approval],
    wanted: WANTED,
  });
  if ("reason" in answers) {
    const detail = `The node does not serve calls at block ${header.number}: ${answers.message}`;
    return toUnknown(answers.reason, header.number, detail);
  }
  const [filledAtoms, approved] = answers;
  const isPresign = order.signingScheme === "presign";
  if (typeof filledAtoms !== "bigint") {
    return toNoAnswer(settlementContract, "filledAmount", header.number);
  }
  if (isPresign && approved === undefined) {
    return toNoAnswer(settlementContract, "preSignature", header.number);
  }
  const isSignatureValid = approval.length === 0
    ? await isSignedByOwner(domain, order, uid)
    : approved === (isPresign ? BigInt(PRE_SIGNED) : MAGIC_VALUE);
  return toOrderState({ order, uid, header, filledAtoms, isSignatureValid });
}

/** Parts of the state of an order. */
interface StateParts {
  readonly order: OwnedOrder;
  readonly uid: string;
  readonly header: BlockHeader;
  readonly filledAtoms: bigint;
  readonly isSignatureValid: boolean;
}

function toOrderState(parts: StateParts): OrderAt {
  const { uid, header: { number, hash, timestamp }, filledAtoms, isSignatureValid } = parts;
  return {
    block: number,
    blockHash: hash,
    at: Temporal.Instant.fromEpochMilliseconds(timestamp * 1_000),
    uid,
    filledAtoms: filledAtoms === CANCELLED_ATOMS ? null : filledAtoms,
    isSignatureValid,
    refusal: findRefusalReason(parts),
  };
}

function findRefusalReason(
  { order, header, filledAtoms, isSignatureValid }: StateParts,
): OrderRefusal | null {
  if (!isSignatureValid) return "invalid_signature";
  if (order.validTo < header.timestamp) return "expired";
  if (filledAtoms === CANCELLED_ATOMS) return "cancelled";
  const amount = order.kind === "sell" ? order.sellAmount : order.buyAmount;
  return filledAtoms >= (order.partiallyFillable ? amount : 1n) ? "filled" : null;
}

function toApprovalCalls(
  { owner, signature, signingScheme }: OwnedOrder,
  uid: string,
  settlementContract: string,
): StateCall[] {
  if (signingScheme === "presign") {
    return [{ to: settlementContract, name: "preSignature", args: [uid] }];
  }
  if (signingScheme !== "eip1271") return [];
  const args = [uid.slice(0, 66), signature];
  return [{ from: settlementContract, to: owner, name: "isValidSignature", args }];
}

async function isSignedByOwner(
  domain: OrderDomain,
  order: OwnedOrder,
  uid: string,
): Promise<boolean> {
  try {
    return await tradeOrderUid(domain, order as unknown as SettlementTrade) === uid;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** Options of {@linkcode fundingAt}. */
export interface FundingOptions extends RpcOptions {
  /** Block whose state to read. @default {the node's latest block} */
  readonly block?: number;
}

const FUNDS = "the funds of an account";
const FUNDS_ACTION = `Cannot get ${FUNDS}`;
const BALANCES = ["erc20", "external", "internal"] as const;
const FUNDING_OPTIONS: OptionRules<FundingOptions> = { ...RPC_OPTIONS, block: wholeNumber(0) };

/**
 * Reads the funds of an order's owner in the state of a block, and the amount that a settlement may take.
 *
 * A settlement can take `min(balanceAtoms + nativeAtoms, allowanceAtoms)`: the allowance is that of the
 * vault relayer which the settlement contract names; for `external` and `internal` that of the
 * Balancer vault, if the owner has approved the relayer there. Funds that an order's pre-interactions
 * or hooks bring are not in it: they exist only within a settlement.
 *
 * Two requests, three where the chain lacks the Multicall3 contract. All amounts are of one block,
 * which is checked: by what the contract sees as its block, and by the block's hash before and after.
 *
 * @param source A node of the order's network, or an equivalent: its URL, a sandbox. Keys in a URL are
 * never shown.
 * @param question The owner, the token, and its location: an order has these fields.
 * @param options The block, and options of requests.
 * @returns The funds; or why the node does not return them, never those of another block:
 * `state_not_kept` for a block that it has pruned, `no_such_block`, `calls_not_served` by a recording,
 * `contract_does_not_answer` where the token or the settlement contract did not exist.
 * @throws {InputError} If the question, `source` or an option is invalid.
 * @throws {MismatchError} If the responses are of another block, or it was replaced meanwhile.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid response, or another error.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/account-balances/src/simulation.rs | how the service counts}
 *
 * @example An owner of a sandbox, now and in a block whose state is gone
 * ```ts
 * import { connect } from "orderlens";
 * import { fundingAt } from "orderlens/evm";
 * import { openSandbox } from "orderlens/sandbox";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const sandbox = await openSandbox({ seed: 7, auctions: 20 });
 * const book = connect(sandbox);
 * const [found] = await Array.fromAsync(book.competitions({ last: 1 }));
 * const { sellToken, owner } = await book.order(found!.competition!.auction.orders[0]!);
 * const question = { sellToken, owner, settlementContract: book.settlementContract };
 *
 * const now = await fundingAt(sandbox, question);
 * assert(!("reason" in now));
 * assertEquals(now.usableAtoms, now.balanceAtoms);
 *
 * const then = await fundingAt(sandbox, question, { block: now.block - 5 });
 * assert("reason" in then);
 * assertEquals(then.reason, "state_not_kept");
 * ```
 */
export async function fundingAt(
  source: NodeSource,
  question: FundingQuestion,
  options: FundingOptions = {},
): Promise<Funding | FundingUnknown> {
  checkOptions(options, FUNDING_OPTIONS, FUNDS_ACTION);
  const { block, ...sending } = options;
  const checkedQuestion = requireQuestion(question);
  const ask = requireNode(source, FUNDS, sending);
  const opened = await openBlock(ask, checkedQuestion, { block, chainId: question.chainId });
  if ("reason" in opened) return opened;
  const { header, contracts } = opened;
  const calls = listFundingCalls(contracts);
  const answers = await readState(ask, header, { calls, wanted: FUNDS });
  if ("reason" in answers) return toStateUnknown(answers, header.number);
  const amounts = new Map<Part, bigint>();
  for (const [index, { part, to }] of calls.entries()) {
    const amount = readAmount(answers[index]);
    if (amount === undefined) return toNoAnswer(to, part, header.number);
    amounts.set(part, amount);
  }
  return toFunding(opened, amounts);
}

/** Reads a returned number, the only number of a list, or a flag as 1 or 0. */
function readAmount(value: unknown): bigint | undefined {
  if (Array.isArray(value)) return value.length === 1 ? readAmount(value[0]) : undefined;
  if (typeof value === "boolean") return value ? 1n : 0n;
  return typeof value === "bigint" ? value : undefined;
}

/** A block, and the contracts that matter in it. */
interface OpenedBlock {
  readonly header: BlockHeader;
  readonly contracts: FundingContracts;
}

/** Finds the block and the contracts, which never change once they exist. */
async function openBlock(
  ask: RpcNode,
  question: CheckedQuestion,
  { block, chainId }: { readonly block: number | undefined; readonly chainId: number | undefined },
): Promise<OpenedBlock | FundingUnknown> {
  const { settlementContract, sellTokenBalance } = question;
  const tag = toBlockTag(block ?? "latest");
  const hasVault = sellTokenBalance !== "erc20";
  const calls = [RELAYER, ...hasVault ? [VAULT] : []]
    .map((name): StateCall => ({ to: settlementContract, name }));
  const [headerAnswer, ...otherAnswers] = await ask([
    toHeaderCall(block ?? "latest"),
    ...calls.map((call) => toRpcCall(call, tag)),
    ...chainId === undefined ? [] : [CHAIN_ID_CALL],
  ]);
  const nameAnswers = otherAnswers.slice(0, calls.length);
  if (chainId !== undefined) requireChainAnswer(otherAnswers.at(-1), chainId, FUNDS_ACTION);
  const refusal = nameAnswers.map(findRefusal).find((candidate) => candidate !== null) ?? null;
  if (refusal?.reason === "calls_not_served") return toStateUnknown(refusal, block ?? null);
  const header = readHeader(headerAnswer!, block ?? null, FUNDS);
  if (header === null) return toNoBlock(block);
  if (refusal !== null) return toStateUnknown(refusal, header.number);
  const contracts = nameAnswers.map((answer, index) => decodeAnswer(calls[index]!, answer, FUNDS));
  const missingIndex = contracts.findIndex((contract) =>
    typeof contract !== "string" || /^0x0+$/.test(contract)
  );
  if (missingIndex >= 0) {
    return toNoAnswer(settlementContract, calls[missingIndex]!.name, header.number);
  }
  const [relayer, vault = null] = contracts as string[];
  return { header, contracts: { ...question, relayer: relayer!, vault } };
}

/** Combines the amounts, as the service counts them. */
function toFunding(
  { header, contracts: { relayer, vault } }: OpenedBlock,
  amounts: ReadonlyMap<Part, bigint>,
): Funding {
  const balanceAtoms = amounts.get("balance")!;
  const nativeAtoms = amounts.get("native") ?? 0n;
  const approved = amounts.get("approved");
  // Inside the vault, the service counts an unlimited allowance.
  const allowanceAtoms = approved === 0n ? 0n : amounts.get("allowance") ?? MAX_AMOUNT;
  const balance = balanceAtoms + nativeAtoms;
  return {
    block: header.number,
    blockHash: header.hash,
    at: Temporal.Instant.fromEpochMilliseconds(header.timestamp * 1_000),
    balanceAtoms,
    nativeAtoms,
    allowanceAtoms,
    isRelayerApproved: approved === undefined ? null : approved === 1n,
    usableAtoms: balance < allowanceAtoms ? balance : allowanceAtoms,
    relayer,
    spender: vault ?? relayer,
  };
}

function toStateUnknown(
  { reason, message }: StateRefusal,
  block: number | null,
): FundingUnknown {
  const blockName = block === null ? "the latest block" : `block ${block}`;
  const predicate = reason === "state_not_kept"
    ? "does not keep the state of"
    : "does not execute calls at";
  return toUnknown(reason, block, `The node ${predicate} ${blockName}: ${message}`);
}

type CheckedQuestion = Required<Omit<FundingQuestion, "chainId">>;

function requireQuestion(question: FundingQuestion): CheckedQuestion {
  const { sellToken, owner, settlementContract, ...options } = Object(question) as FundingQuestion;
  for (const [name, address] of Object.entries({ sellToken, owner, settlementContract })) {
    if (typeof address === "string" && /^0x[0-9a-f]{40}$/i.test(address)) continue;
    throw new InputError(`${FUNDS_ACTION}: \`${name}\` is not an address`, {
      facts: { found: String(address).slice(0, 80) },
      remedy: "Pass 0x and 40 hex digits",
    });
  }
  const { sellTokenBalance: kind = "erc20", wrapsNative = false } = options;
  requireWord(kind, BALANCES, { action: FUNDS_ACTION, noun: "sellTokenBalance" });
  return {
    sellToken: sellToken.toLowerCase(),
    owner: owner.toLowerCase(),
    settlementContract: settlementContract.toLowerCase(),
    sellTokenBalance: kind,
    wrapsNative,
  };
}

/** The functions of the settlement contract that name the other two. */
const [RELAYER, VAULT] = ["vaultRelayer", "vault"] as const;

/** A question with its contracts. */
interface FundingContracts extends CheckedQuestion {
  /** The contract that takes tokens. */
  readonly relayer: string;
  /** The Balancer vault; `null` where it is not needed. */
  readonly vault: string | null;
}

/** Amounts that are read; not every question needs all. */
type Part = "balance" | "allowance" | "approved" | "native";

/** Lists the calls for the balance, the allowance or the approval, and the native balance. */
function listFundingCalls(contracts: FundingContracts): (StateCall & { readonly part: Part })[] {
  const { sellToken, owner, sellTokenBalance, wrapsNative, relayer, vault } = contracts;
  const isInternal = vault !== null && sellTokenBalance === "internal";
  const allowed = [owner, vault ?? relayer];
  return [
    isInternal
      ? { part: "balance", to: vault, name: "getInternalBalance", args: [owner, [sellToken]] }
      : { part: "balance", to: sellToken, name: "balanceOf", args: [owner] },
    ...isInternal
      ? []
      : [{ part: "allowance", to: sellToken, name: "allowance", args: allowed } as const],
    ...vault === null ? [] : [
      { part: "approved", to: vault, name: "hasApprovedRelayer", args: [owner, relayer] } as const,
    ],
    ...wrapsNative ? [{ part: "native", ...toBalanceCall(owner) } as const] : [],
  ];
}
