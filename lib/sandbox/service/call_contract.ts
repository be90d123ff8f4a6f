import { toHex } from "../../evm/hex.ts";
import { type ContractCall, RpcError } from "../../evm/node/serve_json_rpc.ts";
import { MULTICALL3, PRE_SIGNED, readCall } from "../../evm/node/contract_calls.ts";
import { SETTLE_SELECTOR } from "../../evm/settlement/decode_settlement.ts";
import { computeDomainSeparator } from "../../evm/orders/order_digest.ts";
import { HOOKS_TRAMPOLINE } from "../../networks/network.ts";
import { MAX_AMOUNT } from "../../units/arithmetic.ts";
import {
  AUTHENTICATOR,
  OUTSIDE,
  ROUTER,
  type SandboxToken,
  SETTLEMENT_CONTRACT,
  TOKENS,
  UNSUPPORTED_TOKEN,
  VAULT_RELAYER,
} from "../market/ledger.ts";
import type { Market } from "../market/market.ts";
import { SOLVERS } from "../market/solvers.ts";

/** A call with the block that decides whether its result is known. */
interface MarketCall extends Pick<ContractCall, "to" | "data"> {
  /** Throws unless the call reads the latest block, the only one whose state is kept. */
  readonly requireLatest: () => void;
}

/** Implementations of the functions of a contract, by name. */
type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

const REVERTED = "execution reverted";
/** Selector of `isValidSignature(bytes32,bytes)`, and its result for a valid signature. */
const VALID_SIGNATURE = "0x1626ba7e";

/**
 * Calls a contract of the market. Returns its return data; empty at an address without a contract.
 *
 * @throws {RpcError} If the call reverts, or its result depends on a state that is not kept.
 */
export async function callContract(market: Market, call: MarketCall): Promise<string> {
  const verifier = market.verifiers.get(call.to);
  if (verifier === undefined || !call.data.startsWith(VALID_SIGNATURE)) {
    const returned = execute(market, call);
    if (returned === null) throw new RpcError("reverted", REVERTED);
    return returned;
  }
  const parsedCall = readCall(call.data);
  if (parsedCall === null) throw new RpcError("reverted", REVERTED);
  const [digest, signature] = parsedCall.args as [string, string];
  return parsedCall.returns(await verifier(digest, signature) ? VALID_SIGNATURE : "0xffffffff");
}

/** Executes a call. Returns its return data; `null` if it reverts, empty without a contract. */
function execute(market: Market, call: MarketCall): string | null {
  const functions = findFunctions(market, call);
  if (functions === null) return "0x";
  const parsedCall = readCall(call.data);
  const implementation = parsedCall && functions[parsedCall.name];
  // The ABI of the function decoded them.
  return implementation ? parsedCall.returns(implementation(...parsedCall.args as never[])) : null;
}

function findFunctions(market: Market, call: MarketCall): Functions | null {
  const { to } = call;
  const token = [...TOKENS, UNSUPPORTED_TOKEN].find(({ address }) => address === to);
  if (token !== undefined) return createTokenFunctions(market, token, call);
  if (to === SETTLEMENT_CONTRACT) {
    if (call.data.startsWith(SETTLE_SELECTOR)) rejectSettlement(call);
    return createSettlementFunctions(market, call);
  }
  if (to === AUTHENTICATOR) {
    return { isSolver: (solver: string) => SOLVERS.some(({ address }) => address === solver) };
  }
  if (to === MULTICALL3) {
    return {
      aggregate3: (calls: readonly AggregatedCall[]) => aggregateCalls(market, call, calls),
    };
  }
  const isContract = [ROUTER, VAULT_RELAYER, HOOKS_TRAMPOLINE].includes(to) ||
    market.verifiers.has(to) || market.liquidity.pools.some(({ address }) => address === to);
  return isContract ? {} : null;
}

/** A settlement depends on the state of everything in it, and is not executed by a call. */
function rejectSettlement({ requireLatest }: MarketCall): never {
  requireLatest();
  throw new RpcError("notRecorded", "calls of settle are not recorded: only auctions settle");
}

function createTokenFunctions(
  { ledger }: Market,
  { address, symbol, decimals }: SandboxToken,
  { requireLatest }: MarketCall,
): Functions {
  const encodeSymbol = () => toHex(new TextEncoder().encode(symbol));
  const readBalance = (holder: string) => {
    requireLatest();
    return ledger.balanceOf(holder, address);
  };
  return {
    decimals: () => decimals,
    symbol: encodeSymbol,
    name: encodeSymbol,
    totalSupply: () => -readBalance(OUTSIDE),
    balanceOf: readBalance,
    allowance(owner: string, spender: string) {
      const trusted = owner === SETTLEMENT_CONTRACT ? ROUTER : VAULT_RELAYER;
      return spender === trusted ? MAX_AMOUNT : 0n;
    },
  };
}

function createSettlementFunctions(market: Market, { requireLatest }: MarketCall): Functions {
  return {
    domainSeparator: () => toHex(computeDomainSeparator(market.domain)),
    authenticator: () => AUTHENTICATOR,
    vaultRelayer: () => VAULT_RELAYER,
    preSignature(uid: string) {
      requireLatest();
      return market.book.orders.get(uid)?.isPreSigned === true ? BigInt(PRE_SIGNED) : 0n;
    },
    filledAmount(uid: string) {
      requireLatest();
      return readFilledAmount(market, uid);
    },
  };
}

function readFilledAmount({ book, chain }: Market, uid: string): bigint {
  const order = book.orders.get(uid);
  if (order === undefined && chain.hasForgotten) {
    const fault = `the filled amount of ${uid} is not kept: the order is unknown`;
    throw new RpcError("serverError", fault);
  }
  return order?.executed ?? 0n;
}

/** One of several calls in one transaction. */
interface AggregatedCall {
  readonly target: string;
  readonly callData: string;
  readonly allowFailure: boolean;
}

function aggregateCalls(
  market: Market,
  call: MarketCall,
  calls: readonly AggregatedCall[],
): unknown {
  // Calls of the contract itself would be unbounded.
  if (calls.some(({ target }) => target === MULTICALL3)) throw new RpcError("reverted", REVERTED);
  return calls.map(({ target, callData, allowFailure }) => {
    const returnData = execute(market, { ...call, to: target, data: callData });
    if (returnData === null && !allowFailure) {
      throw new RpcError("reverted", `${REVERTED}: Multicall3: call failed`);
    }
    return { success: returnData !== null, returnData: returnData ?? "0x" };
  });
}
