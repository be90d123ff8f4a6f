import type { Abi, AbiEvent, Hex } from "viem";
import {
  decodeEventLog,
  type DecodeEventLogReturnType,
  parseAbi,
  toEventSelector,
} from "viem/utils";
import { InputError } from "../errors/mod.ts";
import { requireHexBytes, WORD_DIGITS } from "./hex.ts";
import { readPlainValues } from "./plain_values.ts";

/**
 * Functions and events of the settlement contract.
 *
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/GPv2Settlement.sol | GPv2Settlement}
 */
export const SETTLEMENT_ABI = parseAbi([
  "struct Trade { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }",
  "struct Call { address target; uint256 value; bytes callData; }",
  "function settle(address[] tokens, uint256[] clearingPrices, Trade[] trades, Call[][3] interactions)",
  "event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)",
  "event Interaction(address indexed target, uint256 value, bytes4 selector)",
  "event Settlement(address indexed solver)",
  "event OrderInvalidated(address indexed owner, bytes orderUid)",
  "event PreSignature(address indexed owner, bytes orderUid, bool signed)",
]);

/**
 * Functions and events of the EthFlow contracts, and of others that place orders on the chain.
 *
 * @see {@link https://github.com/cowprotocol/ethflowcontract/tree/fd72a5375e12/src | the contract}
 */
export const ETHFLOW_ABI = parseAbi([
  "struct Data { address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; bytes32 appData; uint256 feeAmount; uint32 validTo; bool partiallyFillable; int64 quoteId; }",
  "struct Order { address sellToken; address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; bytes32 kind; bool partiallyFillable; bytes32 sellTokenBalance; bytes32 buyTokenBalance; }",
  "struct Signature { uint8 scheme; bytes data; }",
  "function createOrder(Data order) payable returns (bytes32 orderHash)",
  "function invalidateOrder(Data order)",
  "function invalidateOrdersIgnoringNotAllowed(Data[] orderArray)",
  "event OrderPlacement(address indexed sender, Order order, Signature signature, bytes data)",
  "event OrderInvalidation(bytes orderUid)",
  "event OrderRefund(bytes orderUid, address indexed refunder)",
]);

/**
 * Events of ComposableCoW, the contract of TWAPs and other programmatic orders.
 *
 * @see {@link https://github.com/cowprotocol/composable-cow/blob/4a0c2bd271519f3e2f5261fdd0d4afbc4543b921/src/ComposableCoW.sol | ComposableCoW}
 */
export const COMPOSABLE_COW_ABI = parseAbi([
  "struct Params { address handler; bytes32 salt; bytes staticInput; }",
  "struct Proof { uint256 location; bytes data; }",
  "event ConditionalOrderCreated(address indexed owner, Params params)",
  "event MerkleRootSet(address indexed owner, bytes32 root, Proof proof)",
  "event SwapGuardSet(address indexed owner, address swapGuard)",
]);

/**
 * Calls that settlements and traders make: of a router of constant-product pools, of tokens, of the
 * settlement contract, and of the Balancer vault.
 *
 * @see {@link https://github.com/Uniswap/v2-periphery/blob/master/contracts/UniswapV2Router02.sol | UniswapV2Router02}
 */
export const CALLS_ABI = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function withdraw(uint256 wad)",
  "function setPreSignature(bytes orderUid, bool signed)",
  "function invalidateOrder(bytes orderUid)",
  "function approve(address spender, uint256 amount)",
  "function setRelayerApproval(address sender, address relayer, bool approved)",
]);

/**
 * The function of the trampoline, which executes hooks.
 *
 * @see {@link https://github.com/cowprotocol/hooks-trampoline/blob/main/src/HooksTrampoline.sol | HooksTrampoline}
 */
export const TRAMPOLINE_ABI = parseAbi([
  "struct Hook { address target; bytes callData; uint256 gasLimit; }",
  "function execute(Hook[] hooks)",
]);

/** Events of tokens: ERC-20, and the wrapped native token. */
export const TOKEN_EVENTS = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Deposit(address indexed dst, uint256 wad)",
  "event Withdrawal(address indexed src, uint256 wad)",
]);

/**
 * Functions that read the state of a block: of the settlement contract and its list of solvers, of
 * wallets, of tokens, of the Balancer vault, of ComposableCoW, of factories of proxies, and of
 * Multicall3. A symbol and a name are text, encoded as bytes are.
 */
export const STATE_ABI: Abi = parseAbi([
  "function filledAmount(bytes orderUid) view returns (uint256)",
  "function preSignature(bytes orderUid) view returns (uint256)",
  "function vaultRelayer() view returns (address)",
  "function authenticator() view returns (address)",
  "function domainSeparator() view returns (bytes32)",
  "function isSolver(address solver) view returns (bool)",
  "function vault() view returns (address)",
  "function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)",
  "function decimals() view returns (uint8)",
  "function symbol() view returns (bytes)",
  "function name() view returns (bytes)",
  "function totalSupply() view returns (uint256)",
  "function balanceOf(address account) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function hasApprovedRelayer(address user, address relayer) view returns (bool)",
  "function getInternalBalance(address user, address[] tokens) view returns (uint256[])",
  "function singleOrders(address owner, bytes32 id) view returns (bool)",
  "function cabinet(address owner, bytes32 id) view returns (uint256)",
  "function proxyOf(address owner) view returns (address)",
  "function getBlockNumber() view returns (uint256)",
  "function getCurrentBlockTimestamp() view returns (uint256)",
  "function getEthBalance(address account) view returns (uint256)",
]);

/**
 * The function of Multicall3 that calls several contracts at once.
 *
 * @see {@link https://www.multicall3.com | Multicall3}
 */
