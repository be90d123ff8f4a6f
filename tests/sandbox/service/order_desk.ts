import {
  cancellationsDigest,
  hashAppData,
  orderDigest,
  orderDomain,
  type SignableOrder,
} from "../../../lib/evm/mod.ts";
import { signDigest } from "../../../lib/evm/sign_digest.ts";
import {
  DEVELOPMENT_ACCOUNTS,
  type DevelopmentAccount,
  type Sandbox,
} from "../../../lib/sandbox/mod.ts";

/** An answer as it came, and the type of error that it names. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly errorType: string | null;
}

/** What an order differs in from one of 1 WETH for 1 atom of DAI, good for ten minutes. */
export type OrderChanges = Partial<SignableOrder> & {
  readonly document?: string;
  readonly signingScheme?: "eip712" | "ethsign" | "presign" | "eip1271";
  readonly from?: string;
};

/** Asks a sandbox, and signs orders for it. */
export class OrderDesk {
  readonly #sandbox: Sandbox;
  readonly #domain;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.#domain = orderDomain(sandbox.deployment);
  }

  /** Sends a request; a body that is no text becomes JSON. */
  async ask(request: string, body?: unknown, contentType = "application/json"): Promise<Answer> {
    const [method = "GET", path = "/"] = request.split(" ");
    const text = typeof body === "string" || body instanceof Uint8Array
      ? body
      : JSON.stringify(body);
    const response = await this.#sandbox.fetch(`http://sandbox${path}`, {
      method,
      ...(body === undefined ? {} : { body: text, headers: { "content-type": contentType } }),
    } as RequestInit);
    const answer = await response.text();
    const isJson = response.headers.get("content-type") === "application/json" && answer !== "";
    const errorType = isJson ? JSON.parse(answer)?.errorType ?? null : null;
    return { status: response.status, text: answer, errorType };
  }

  /** The body of an order, signed by an account. */
  async order(
    changes: OrderChanges = {},
    account: DevelopmentAccount = DEVELOPMENT_ACCOUNTS[0]!,
  ): Promise<Record<string, unknown>> {
    const { tokens, now } = this.#sandbox.description;
    const { document = "{}", signingScheme = "eip712", from = account.address, ...rest } = changes;
    const order: SignableOrder = {
      sellToken: tokens[0]!.address,
      buyToken: tokens[2]!.address,
      receiver: null,
      sellAmount: 10n ** 18n,
      buyAmount: 1n,
      validTo: now + 600,
      appData: hashAppData(document),
      feeAmount: 0n,
      kind: "sell",
      partiallyFillable: false,
      ...rest,
    };
    const digest = orderDigest(this.#domain, order);
    const signature = signingScheme === "presign" || signingScheme === "eip1271"
      ? "0x"
      : await signDigest(digest, { signingScheme, privateKey: account.privateKey });
    return {
      ...order,
      sellAmount: String(order.sellAmount),
      buyAmount: String(order.buyAmount),
      feeAmount: String(order.feeAmount),
      appData: document,
      signingScheme,
      signature,
      from,
    };
  }

  /** Places an order. */
  async place(changes: OrderChanges = {}, account?: DevelopmentAccount): Promise<Answer> {
    return await this.ask("POST /api/v1/orders", await this.order(changes, account));
  }

  /** Places an order that is good; its UID. */
  async placed(changes: OrderChanges = {}, account?: DevelopmentAccount): Promise<string> {
    const { status, text } = await this.place(changes, account);
    if (status !== 201) throw new Error(`Expected an order to be taken: ${status} ${text}`);
    return JSON.parse(text);
  }

  /** Asks to cancel orders, signed by an account. */
  async cancel(
    orderUids: readonly string[],
    account: DevelopmentAccount = DEVELOPMENT_ACCOUNTS[0]!,
  ): Promise<Answer> {
    const signingScheme = "eip712" as const;
    const signature = await signDigest(cancellationsDigest(this.#domain, orderUids), {
      signingScheme,
      privateKey: account.privateKey,
    });
    return await this.ask("DELETE /api/v1/orders", { orderUids, signature, signingScheme });
  }
}
