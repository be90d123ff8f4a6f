import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  type OptionRules,
  requireWord,
  wholeNumber,
} from "../../errors/option_rules.ts";
import { computeOrderUid, type SignableOrder } from "../orders/order_digest.ts";
import type { OrderDomain } from "../orders/order_uid.ts";
import type { SignatureFields } from "../orders/request_signature.ts";
import { type SettlementTrade, tradeOrderUid } from "../settlement/decode_settlement.ts";
import {
  type BlockHeader,
  blockTag,
  type Funding,
  type FundingQuestion,
  type FundingUnknown,
  fundingUnknown,
  headerCall,
  noSuchBlock,
  readHeader,
  silent,
} from "./block_at.ts";
import { CHAIN_ID_CALL, nodeOf, type NodeSource, requireChainIn } from "./node_source.ts";
import {
  callsAt,
  CANCELLED,
  nativeBalance,
  PRE_SIGNED,
  refusalIn,
  rpcCall,
  type StateCall,
  type StateRefusal,
  valueIn,
} from "./contract_calls.ts";
import { RPC_OPTIONS, type RpcNode, type RpcOptions } from "./rpc_batches.ts";

/** An order with its signature and its owner, as from the service. */
export interface OwnedOrder extends SignableOrder, SignatureFields {
  /** Its owner, 20 bytes. */
  readonly owner: string;
}

/** Why the settlement contract refuses an order, whatever the prices are. */
export type OrderRefusal = "invalid_signature" | "expired" | "cancelled" | "filled";

/** What the settlement contract makes of an order in the state of one block. */
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
   * What the contract counts as filled, in atoms of the token whose amount the order fixes; `null` if
   * the order is cancelled on the chain, which overwrites it. `0n` again once it is freed after expiry.
   */
  readonly filledAtoms: bigint | null;
  /**
   * Whether the contract takes the signature: the owner's for `eip712` and `ethsign`, an approval by
   * the wallet for `eip1271`, one on the chain for `presign`.
   */
  readonly isSignatureValid: boolean;
  /** Why the contract refuses the order; `null` if it settles it at prices within its limit. */
  readonly refusal: OrderRefusal | null;
}

const WANTED = "the state of an order";
const ACTION = `Cannot get ${WANTED}`;
/** What a wallet returns for a valid signature; the contract reads no more of the word. */
const VALID = "0x1626ba7e";

/**
 * What the settlement contract makes of an order in the state of a block: how much is filled, whether
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
 * @returns The state; or why the node does not tell it, as {@linkcode fundingAt} does.
 * @throws {InputError} If a field of the order, `source` or an option is invalid.
 * @throws {MismatchError} If the answers are of another block, or it was replaced meanwhile.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid answer, or another error.
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
  const ask = nodeOf(source, WANTED, sending);
  const [chain, found] = await ask([CHAIN_ID_CALL, headerCall(block ?? "latest")]);
  requireChainIn(chain, domain.chainId, ACTION);
  const header = readHeader(found!, block ?? null, WANTED);
  if (header === null) return noSuchBlock(block);
  const approval = approvalCall(order, uid, settlementContract);
  const filled = { to: settlementContract, name: "filledAmount", args: [uid] };
  const answers = await callsAt(ask, header, { calls: [filled, ...approval], wanted: WANTED });
  if ("reason" in answers) {
    const detail = `The node does not serve calls at block ${header.number}: ${answers.said}`;
    return fundingUnknown(answers.reason, header.number, detail);
  }
  const [filledAtoms, approved] = answers;
  const isPresign = order.signingScheme === "presign";
  if (typeof filledAtoms !== "bigint") {
    return silent(settlementContract, "filledAmount", header.number);
  }
  if (isPresign && approved === undefined) {
    return silent(settlementContract, "preSignature", header.number);
  }
  const isSignatureValid = approval.length === 0
    ? await isSignedByOwner(domain, order, uid)
    : approved === (isPresign ? BigInt(PRE_SIGNED) : VALID);
  return stateOf({ order, uid, header, filledAtoms, isSignatureValid });
}

/** What the state of an order is made of. */
interface StateParts {
  readonly order: OwnedOrder;
  readonly uid: string;
  readonly header: BlockHeader;
  readonly filledAtoms: bigint;
  readonly isSignatureValid: boolean;
}

function stateOf(parts: StateParts): OrderAt {
  const { uid, header: { number, hash, timestamp }, filledAtoms, isSignatureValid } = parts;
  return {
    block: number,
    blockHash: hash,
    at: Temporal.Instant.fromEpochMilliseconds(timestamp * 1_000),
    uid,
    filledAtoms: filledAtoms === CANCELLED ? null : filledAtoms,
    isSignatureValid,
    refusal: refusalOf(parts),
  };
}

function refusalOf(
  { order, header, filledAtoms, isSignatureValid }: StateParts,
): OrderRefusal | null {
  if (!isSignatureValid) return "invalid_signature";
  if (order.validTo < header.timestamp) return "expired";
  if (filledAtoms === CANCELLED) return "cancelled";
  const whole = order.kind === "sell" ? order.sellAmount : order.buyAmount;
  return filledAtoms >= (order.partiallyFillable ? whole : 1n) ? "filled" : null;
}