export const MULTICALL3_ABI = parseAbi([
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call[] calls) payable returns (Result[] returnData)",
]);

/** A log as returned by JSON-RPC, or with its numbers already parsed. */
export interface EventLog {
  /** Contract that emitted it. */
  readonly address: string;
  /** Topics: the hash of the event, then the indexed parameters. */
  readonly topics: readonly string[];
  /** Data: the parameters that are not indexed, as hex. */
  readonly data: string;
  /** Block, as a number or as JSON-RPC's hex text. */
  readonly blockNumber: number | bigint | string;
  /** Transaction. */
  readonly transactionHash: string;
  /** Log index in the block, as a number or as JSON-RPC's hex text. */
  readonly logIndex: number | bigint | string;
}

/** Position of an event on the chain. */
export interface EventPlace {
  /** Block. */
  readonly blockNumber: number;
  /** Log index in the block. */
  readonly logIndex: number;
  /** Transaction. */
  readonly transactionHash: string;
  /** Contract that emitted it, in lower case. */
  readonly address: string;
}

/** A log that is not an event of the settlement contract. */
export interface OtherEvent extends EventPlace {
  /** Kind of event: unknown. */
  readonly event: "other";
  /** Topics, as received. */
  readonly topics: readonly string[];
  /** Data, as received. */
  readonly data: string;
}

/** An event, and its parameters among the topics and in the data. */
interface KnownEvent<A extends Abi> extends AbiEvent {
  readonly name: DecodeEventLogReturnType<A>["eventName"];
  readonly indexed: AbiEvent["inputs"];
  readonly unindexed: AbiEvent["inputs"];
}

/** Decodes the logs of an ABI's events. */
export class LogDecoder<const A extends Abi> {
  readonly #abi: A;
  #events: ReadonlyMap<string, KnownEvent<A>> | undefined;

  /** Decodes the events of an ABI. */
  constructor(abi: A) {
    this.#abi = abi;
  }

  /** Its events by their first topic; hashed on first use, which takes longer than loading a module. */
  get events(): ReadonlyMap<string, KnownEvent<A>> {
    const abi: Abi = this.#abi;
    return this.#events ??= new Map(
      abi.filter((item) => item.type === "event").map((event) => [toEventSelector(event), {
        ...event as AbiEvent & Pick<KnownEvent<A>, "name">,
        indexed: event.inputs.filter(({ indexed }) => indexed),
        unindexed: event.inputs.filter(({ indexed }) => !indexed),
      }]),
    );
  }

  /**
   * Decodes a log.
   *
   * @returns The name of the event with its parameters, hex in lower case; `null` if the ABI lacks it.
   * @throws {InputError} If its topics or data are not those of its event.
   */
  decode({ topics, data, ...position }: EventLog): DecodeEventLogReturnType<A> | null {
    const event = this.events.get(topics[0]?.toLowerCase() ?? "");
    if (event === undefined) return null;
    const abi: Abi = [event];
    try {
      const [first, ...otherTopics] = topics.map((topic) => requireHexBytes(topic));
      const log = {
        topics: [first!, ...otherTopics] as [Hex, ...Hex[]],
        data: requireHexBytes(data),
      };
      const args = readArguments(event, log) ?? toLowerCase(decodeEventLog({ abi, ...log }).args);
      return { eventName: event.name, args } as DecodeEventLogReturnType<A>;
    } catch (cause) {
      throw toLogError(position, "its data does not match its event", cause);
    }
  }
}

/** Reads the parameters of an event in the layout that contracts write; `null` in any other. */
function readArguments(
  { indexed, unindexed }: Pick<KnownEvent<Abi>, "indexed" | "unindexed">,
  { topics, data }: { readonly topics: readonly Hex[]; readonly data: Hex },
): Readonly<Record<string, unknown>> | null {
  const words = topics.slice(1).map((topic) => topic.slice(2));
  if (words.some(({ length }) => length !== WORD_DIGITS)) return null;
  const first = readPlainValues(indexed, words.join(""));
  const second = readPlainValues(unindexed, data.slice(2));
  if (first === null || second === null) return null;
  const values = [...first.values, ...second.values];
  return Object.fromEntries(
    [...indexed, ...unindexed].map(({ name }, index) => [name, values[index]]),
  );
}

/** Creates the error for a log that no contract emits. */
export function toLogError(
  { blockNumber, logIndex, transactionHash }: Omit<EventLog, "address" | "topics" | "data">,
  fault: string,
  cause?: unknown,
): InputError {
  return new InputError(
    `Cannot decode log ${Number(logIndex)} of block ${Number(blockNumber)}: ${fault}`,
    {
      facts: { transaction: transactionHash },
      remedy: "Pass the log with all its topics and data, as returned by the node",
      ...cause === undefined ? {} : { cause },
    },
  );
}

/** Reads the position of a log on the chain. */
export function toPosition(log: EventLog): EventPlace {
  return {
    blockNumber: Number(log.blockNumber),
    logIndex: Number(log.logIndex),
    transactionHash: log.transactionHash,
    address: log.address.toLowerCase(),
  };
}

/** Converts a log of an event that is not decoded. */
export function toOtherEvent(log: EventLog): OtherEvent {
  return { event: "other", ...toPosition(log), topics: log.topics, data: log.data };
}

/** Lowers the case of all text in a value: viem gives addresses with a checksum. */
export function toLowerCase<Value>(value: Value): Value {
  const lower = (part: unknown): unknown => {
    if (typeof part === "string") return part.toLowerCase();
    if (Array.isArray(part)) return part.map(lower);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, lower(inner)]));
  };
  return lower(value) as Value;
}
