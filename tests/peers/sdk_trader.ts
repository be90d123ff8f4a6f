import type { Order, Trade } from "../../lib/mod.ts";
import { decodeOrder, decodeOrderStatus, decodeTrade } from "../../lib/schemas/mod.ts";
import { LineProcess } from "../line_process.ts";
import { sdkProgram } from "./sdk_program.ts";

interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly status?: number;
  readonly body?: unknown;
}

/** What the official SDK threw. */
export class SdkError extends Error {
  /** HTTP status of the answer that it gave up on. */
  readonly status: number | undefined;
  /** Body of that answer, as it hands it on. */
  readonly body: unknown;

  /** Takes what the program says of it. */
  constructor({ name, message, status, body }: Thrown) {
    super(message);
    this.name = name;
    this.status = status;
    this.body = body;
  }
}

/** Whose list, and which page of it. */
type Page<Of> = Of & { readonly limit?: number; readonly offset?: number };

/** The official SDK, trading at one sandbox after the other from a process of its own. */
export class SdkTrader implements AsyncDisposable {
  readonly #process: LineProcess;

  private constructor(process: LineProcess) {
    this.#process = process;
  }

  /** Starts it. */
  static async start(): Promise<SdkTrader> {
    return new SdkTrader(new LineProcess(await sdkProgram("sdk_trader.mjs", "Deno")));
  }

  /** Goes to the sandbox at `address`, as the development account of this number. */
  async open(address: string, { account }: { account: number }): Promise<void> {
    await this.call("program.open", address, account);
  }

  /**
   * Calls a method of `orderBook`, `trading` or `trader`, with arguments that JSON can say.
   *
   * @throws {SdkError} If the SDK throws.
   */
  async call<T = unknown>(method: string, ...args: readonly unknown[]): Promise<T> {
    const line = await this.#process.ask(JSON.stringify([method, ...args]));
    const { value, error }: { value: T; error?: Thrown } = JSON.parse(line);
    if (error !== undefined) throw new SdkError(error);
    return value;
  }

  /** One order. */
  async order(uid: string): Promise<Order> {
    return decodeOrder(await this.call("orderBook.getOrder", uid));
  }

  /** Orders of an account. */
  async orders(of: Page<{ owner: string }>): Promise<Order[]> {
    return (await this.call<unknown[]>("orderBook.getOrders", of)).map((one) => decodeOrder(one));
  }

  /** How far an order has come. */
  async orderStatus(uid: string): Promise<string> {
    const status = await this.call("orderBook.getOrderCompetitionStatus", uid);
    return decodeOrderStatus(status).type;
  }

  /** Trades of an account or an order. */
  async trades(of: Page<{ owner: string } | { orderUid: string }>): Promise<Trade[]> {
    return (await this.call<unknown[]>("orderBook.getTrades", of)).map((one) => decodeTrade(one));
  }

  /** Ends it. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]();
  }
}
