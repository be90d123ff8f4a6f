import {
  cancellationDigest,
  cancellationsDigest,
  hashAppData,
  orderDigest,
  type OrderDomain,
  orderDomain,
  type SignableOrder,
} from "../../lib/evm/mod.ts";
import { signDigest } from "../../lib/evm/orders/sign_order.ts";
import {
  DEVELOPMENT_ACCOUNTS,
  type DevelopmentAccount,
  type Sandbox,
} from "../../lib/sandbox/mod.ts";

/** Default signer: the account that the market's traders do not use. */
const FIRST: DevelopmentAccount = DEVELOPMENT_ACCOUNTS[0]!;

/** The part of a sandbox that a desk uses. */
export interface AskedSandbox extends Pick<Sandbox, "fetch" | "description"> {
  readonly deployment: Pick<Sandbox["deployment"], "chainId" | "settlementContract">;
}

/** An answer, with its error type. */
export type Answer = Awaited<ReturnType<OrderDesk["ask"]>>;

/** Changes to an order of 1 WETH for almost no DAI, valid for ten minutes. */
export type OrderChanges = Partial<SignableOrder> & {
  readonly document?: string;
  readonly appDataHash?: string;
  readonly signingScheme?: "eip712" | "ethsign" | "presign" | "eip1271";
  readonly signature?: string;
  readonly from?: string | null;
};

/** Sends requests to a sandbox, with signed orders and cancellations; every order is unique. */
export class OrderDesk {
  readonly #sandbox: AskedSandbox;
  readonly #domain: OrderDomain;
  #salt = 0n;

  constructor(sandbox: AskedSandbox) {
    this.#sandbox = sandbox;
    this.#domain = orderDomain(sandbox.deployment);
  }

  /** Sends a request; a body other than text becomes JSON, with amounts as text. */
  async ask(request: string, body?: unknown, contentType = "application/json") {
    const [method = "GET", path = "/"] = request.split(" ");
    const response = await this.#sandbox.fetch(`http://sandbox${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: bodyOf(body), headers: { "content-type": contentType } }),
    });
    const text = await response.text();
    const answered = response.headers.get("content-type");
    const { status } = response;
    const isExplained = status >= 400 && answered === "application/json" && text !== "";
    const errorType: string = isExplained ? JSON.parse(text)?.errorType ?? "" : "";
    return { status, contentType: answered, text, errorType, outcome: `${status} ${errorType}` };
  }

  /** The JSON that answers a request. */
  // deno-lint-ignore no-explicit-any
  async read(request: string, body?: unknown): Promise<any> {
    return JSON.parse((await this.ask(request, body)).text);
  }

  /** The body of an order, signed by an account. */
  async order(changes: OrderChanges = {}, account = FIRST): Promise<Record<string, unknown>> {
    const { tokens, now } = this.#sandbox.description;
    const {
      document = "{}",
      appDataHash,
      signingScheme = "eip712",
      signature,
      from = account.address,
      ...terms
    } = changes;
    const order: SignableOrder = {
      sellToken: tokens[0]!.address,
      buyToken: tokens[2]!.address,
      receiver: null,
      sellAmount: 10n ** 18n,
      buyAmount: ++this.#salt,
      validTo: now + 600,
      appData: hashAppData(document),
      feeAmount: 0n,
      kind: "sell",
      partiallyFillable: false,
      ...terms,
    };
    const { privateKey } = account;
    const isSigned = signingScheme === "eip712" || signingScheme === "ethsign";
    return {
      ...order,
      appData: document,
      ...(appDataHash === undefined ? {} : { appDataHash }),
      signingScheme,
      signature: signature ??
        (isSigned
          ? await signDigest(orderDigest(this.#domain, order), { signingScheme, privateKey })
          : "0x"),
      from,
    };
  }

  /** Places an order. */
  async place(changes: OrderChanges = {}, account = FIRST): Promise<Answer> {
    return await this.ask("POST /api/v1/orders", await this.order(changes, account));
  }

  /** Places a valid order; returns its UID. */
  async placed(changes: OrderChanges = {}, account = FIRST): Promise<string> {
    const { status, text } = await this.place(changes, account);
    if (status !== 201) throw new Error(`Expected an order to be taken: ${status} ${text}`);
    return JSON.parse(text);
  }

  /** Cancels orders, signed by an account. */
  async cancel(orderUids: readonly string[], account = FIRST): Promise<Answer> {
    return await this.ask("DELETE /api/v1/orders", await this.cancellation(orderUids, account));
  }

  /** The body of a cancellation, signed by an account. */
  async cancellation(orderUids: readonly string[], account = FIRST) {
    return { orderUids, ...await signedBy(account, cancellationsDigest(this.#domain, orderUids)) };
  }

  /** Cancels one order by the path with its UID. */
  async cancelOne(uid: string, account = FIRST): Promise<Answer> {
    const signed = await signedBy(account, cancellationDigest(this.#domain, uid));
    return await this.ask(`DELETE /api/v1/orders/${uid}`, signed);
  }
}

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === "string" || body instanceof Uint8Array) {
    return body as string | Uint8Array<ArrayBuffer>;
  }
  return JSON.stringify(body, (_key, value) => typeof value === "bigint" ? String(value) : value);
}

async function signedBy({ privateKey }: DevelopmentAccount, digest: string) {
  const signingScheme = "eip712";
  return { signature: await signDigest(digest, { signingScheme, privateKey }), signingScheme };
}

/** What the service says of a text that is no JSON. */
const NO_JSON = /expected (?:ident|value)|key must be a string|EOF while parsing an? \w+/;

/** An error text without its position in the body, and without what makes a text no JSON. */
export function comparable(text: string): string {
  return text.replace(/ at line \d+ column \d+/, "").replace(NO_JSON, "invalid JSON");
}
