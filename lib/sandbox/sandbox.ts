import { InputError } from "../errors/mod.ts";
import {
  checkOptions,
  defineRule,
  isWhole,
  oneOf,
  type OptionRules,
  wholeNumber,
} from "../errors/option_rules.ts";
import type { RpcNode } from "../evm/mod.ts";
import { type Clock, systemClock } from "../http/mod.ts";
import type { Deployment } from "../recordings/deployment.ts";
import { describeSandbox, type SandboxDescription, type SandboxLimits } from "./handlers/terms.ts";
import type { SandboxPenaltyCaps } from "./market/fee_policies.ts";
import { Engine, MIN_KEPT_AUCTIONS } from "./market/engine.ts";
import {
  CHAIN_ID,
  SETTLEMENT_CONTRACT,
  type SignatureVerifier,
  TOKENS,
  WRAPPED_NATIVE,
} from "./market/ledger.ts";
import { BLOCK_MS } from "./market/market_quote.ts";
import { SOLVERS } from "./market/solvers.ts";
import { type ListenOptions, type SandboxServer, serveOverHttp } from "./server/serve_over_http.ts";
import { openMarketNode } from "./service/handle_rpc.ts";
import { type FaultOptions, Faults, type SandboxFault } from "./service/faults.ts";
import { RequestHandler } from "./service/request_handler.ts";
import { yieldToRequests } from "./market/hold_auction.ts";

/** Options of {@linkcode Sandbox.advance}. */
export interface AdvanceOptions {
  /** Number of auctions to hold; a whole number, 0 or more. @default {1} */
  readonly auctions?: number;
}

/** A complete in-process order book with its market, solvers and auctions. */
export class Sandbox implements AsyncDisposable {
  /**
   * The clock of the sandbox; `connect` uses it for polling and retries.
   *
   * In virtual time, a wait holds the auctions that fall into it, at least one, and takes only as
   * long as they take to compute; concurrent waits share them. In real time, it is the system
   * clock, and only `listen` and `advance` hold auctions.
   */
  readonly clock: Clock;
  /**
   * The node of its chain, in-process: takes JSON-RPC calls and returns their responses.
   *
   * It has the settlement transactions, and answers `eth_chainId`, `eth_blockNumber`,
   * `eth_gasPrice`, `eth_getBlockByNumber`, `eth_getBlockByHash`, `eth_getTransactionByHash`,
   * `eth_getTransactionReceipt`, `eth_getLogs`, `eth_call`, `eth_getBalance`, `net_version` and
   * `web3_clientVersion`; `POST /rpc` answers the same over HTTP. Calldata, logs and token
   * transfers of settlements agree to the atom with its trades. Anything outside of settlements,
   * such as arbitrage and deposits, changes balances without a transaction. Blocks are kept as long
   * as auctions; balances are known for the latest block only. Faults affect `POST /rpc`, not these
   * calls.
   *
   * @example The latest block
   * ```ts
   * import { openSandbox } from "orderlens/sandbox";
   * import { assertEquals } from "@std/assert";
   *
   * const sandbox = await openSandbox({ seed: 7, auctions: 20 });
   * const [answer] = await sandbox.rpc([{
   *   method: "eth_getBlockByNumber",
   *   params: ["latest", false],
   * }]);
   *
   * assertEquals("result" in answer!, true);
   * ```
   */
  readonly rpc: RpcNode;
  readonly #engine: Engine;
  readonly #handler: RequestHandler;
  readonly #faults: Faults;
  /** Whether time stays virtual while it listens; the clock's `isVirtual` is about the present. */
  readonly #staysVirtual: boolean;
  readonly #servers = new Set<SandboxServer>();
  #stopAuctions: (() => Promise<void>) | null = null;