function approvalCall(
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
 * What the owner of an order has in the state of a block, and what a settlement may take of it.
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
 * @param question The owner, the token, and where it is kept: an order has these fields.
 * @param options The block, and options of requests.
 * @returns The funds; or why the node does not tell them, never those of another block:
 * `state_not_kept` for a block that it has pruned, `no_such_block`, `calls_not_served` by a recording,
 * `contract_does_not_answer` where the token or the settlement contract did not exist.
 * @throws {InputError} If the question, `source` or an option is invalid.
 * @throws {MismatchError} If the answers are of another block, or it was replaced meanwhile.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid answer, or another error.
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
  const asked = checked(question);
  const ask = nodeOf(source, FUNDS, sending);
  const opened = await openBlock(ask, asked, { block, chainId: question.chainId });
  if ("reason" in opened) return opened;
  const { header, contracts } = opened;
  const calls = fundingCalls(contracts);
  const answers = await callsAt(ask, header, { calls, wanted: FUNDS });
  if ("reason" in answers) return refused(answers, header.number);
  const amounts = new Map<Part, bigint>();
  for (const [place, { part, to }] of calls.entries()) {
    const amount = amountIn(answers[place]);
    if (amount === undefined) return silent(to, part, header.number);
    amounts.set(part, amount);
  }
  return fundingOf(opened, amounts);
}

/** A returned number, the only number of a list, or a flag as 1 or 0. */
function amountIn(value: unknown): bigint | undefined {
  if (Array.isArray(value)) return value.length === 1 ? amountIn(value[0]) : undefined;
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
  const tag = blockTag(block ?? "latest");
  const hasVault = sellTokenBalance !== "erc20";
  const calls = [RELAYER, ...hasVault ? [VAULT] : []]
    .map((name): StateCall => ({ to: settlementContract, name }));
  const [found, ...others] = await ask([
    headerCall(block ?? "latest"),
    ...calls.map((call) => rpcCall(call, tag)),
    ...chainId === undefined ? [] : [CHAIN_ID_CALL],
  ]);
  const named = others.slice(0, calls.length);
  if (chainId !== undefined) requireChainIn(others.at(-1), chainId, FUNDS_ACTION);
  const refusal = named.map(refusalIn).find((each) => each !== null) ?? null;
  if (refusal?.reason === "calls_not_served") return refused(refusal, block ?? null);
  const header = readHeader(found!, block ?? null, FUNDS);
  if (header === null) return noSuchBlock(block);
  if (refusal !== null) return refused(refusal, header.number);
  const contracts = named.map((answer, place) => valueIn(calls[place]!, answer, FUNDS));
  const missing = contracts.findIndex((one) => typeof one !== "string" || /^0x0+$/.test(one));
  if (missing >= 0) return silent(settlementContract, calls[missing]!.name, header.number);
  const [relayer, vault = null] = contracts as string[];
  return { header, contracts: { ...question, relayer: relayer!, vault } };
}

/** The amounts, as the service counts them. */
function fundingOf(
  { header, contracts: { relayer, vault } }: OpenedBlock,
  amounts: ReadonlyMap<Part, bigint>,
): Funding {
  const balanceAtoms = amounts.get("balance")!;
  const nativeAtoms = amounts.get("native") ?? 0n;
  const approved = amounts.get("approved");
  const allowanceAtoms = approved === 0n ? 0n : amounts.get("allowance") ?? UNLIMITED;
  const held = balanceAtoms + nativeAtoms;
  return {
    block: header.number,
    blockHash: header.hash,
    at: Temporal.Instant.fromEpochMilliseconds(header.timestamp * 1_000),
    balanceAtoms,
    nativeAtoms,
    allowanceAtoms,
    isRelayerApproved: approved === undefined ? null : approved === 1n,
    usableAtoms: held < allowanceAtoms ? held : allowanceAtoms,
    relayer,
    spender: vault ?? relayer,
  };
}

function refused({ reason, said }: StateRefusal, block: number | null): FundingUnknown {
  const where = block === null ? "the latest block" : `block ${block}`;
  const what = reason === "state_not_kept"
    ? "does not keep the state of"
    : "does not execute calls at";
  return fundingUnknown(reason, block, `The node ${what} ${where}: ${said}`);
}

type CheckedQuestion = Required<Omit<FundingQuestion, "chainId">>;

function checked(question: FundingQuestion): CheckedQuestion {
  const { sellToken, owner, settlementContract, ...kept } = Object(question) as FundingQuestion;
  for (const [name, address] of Object.entries({ sellToken, owner, settlementContract })) {
    if (typeof address === "string" && /^0x[0-9a-f]{40}$/i.test(address)) continue;
    throw new InputError(`${FUNDS_ACTION}: \`${name}\` is not an address`, {
      facts: { found: String(address).slice(0, 80) },
      remedy: "Pass 0x and 40 hex digits",
    });
  }
  const { sellTokenBalance: kind = "erc20", wrapsNative = false } = kept;
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
/** The allowance that the service counts for balances inside the vault. */
const UNLIMITED = 2n ** 256n - 1n;

/** A question with its contracts. */
interface FundingContracts extends CheckedQuestion {
  /** The contract that takes tokens. */
  readonly relayer: string;
  /** The Balancer vault; `null` where it is not needed. */
  readonly vault: string | null;
}

/** What is read: some parts do not matter to every question. */
type Part = "balance" | "allowance" | "approved" | "native";

/** What to read: the balance, the allowance or the approval, what else belongs to them. */
function fundingCalls(contracts: FundingContracts): (StateCall & { readonly part: Part })[] {
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
    ...wrapsNative ? [{ part: "native", ...nativeBalance(owner) } as const] : [],
  ];
}
