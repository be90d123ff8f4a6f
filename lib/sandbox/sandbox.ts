import { InputError } from "../errors/mod.ts";
import { checkOptions, type OptionRules, wholeFrom } from "../errors/option_rules.ts";
import type { RpcNode } from "../evm/mod.ts";
import { type Clock, systemClock } from "../http/mod.ts";
import type { Deployment } from "../recordings/deployment.ts";
import { describeSandbox, type SandboxDescription } from "./handlers/describe_sandbox.ts";
import type { Engine } from "./market/engine.ts";
import { TOKENS, WRAPPED_NATIVE } from "./market/ledger.ts";
import { CHAIN_ID, SETTLEMENT_CONTRACT, type SignatureVerifier } from "./market/market.ts";
import { BLOCK_MS } from "./market/market_quote.ts";
import { SOLVERS } from "./market/solvers.ts";
import { type ListenOptions, type SandboxServer, serveOverHttp } from "./server/serve_over_http.ts";
import { marketNode } from "./service/answer_rpc.ts";
import { type FaultOptions, Faults, type SandboxFault } from "./service/faults.ts";
import { RequestHandler } from "./service/request_handler.ts";
import type { Service } from "./service/service.ts";

/** How far to advance. */
export interface AdvanceOptions {
  /** Auctions to hold; a whole number, 0 or more. @default {1} */
  readonly auctions?: number;
}

const ADVANCE_OPTIONS: OptionRules<AdvanceOptions> = { auctions: wholeFrom(0) };

/** A complete in-process order book with its market, solvers and auctions. */
export class Sandbox implements AsyncDisposable {
  /**
   * Its clock; `connect` uses it for polling and retries.
   *
   * In virtual time, a wait holds the auctions that fall into it, at least one, and takes only as
   * long as they take to compute; concurrent waits share them. In real time, it is the system
   * clock, and only `listen` and `advance` hold auctions.
   */
  readonly clock: Clock;
  /**
   * The node of its chain, in-process: takes calls and returns answers.
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
   * @example When a settlement was mined
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
  readonly #isVirtual: boolean;
  readonly #servers = new Set<SandboxServer>();
  #auctions: RealTimeAuctions | null = null;

  /** Use `openSandbox`. */
  constructor(engine: Engine, { service, isVirtual }: { service: Service; isVirtual: boolean }) {
    this.#engine = engine;
    this.clock = marketClock(engine);
    this.rpc = (calls) => marketNode(engine.market)(calls);
    this.#faults = new Faults(engine.market.random("faults"));
    this.#handler = new RequestHandler(service, this.#faults);
    this.#isVirtual = isVirtual;
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

  /** Its contents, as returned by `GET /sandbox`. */
  get description(): SandboxDescription {
    return describeSandbox(this.#engine.market);
  }

  /** Its current time; orders and quotes expire by it. */
  get now(): Temporal.Instant {
    return this.#engine.market.time.instant;
  }

  /**
   * Answers a request in-process: no port and no permission, whatever the host of the URL.
   *
   * @param input A URL, of which only path and query matter; a path; or a `Request`.
   * @param init Method, headers, body and signal, as for the global `fetch`.
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const isPath = typeof input === "string" && input.startsWith("/");
    const request = new Request(isPath ? `http://sandbox${input}` : input, init);
    const { method, url, headers, signal, body } = request;
    try {
      const answer = await this.#handler.answer(
        { method, target: url, contentType: headers.get("content-type"), body },
        signal,
      );
      return new Response(answer.body, answer);
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
    checkOptions(options, ADVANCE_OPTIONS, "Cannot hold auctions");
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
    if (order === undefined || order.signed.signingScheme !== "presign") {
      throw new InputError(`Cannot pre-sign order ${uid}`, {
        facts: { scheme: order?.signed.signingScheme ?? "no such order" },
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
   * No client can block it. A request, including its body, must arrive within 15 seconds of waiting
   * time; a connection may be idle for 60 seconds; a client must read the next 64 KiB of a response
   * within 15 seconds. Above 1,000 connections, those that have been waited for the longest are
   * closed; above 128 MiB of unread responses, the oldest ones.
   *
   * @throws {InputError} If the port is invalid or in use, or the interface is not on this machine.
   * @example The same over HTTP
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
    const served = serveOverHttp(this.#handler, options);
    const server: SandboxServer = {
      ...served,
      close: async () => {
        this.#servers.delete(server);
        await served.close();
        if (this.#servers.size === 0) await this.#stopAuctions();
      },
      [Symbol.asyncDispose]: () => server.close(),
    };
    if (!this.#isVirtual) this.#auctions ??= new RealTimeAuctions(this.#engine);
    this.#servers.add(server);
    return server;
  }

  async #stopAuctions(): Promise<void> {
    const auctions = this.#auctions;
    this.#auctions = null;
    await auctions?.stop();
  }

  /** Closes all its servers. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.close()));
  }
}

/**
 * Holds one auction per block in real time until stopped. While an auction takes longer than a block,
 * the next ones are skipped.
 */
export class RealTimeAuctions {
  readonly #timer: ReturnType<typeof setInterval>;
  #isIdle = true;
  #held: Promise<void> = Promise.resolve();

  /** Starts to hold auctions. */
  constructor(engine: Engine, { everyMs = BLOCK_MS }: { everyMs?: number } = {}) {
    engine.market.time.follow(() => Date.now());
    this.#timer = setInterval(() => {
      if (!this.#isIdle) return;
      this.#isIdle = false;
      this.#held = engine.advance(1);
      this.#held.then(() => this.#isIdle = true, () => clearInterval(this.#timer));
    }, everyMs);
  }

  /**
   * Stops after the current auction.
   *
   * @throws The error of a failed auction; no auction is held after it.
   */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#held;
  }
}

/**
 * The clock of a market. In virtual time, a wait holds the auctions that fall into it; concurrent
 * waits share them. If the market follows the system clock, so does this clock.
 */
export function marketClock(engine: Engine): Clock {
  const { time } = engine.market;
  let lastTurn: Promise<void> = Promise.resolve();

  async function holdOne(untilMs: number): Promise<void> {
    await nextMacrotask();
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
        const turned = lastTurn.then(() => holdOne(untilMs));
        lastTurn = turned.catch(() => {});
        await turned;
        signal.throwIfAborted();
      }
      if (time.ms < untilMs) await systemClock.sleep(untilMs - time.ms, signal);
    },
  };
}

/** Lets finished waits and timers run before the next auction. */
function nextMacrotask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