  /** Use `openSandbox`. */
  constructor(engine: Engine, options: SandboxOptions) {
    this.#engine = engine;
    this.clock = createMarketClock(engine);
    this.rpc = (calls) => openMarketNode(engine.market)(calls);
    this.#faults = new Faults(engine.market.createRandom("faults"));
    this.#handler = new RequestHandler(engine.market, { ...options, faults: this.#faults });
    this.#staysVirtual = options.clock === "virtual";
  }

  /** Chain, contracts, tokens and solvers, for `connect`. */
  get deployment(): Deployment {
    return {
      chainId: CHAIN_ID,
      settlementContract: SETTLEMENT_CONTRACT,
      wrappedNativeToken: WRAPPED_NATIVE,
      tokens: TOKENS.map(({ address, decimals, symbol }) => ({ address, decimals, symbol })),
      solvers: SOLVERS.map(({ address, name }) => ({ address, name })),
    };
  }

  /** Contents of the sandbox, as returned by `GET /sandbox`. */
  get description(): SandboxDescription {
    return describeSandbox(this.#engine.market);
  }

  /** The current time, by which orders and quotes expire. */
  get now(): Temporal.Instant {
    return this.#engine.market.time.instant;
  }

  /**
   * Handles a request in-process, without a port or a permission; the host of the URL is ignored.
   *
   * @param input A URL, of which only path and query matter; a path; or a `Request`.
   * @param init Method, headers, body and signal, as for the global `fetch`.
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const isPath = typeof input === "string" && input.startsWith("/");
    const request = new Request(isPath ? `http://sandbox${input}` : input, init);
    const { method, url, headers, signal, body } = request;
    try {
      const response = await this.#handler.handle(
        { method, target: url, contentType: headers.get("content-type"), body },
        signal,
      );
      return new Response(response.body, response);
    } finally {
      // The service may answer without reading the body.
      if (!request.bodyUsed) await body?.cancel();
    }
  };

  /**
   * Holds auctions, one per block. Time advances with them, unless real time is followed.
   *
   * @throws {InputError} If the count is not a whole number of at least 0.
   * @example Ten auctions later
   * ```ts
   * import { openSandbox } from "orderlens/sandbox";
   * import { assertEquals } from "@std/assert";
   *
   * const sandbox = await openSandbox({ seed: 7 });
   * const { block } = sandbox.description;
   * await sandbox.advance({ auctions: 10 });
   *
   * assertEquals(sandbox.description.block, block + 10);
   * ```
   */
  async advance(options: AdvanceOptions = {}): Promise<void> {
    checkOptions(options, { auctions: wholeNumber(0) }, "Cannot hold auctions");
    await this.#engine.advance(options.auctions ?? 1);
  }

  /**
   * Makes requests fail from now on; the seed determines which.
   *
   * @throws {InputError} If an option is invalid.
   * @example The first two requests fail
   * ```ts
   * import { connect } from "orderlens";
   * import { openSandbox } from "orderlens/sandbox";
   * import { assertEquals } from "@std/assert";
   *
   * const sandbox = await openSandbox({ seed: 7 });
   * const fault = sandbox.fault({ kind: "serverError", operation: "version", times: 2 });
   *
   * assertEquals(await connect(sandbox).version(), "orderlens-sandbox");
   * assertEquals(fault.hits, 2);
   * ```
   */
  fault(options: FaultOptions): SandboxFault {
    return this.#faults.add(options);
  }

  /**
   * Signs a `presign` order on-chain, as its owner would: it counts at once, and its transaction is
   * in the next block.
   *
   * @throws {InputError} If the order does not exist, or has another signing scheme.
   * @example An order that waits for its owner's transaction
   * ```ts
   * import { connect, placeOrder } from "orderlens";
   * import { openSandbox } from "orderlens/sandbox";
   * import { assertEquals } from "@std/assert";
   *
   * const sandbox = await openSandbox({ seed: 7 });
   * const book = connect(sandbox);
   * const { accounts: [owner], tokens: [weth, usdc] } = sandbox.description;
   * const { uid } = await placeOrder(book, { address: owner! }, {
   *   kind: "sell",
   *   sellToken: weth!.address,
   *   buyToken: usdc!.address,
   *   sellAmountBeforeFee: 10n ** 18n,
   *   signingScheme: "presign",
   * }, { minBuyAmount: 1n });
   *
   * assertEquals((await book.order(uid)).status, "presignaturePending");
   * sandbox.preSign(uid);
   * assertEquals((await book.order(uid)).status, "open");
   * ```
   */
  preSign(uid: string): void {
    const order = this.#engine.market.book.orders.get(uid.toLowerCase());
    if (order === undefined || order.data.signingScheme !== "presign") {
      throw new InputError(`Cannot pre-sign order ${uid}`, {
        facts: { scheme: order?.data.signingScheme ?? "no such order" },
        remedy: "Pass the UID of an order with the signing scheme presign",
      });
    }
    this.#engine.market.preSign(order);
  }

  /**
   * Registers a contract that validates signatures by a custom rule, and funds it with every token.
   *
   * @param owner Its address; a second rule replaces the first.
   * @throws {InputError} If the owner is not an address.
   * @example A contract that accepts any signature
   * ```ts
   * import { connect, placeOrder } from "orderlens";
   * import { openSandbox } from "orderlens/sandbox";
   * import { assertEquals } from "@std/assert";
   *
   * const sandbox = await openSandbox({ seed: 7 });
   * const [weth, usdc] = sandbox.description.tokens;
   * const safe = `0x${"5afe".repeat(10)}`;
   * sandbox.registerVerifier(safe, () => true);
   * const book = connect(sandbox);
   * const { uid } = await placeOrder(book, { address: safe }, {
   *   kind: "sell",
   *   sellToken: weth!.address,
   *   buyToken: usdc!.address,
   *   sellAmountBeforeFee: 10n ** 18n,
   *   signingScheme: "eip1271",
   * }, { contractSignature: () => "0x", minBuyAmount: 1n });
   *
   * assertEquals((await book.order(uid)).owner, safe);
   * ```
   */
  registerVerifier(owner: string, verifier: SignatureVerifier): void {
    const address = owner.toLowerCase();
    if (!/^0x[0-9a-f]{40}$/.test(address)) {
      throw new InputError(`Cannot register a contract at ${JSON.stringify(owner)}`, {
        remedy: "Pass an address: 0x followed by 40 hex digits",
      });
    }
    const { market } = this.#engine;
    if (!market.verifiers.has(address)) market.fund(address);
    market.verifiers.set(address, verifier);
  }

  /**
   * Serves the order book over HTTP. Auctions are held in real time from now on, unless the sandbox
   * was opened with `{ clock: "virtual" }`. Once all servers are closed, the clock keeps running,
   * but only `advance` holds auctions. A failed auction is the last one in real time, and closing
   * the last server throws its error. A block is skipped if the previous auction is still
   * running.
   *
   * No client can block it. A request, including its body, must arrive within 15 seconds; a
   * connection may be idle for 60 seconds; a client must read the next part of a response within 15
   * seconds. Above 1,000 connections, the one that was used least recently is closed.
   *
   * @throws {InputError} If the port is invalid or in use, or the interface is not on this machine.
   * @example Over HTTP
   * ```ts
   * import { openSandbox } from "orderlens/sandbox";
   * import { assertEquals } from "@std/assert";
   *
   * const sandbox = await openSandbox({ seed: 7, clock: "virtual" });
   * await using server = sandbox.listen({ port: 0 });
   * const { chainId } = await (await fetch(`${server.url}/sandbox`)).json();
   *
   * assertEquals(chainId, 11155111);
   * ```
   */
  listen(options: ListenOptions = {}): SandboxServer {
    const httpServer = serveOverHttp(this.#handler, options);
    const server: SandboxServer = {
      ...httpServer,
      close: async () => {
        this.#servers.delete(server);
        await httpServer.close();
        if (this.#servers.size > 0) return;
        const stop = this.#stopAuctions;
        this.#stopAuctions = null;
        await stop?.();
      },
      [Symbol.asyncDispose]: () => server.close(),
    };
    if (!this.#staysVirtual) this.#stopAuctions ??= holdInRealTime(this.#engine);
    this.#servers.add(server);
    return server;
  }

  /** Closes all servers of the sandbox. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.close()));
  }
}

/**
 * Holds one auction per block in real time until stopped. While an auction takes longer than a block,
 * the next ones are skipped.
 *
 * @returns A function that stops after the current auction, and throws the error of a failed one.
 */
export function holdInRealTime(engine: Engine): () => Promise<void> {
  engine.market.time.follow(() => Date.now());
  let isIdle = true;
  let running = Promise.resolve();
  const timer = setInterval(() => {
    if (!isIdle) return;
    isIdle = false;
    running = engine.advance(1);
    running.then(() => isIdle = true, () => clearInterval(timer));
  }, BLOCK_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/**
 * The clock of a market. In virtual time, a wait holds the auctions that fall into it; concurrent
 * waits share them. If the market follows the system clock, so does this clock.
 */
export function createMarketClock(engine: Engine): Clock {
  const { time } = engine.market;
  let lastTurn: Promise<void> = Promise.resolve();

  async function holdAuction(untilMs: number): Promise<void> {
    await yieldToRequests();
    if (time.isVirtual && time.ms < untilMs) await engine.advance(1);
  }

  return {
    get isVirtual() {
      return time.isVirtual;
    },
    now: () => time.ms,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      const untilMs = time.ms + ms;
      while (time.isVirtual && time.ms < untilMs) {
        const turn = lastTurn.then(() => holdAuction(untilMs));
        lastTurn = turn.catch(() => {});
        await turn;
        signal.throwIfAborted();
      }
      if (time.ms < untilMs) await systemClock.sleep(untilMs - time.ms, signal);
    },
  };
}

/** Options of {@linkcode openSandbox}. */
export interface SandboxOptions {
  /**
   * Seed of all randomness: a whole number from 0. In virtual time, the same seed and the same
   * requests give the same responses.
   *
   * @default {1}
   */
  readonly seed?: number;
  /**
   * Number of auctions to hold before it opens: a whole number from 0. Each takes one block of two
   * seconds of the sandbox's time and fills the book with orders, trades and competitions.
   *
   * @default {0}
   */
  readonly auctions?: number;
  /**
   * Maximum numbers of requests, orders and quotes per minute, and of open out-of-market orders per account.
   * Requests above a rate get 429 with `Retry-After`; an order above the maximum gets
   * `TooManyLimitOrders`.
   *
   * @default {no limits}
   */
  readonly limits?: SandboxLimits;
  /**
   * The clock. `"virtual"`: time advances by two seconds per auction, even while listening; only waits on
   * `clock` and `advance` hold auctions. `"wall"`: in real time from the start, with the initial
   * auctions just before now.
   *
   * @default {virtual until it listens, then real time}
   */
  readonly clock?: "virtual" | "wall";
  /**
   * Whether notifications are enabled. If not, their route responds with 404, as on most deployments.
   *
   * @default {true}
   */
  readonly notifications?: boolean;
  /**
   * Number of latest auctions to keep: a whole number from 10. Older auctions are dropped, and with
   * them the orders that ended before, their trades and their notifications; open orders stay.
   * Fewer auctions are kept if they list more than 1,000,000 orders in total; of ended orders, the
   * latest 50,000 are kept.
   *
   * @default {5000}
   */
  readonly keptAuctions?: number;
  /**
   * Whether orders may take the fast path (services#4713 and #4883, not in a release as of 2026-09):
   * a quote for it takes an auction id, and its solver settles the order within four blocks. Without
   * it, an order whose app data asks for it is rejected.
   *
   * @default {false}
   */
  readonly fastPath?: boolean;
  /**
   * Caps on the penalty for winning an order and not settling it, in trades and the auction
   * (services#4878, not in a release as of 2026-09); `{}` for those of the proposal.
   *
   * @default {orders have none}
   */
  readonly penaltyCaps?: SandboxPenaltyCaps;
}

const LIMITS: OptionRules<SandboxLimits> = {
  requestsPerMinute: wholeNumber(0),
  ordersPerMinute: wholeNumber(0),
  quotesPerMinute: wholeNumber(0),
  openLimitOrders: wholeNumber(0),
};

const OPTIONS: OptionRules<SandboxOptions> = {
  seed: wholeNumber(0),
  auctions: wholeNumber(0),
  limits: defineRule(
    "an object of limits",
    (limits) => typeof limits === "object" && limits !== null,
  ),
  clock: oneOf("virtual", "wall"),
  notifications: Boolean,
  keptAuctions: wholeNumber(MIN_KEPT_AUCTIONS),
  fastPath: Boolean,
  penaltyCaps: defineRule("an object of caps", (caps) => typeof caps === "object" && caps !== null),
};

const CAPS: OptionRules<SandboxPenaltyCaps> = {
  volumeBps: defineRule("a whole number from 0 to 10,000", (bps) => isWhole(bps, 0, 10_000)),
  maxAtoms: defineRule(
    "a bigint of at least 0",
    (atoms) => typeof atoms === "bigint" && atoms >= 0n,
  ),
};

/**
 * Opens a complete in-process order book: a market with pools and traders, solvers that compete in
 * auctions, and every operation of the service, with its paths, statuses and error texts.
 *
 * The ten development accounts of Anvil and Hardhat are funded and approved for every token; all
 * but the first trade on their own, about two orders per auction. Signatures are real: UIDs are
 * digests, and signers are recovered. As long as time is virtual, the same seed gives the same
 * bytes on every machine: time starts at 2026-11-21 and advances two seconds per auction.
 *
 * What the service rejects is rejected for the same reason, in the same order of checks: orders of
 * accounts without funds (`InsufficientBalance`), of `deniedAccounts` of the description
 * (`Forbidden`), for its `unsupportedTokens` (`UnsupportedToken`), from addresses that are not
 * tokens (`TransferSimulationFailed`); quotes without a pool (`NoLiquidity`) or too small for their
 * gas (`SellAmountDoesNotCoverFee`). An unknown quote id is not an error: a fresh quote is stored
 * with the order, as the service does. All approvals are set, so `InsufficientAllowance` never
 * occurs.
 *
 * History is bounded (`keptAuctions`): older data is served as if it never existed, except for
 * `total_surplus`, which counts everything. Client data is not bounded: open orders and registered
 * documents stay.
 *
 * @param options The seed and other options.
 * @throws {InputError} If an option is invalid.
 * @example An order book after twenty auctions
 * ```ts
 * import { connect } from "orderlens";
 * import { openSandbox } from "orderlens/sandbox";
 * import { assertEquals } from "@std/assert";
 *
 * const sandbox = await openSandbox({ seed: 7, auctions: 20 });
 * const book = connect(sandbox);
 * const latest = await book.competition("latest");
 *
 * assertEquals(book.chainId, 11155111);
 * assertEquals(latest.solutions.at(-1)?.isWinner, true);
 * ```
 */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkOptions(options, OPTIONS, "Cannot open a sandbox");
  const { seed = 1, auctions = 0, limits = {}, clock, penaltyCaps = {} } = options;
  checkOptions(limits, LIMITS, "Cannot limit a sandbox");
  checkOptions(penaltyCaps, CAPS, "Cannot cap penalties in a sandbox");
  const engine = new Engine(seed, options);
  if (clock === "wall") engine.market.time.begin(Date.now() - auctions * BLOCK_MS);
  const sandbox = new Sandbox(engine, options);
  await sandbox.advance({ auctions });
  if (clock === "wall") engine.market.time.follow(() => Date.now());
  return sandbox;
}
