import { InputError } from "../errors/mod.ts";
import { checkOptions, type OptionRules, wholeFrom } from "../errors/option_rules.ts";
import type { Clock } from "../http/mod.ts";
import type { Deployment } from "../recordings/deployment.ts";
import type { Engine } from "./market/engine.ts";
import { CHAIN_ID, SETTLEMENT_CONTRACT, type SignatureVerifier } from "./market/state/market.ts";
import { marketClock } from "./market/market_clock.ts";
import { SOLVERS } from "./market/solvers/solvers.ts";
import { TOKENS, WRAPPED_NATIVE } from "./market/state/tokens.ts";
import { RealTimeAuctions } from "./market/real_time_auctions.ts";
import { describeSandbox, type SandboxDescription } from "./answers/describe_sandbox.ts";
import type { FaultOptions, SandboxFault } from "./faults/fault.ts";
import { Faults } from "./faults/faults.ts";
import { Front } from "./service/front.ts";
import { type ListenOptions, type SandboxServer, serveFront } from "./server/serve_front.ts";
import type { Service } from "./service/service.ts";

/** How far to move on. */
export interface AdvanceOptions {
  /** Auctions to hold; a whole number, 0 or more. @default {1} */
  readonly auctions?: number;
}

const ADVANCE_OPTIONS: OptionRules<AdvanceOptions> = { auctions: wholeFrom(0) };

/** A whole order book in the process, with its market, its solvers and its auctions. */
export class Sandbox implements AsyncDisposable {
  /**
   * Its time as `connect` takes it, so that orders are watched and requests repeated by it.
   *
   * In virtual time a wait holds the auctions that fall into it, at least one, and takes no longer than
   * they do; several waits at once share them. While the clock on the wall is followed, it is that
   * clock, and auctions are held by `listen` and `advance` alone.
   */
  readonly clock: Clock;
  readonly #engine: Engine;
  readonly #front: Front;
  readonly #faults: Faults;
  readonly #isVirtual: boolean;
  readonly #servers = new Set<SandboxServer>();
  #auctions: RealTimeAuctions | null = null;

  /** Puts a service in front of a market; `openSandbox` does. */
  constructor(engine: Engine, { service, isVirtual }: { service: Service; isVirtual: boolean }) {
    this.#engine = engine;
    this.clock = marketClock(engine);
    this.#faults = new Faults(engine.market.random("faults"));
    this.#front = new Front(service, this.#faults);
    this.#isVirtual = isVirtual;
  }

  /** Facts of the deployment that it is. */
  get deployment(): Deployment {
    return {
      chainId: CHAIN_ID,
      settlementContract: SETTLEMENT_CONTRACT,
      wrappedNativeToken: WRAPPED_NATIVE,
      tokens: TOKENS.map(({ address, decimals, symbol }) => ({ address, decimals, symbol })),
      solvers: SOLVERS.map(({ address, name }) => ({ address, name })),
    };
  }

  /** What is in it, as `GET /sandbox` answers. */
  get description(): SandboxDescription {
    return describeSandbox(this.#engine.market);
  }

  /** Its time; orders and quotes end by it. */
  get now(): Temporal.Instant {
    return this.#engine.market.time.instant;
  }

  /**
   * Answers a request in the process: no port, no permission, whatever the host of the address.
   *
   * @param input Address, of which only the path and query count; the path alone; or a whole request.
   * @param init Method, headers, body and signal, as of the global function of this name.
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const isPath = typeof input === "string" && input.startsWith("/");
    const request = new Request(isPath ? `http://sandbox${input}` : input, init);
    const { method, url, headers, signal, body } = request;
    try {
      const answer = await this.#front.answer(
        { method, target: url, contentType: headers.get("content-type"), body },
        signal,
      );
      return new Response(answer.body, answer);
    } finally {
      // Nobody reads any more what the service did not want.
      if (!request.bodyUsed) await body?.cancel();
    }
  };

  /**
   * Holds auctions, a block each. Time moves with them, unless the clock on the wall is followed.
   *
   * @throws {InputError} If the count is no whole number, 0 or more.
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
   * Makes requests fail from now on; which ones follows from the seed.
   *
   * @throws {InputError} If an option means nothing.
   * @example The first two requests find the service failing
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
   * Signs a `presign` order on the chain, as its owner would.
   *
   * @throws {InputError} If there is no such order, or it is signed another way.
   * @example An order waits for its owner's transaction
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
   * });
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
        remedy: "Pass the UID of an order that was placed with the signing scheme presign",
      });
    }
    order.isPreSigned = true;
  }

  /**
   * Registers a contract that signs by a rule of its own, and gives it funds of every token.
   *
   * @param owner Its address; a second rule for it takes the place of the first.
   * @throws {InputError} If the owner is no address.
   * @example A contract that takes any signature
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
   * }, { contractSignature: () => "0x" });
   *
   * assertEquals((await book.order(uid)).owner, safe);
   * ```
   */
  registerVerifier(owner: string, verifier: SignatureVerifier): void {
    const address = owner.toLowerCase();
    if (!/^0x[0-9a-f]{40}$/.test(address)) {
      throw new InputError(`Cannot register a contract at ${JSON.stringify(owner)}`, {
        remedy: "Pass its address: 0x and 40 hex digits",
      });
    }
    const { market } = this.#engine;
    if (!market.verifiers.has(address)) market.fund(address);
    market.verifiers.set(address, verifier);
  }

  /**
   * Serves the same over HTTP. Auctions are held by the clock on the wall from now on, unless the
   * sandbox was opened with `{ clock: "virtual" }`; once all its servers are closed that clock goes on,
   * but auctions are held by `advance` alone. An auction that fails is the last one by that clock, and
   * closing the last server throws what it failed with. A block that an auction before it has not left
   * time for has none.
   *
   * No client holds it up. A request has to be there within 15 seconds of waiting for it in all, its
   * body included; a connection may be idle for 60 seconds; the next 64 KiB of an answer must be taken
   * within 15. Of more than 1,000 connections those go that are waited for the longest, of more than
   * 128 MiB of answers that are yet to be taken the oldest ones.
   *
   * @throws {InputError} If the port is none, or taken, or the interface is not of this machine.
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
    const served = serveFront(this.#front, options);
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

  /** Ends every server of it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.close()));
  }
}
