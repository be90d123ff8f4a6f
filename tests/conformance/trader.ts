import {
  cancellationDigest,
  cancellationsDigest,
  hashAppData,
  orderDigest,
  type OrderDomain,
  orderDomain,
  type SignableOrder,
} from "../../lib/evm/mod.ts";
import { signDigest } from "../../lib/evm/sign_digest.ts";
import {
  DEVELOPMENT_ACCOUNTS,
  type DevelopmentAccount,
  type Sandbox,
} from "../../lib/sandbox/mod.ts";
import type { Witness } from "./witness.ts";

/** The body of an order, its amounts still numbers. */
export interface OrderBody extends SignableOrder {
  /** How it is signed. */
  readonly signingScheme: string;
  /** The signature. */
  readonly signature: string;
  /** Who says to have signed it. */
  readonly from: string | null;
  /** Hash of the document, where it is given too. */
  readonly appDataHash?: string;
}

/** An account of a sandbox that places orders and cancels them. */
export class Trader {
  readonly #sandbox: Sandbox;
  readonly #witness: Witness;
  readonly #account: DevelopmentAccount;
  #salt = 0n;

  /** Trades on `sandbox` before a witness: by default as the account that nobody else trades as. */
  constructor(sandbox: Sandbox, witness: Witness, { account = DEVELOPMENT_ACCOUNTS[0]! } = {}) {
    this.#sandbox = sandbox;
    this.#witness = witness;
    this.#account = account;
  }

  /** An order of one WETH for whatever it gets in USDC, signed with its changes. */
  async order(changes: Partial<OrderBody> = {}): Promise<OrderBody> {
    const { tokens, now } = this.#sandbox.description;
    const order = {
      sellToken: tokens[0]!.address,
      buyToken: tokens[1]!.address,
      receiver: null,
      sellAmount: 10n ** 18n,
      buyAmount: ++this.#salt,
      validTo: now + 600,
      appData: "{}",
      feeAmount: 0n,
      kind: "sell",
      partiallyFillable: false,
      signingScheme: "eip712",
      from: this.#account.address,
      ...changes,
    };
    const digest = orderDigest(this.#domain, {
      ...order,
      appData: hashAppData(order.appData),
    });
    return { signature: await this.#signature(digest), ...order };
  }

  /** Places an order; its UID, if it is taken. */
  async place(changes: Partial<OrderBody> = {}): Promise<string> {
    const { responseBody } = await this.#witness.ask(
      "POST /api/v1/orders",
      await this.order(changes),
    );
    return JSON.parse(responseBody);
  }

  /** Asks to cancel orders. */
  async cancel(...orderUids: string[]): Promise<void> {
    const signature = await this.#signature(cancellationsDigest(this.#domain, orderUids));
    const cancellation = { orderUids, signature, signingScheme: "eip712" };
    await this.#witness.ask("DELETE /api/v1/orders", cancellation);
  }

  /** Asks to cancel one order, the other way. */
  async cancelOne(uid: string): Promise<void> {
    const signature = await this.#signature(cancellationDigest(this.#domain, uid));
    const cancellation = { signature, signingScheme: "eip712" };
    await this.#witness.ask(`DELETE /api/v1/orders/${uid}`, cancellation);
  }

  get #domain(): OrderDomain {
    return orderDomain(this.#sandbox.deployment);
  }

  #signature(digest: string): Promise<string> {
    const { privateKey } = this.#account;
    return signDigest(digest, { signingScheme: "eip712", privateKey });
  }
}
