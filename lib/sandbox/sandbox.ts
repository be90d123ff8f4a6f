import { InputError } from "../errors/mod.ts";
import type { Clock } from "../http/mod.ts";
import type { Deployment } from "./deployment.ts";
import type { Engine } from "./engine.ts";
import { marketClock } from "./market_clock.ts";
import { CHAIN_ID, SETTLEMENT_CONTRACT, type SignatureVerifier } from "./market.ts";
import { BLOCK_MS } from "./market_time.ts";
import { SOLVERS } from "./solvers.ts";
import { TOKENS, WRAPPED_NATIVE } from "./tokens.ts";
import { describeSandbox, type SandboxDescription } from "./describe_sandbox.ts";
import type { FaultOptions, SandboxFault } from "./fault.ts";
import { Front } from "./front.ts";
import type { Service } from "./service.ts";
import { Faults } from "./faults.ts";

/** Where a sandbox listens. */
export interface ListenOptions {
  /** Port; 0 takes any that is free. @default {8080} */
  readonly port?: number;
  /** Name of the interface. @default {"127.0.0.1"} */
  readonly hostname?: string;
}

/** A sandbox that listens. */
export interface SandboxServer extends AsyncDisposable {
  /** Address that `/api/v1/…` is appended to. */
  readonly url: string;
  /** Port that it listens at. */
  readonly port: number;
  /** Ends it, with the auctions that it holds by the clock on the wall. */
  close(): Promise<void>;
}

/** How far to move on. */
export interface AdvanceOptions {
  /** Auctions to hold; a whole number, 0 or more. @default {1} */
  readonly auctions?: number;
}

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
   * @param url Address; only its path and query count.
   * @param init Method, headers, body and signal, as of the global function of this name.
   */
  readonly fetch = (url: string | URL, init: RequestInit = {}): Promise<Response> =>
    this.#front.answer(new Request(url, init), init.signal ?? undefined);

  /**
   * Holds auctions, a block each. Time moves with them, unless the clock on the wall is followed.
   *
   * @throws {InputError} If the count is no whole number, 0 or more.
   */
  async advance({ auctions = 1 }: AdvanceOptions = {}): Promise<void> {
    if (!Number.isSafeInteger(auctions) || auctions < 0) {
      throw new InputError(`Cannot hold ${auctions} auctions`, {
        remedy: "Pass a whole number, 0 or more",
      });
    }
    await this.#engine.advance(auctions);
  }

  /**
   * Makes requests fail from now on; which ones follows from the seed.
   *
   * @throws {InputError} If an option means nothing.
   */
  fault(options: FaultOptions): SandboxFault {
    return this.#faults.add(options);
  }

  /**
   * Signs a `presign` order on the chain, as its owner would.
   *
   * @throws {InputError} If there is no such order, or it is signed another way.
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

  /** Registers a contract that signs by a rule of its own, and gives it funds of every token. */
  registerVerifier(owner: string, verifier: SignatureVerifier): void {
    this.#engine.market.verifiers.set(owner.toLowerCase(), verifier);
    this.#engine.market.fund(owner.toLowerCase());
  }

  /**
   * Serves the same over HTTP. Auctions are held by the clock on the wall from now on, unless the
   * sandbox was opened with `{ clock: "virtual" }`.
   */
  listen({ port = DEFAULT_PORT, hostname = "127.0.0.1" }: ListenOptions = {}): SandboxServer {
    const http = Deno.serve(
      { port, hostname, onListen: () => {} },
      (request) => this.#front.answer(request),
    );
    const auctions = this.#isVirtual ? null : this.#followWall();
    const server: SandboxServer = {
      url: `http://${hostname}:${http.addr.port}`,
      port: http.addr.port,
      close: async () => {
        if (auctions !== null) clearInterval(auctions);
        this.#servers.delete(server);
        await http.shutdown();
      },
      [Symbol.asyncDispose]: () => server.close(),
    };
    this.#servers.add(server);
    return server;
  }

  #followWall(): ReturnType<typeof setInterval> {
    this.#engine.market.time.follow(() => Date.now());
    return setInterval(() => void this.#engine.advance(1), BLOCK_MS);
  }

  /** Ends every server of it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.close()));
  }
}

const DEFAULT_PORT = 8080;
