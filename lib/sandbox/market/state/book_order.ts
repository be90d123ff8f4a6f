import type { SettlementInteraction } from "../../../evm/mod.ts";
import { calculateStatus, competitionStage, type DecidedStatus } from "../../../metrics/mod.ts";
import type {
  FeePolicy,
  KnownEventLabel,
  KnownEventReason,
  Order,
  OrderEvent,
  OrderQuote,
} from "../../../schemas/mod.ts";
import type { RecordedFill } from "./recorded_fill.ts";

/** What a trader signed, and how. */
export interface SignedOrder {
  /** Token to sell, in lower case. */
  readonly sellToken: string;
  /** Token to buy, in lower case; `0xeeee…` is the native one. */
  readonly buyToken: string;
  /** Who gets the bought tokens; `null` is the owner. */
  readonly receiver: string | null;
  /** Limit amount to sell, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Expiry, in unix seconds. */
  readonly validTo: number;
  /** Hash of the app data document. */
  readonly appData: string;
  /** Signed fee; always 0 here. */
  readonly feeAmount: bigint;
  /** Which of the amounts is exact. */
  readonly kind: "sell" | "buy";
  /** Whether it may be filled in parts. */
  readonly partiallyFillable: boolean;
  /** Where the sell token is taken from. */
  readonly sellTokenBalance: "erc20" | "internal" | "external";
  /** Where the buy token goes. */
  readonly buyTokenBalance: "erc20" | "internal";
  /** How it was signed. */
  readonly signingScheme: "eip712" | "ethsign" | "presign" | "eip1271";
  /** The signature. */
  readonly signature: string;
}

/** Contract calls around the trade of an order. */
export interface OrderInteractions {
  /** Before it. */
  readonly pre: SettlementInteraction[];
  /** After it. */
  readonly post: SettlementInteraction[];
}

/** What an order has beside what was signed. */
export interface OrderOrigin {
  /** Its UID, in lower case. */
  readonly uid: string;
  /** Who signed it, in lower case. */
  readonly owner: string;
  /** When it was received. */
  readonly created: Temporal.Instant;
  /** The app data document, where it is known. */
  readonly fullAppData: string | null;
  /** The quote stored with it; `null` where there was none to be had. */
  readonly quote: OrderQuote | null;
  /** Fee policies, in the order they are applied. */
  readonly policies: readonly FeePolicy[];
  /** Contract calls around the trade, which its document asks for. */
  readonly interactions: OrderInteractions;
}

/** What a quoter leaves behind of its plan, shown once an order is no longer open. */
const PLAN = { interactions: [], jitOrders: [], preInteractions: [], version: "1.0" };

/** An order in the book, with all that has happened to it. */
export class BookOrder {
  /** What was signed. */
  readonly signed: SignedOrder;
  /** What it has beside that. */
  readonly origin: OrderOrigin;
  /** What happened to it, oldest first. */
  readonly events: OrderEvent[] = [];
  /** Its fills, oldest first. */
  readonly fills: RecordedFill[] = [];
  /** Sold so far, in sell-token atoms. */
  executedSellAmount = 0n;
  /** Bought so far, in buy-token atoms. */
  executedBuyAmount = 0n;
  /** All fees so far, in sell-token atoms. */
  executedFee = 0n;
  /** Whether the owner cancelled it. */
  isCancelled = false;
  /** Whether the owner has pre-signed it; only `presign` orders need it. */
  isPreSigned = false;
  /** Whether the contract that signed it no longer holds the signature for its own. */
  isDisowned = false;
  /** How many settlements with it are under way. */
  attempts = 0;

  /** A new order. */
  constructor(signed: SignedOrder, origin: OrderOrigin) {
    this.signed = signed;
    this.origin = origin;
  }

  /** Its UID. */
  get uid(): string {
    return this.origin.uid;
  }

  /** Its owner. */
  get owner(): string {
    return this.origin.owner;
  }

  /** Who gets what it buys. */
  get recipient(): string {
    const { receiver } = this.signed;
    return receiver === null || /^0x0+$/.test(receiver) ? this.owner : receiver;
  }

  /** What is left to fill: sell-token atoms of a sell order, buy-token atoms of a buy order. */
  get left(): bigint {
    return this.signed.kind === "sell"
      ? this.signed.sellAmount - this.executedSellAmount
      : this.signed.buyAmount - this.executedBuyAmount;
  }

  /** Whether it waits for its owner's signature on the chain. */
  get isPresignaturePending(): boolean {
    return this.signed.signingScheme === "presign" && !this.isPreSigned;
  }

  /** Whether an event would tell something else than the last one. */
  isNews(label: KnownEventLabel, reason?: KnownEventReason): boolean {
    const last = this.events.at(-1);
    return last?.label !== label || last.reason !== reason;
  }

  /** Stores an event, unless nothing has changed since the last one. */
  note(label: KnownEventLabel, at: Temporal.Instant, reason?: KnownEventReason): boolean {
    if (!this.isNews(label, reason)) return false;
    this.events.push({ label, timestamp: at, ...(reason === undefined ? {} : { reason }) });
    return true;
  }

  /** How far the latest auction got with it. */
  get stage(): string {
    const latestLabel = this.events.at(-1)?.label ?? null;
    return competitionStage({ hasTrade: this.fills.length > 0, latestLabel }) ?? "open";
  }

  /** Its status at a time, by the rules of the service. */
  statusAt(now: Temporal.Instant): DecidedStatus["status"] {
    const { signed, executedSellAmount, executedBuyAmount } = this;
    const { status } = calculateStatus(
      {
        kind: signed.kind,
        sellAmount: signed.sellAmount,
        buyAmount: signed.buyAmount,
        executedSellAmount,
        executedBuyAmount,
        executedFeeAmount: 0n,
        invalidated: this.isCancelled,
        validTo: signed.validTo,
        signingScheme: signed.signingScheme,
      },
      { now, presignaturePending: this.isPresignaturePending },
    );
    return status ?? "open";
  }

  /** The order as the service reports it, fields in the service's order. */
  toRecord(facts: { now: Temporal.Instant; settlementContract: string }): Order {
    const { signed, origin } = this;
    const status = this.statusAt(facts.now);
    const isOpen = status === "open" || status === "presignaturePending";
    return {
      creationDate: origin.created,
      owner: origin.owner,
      uid: origin.uid,
      availableBalance: null,
      executedBuyAmount: this.executedBuyAmount,
      executedSellAmount: this.executedSellAmount,
      executedSellAmountBeforeFees: this.executedSellAmount,
      executedFeeAmount: 0n,
      executedFee: this.executedFee,
      executedFeeToken: signed.sellToken,
      invalidated: this.isCancelled,
      status,
      class: "limit",
      settlementContract: facts.settlementContract,
      isLiquidityOrder: false,
      fullAppData: origin.fullAppData,
      ...(origin.quote === null
        ? {}
        : { quote: { ...origin.quote, metadata: isOpen ? null : PLAN } }),
      sellToken: signed.sellToken,
      buyToken: signed.buyToken,
      receiver: signed.receiver,
      sellAmount: signed.sellAmount,
      buyAmount: signed.buyAmount,
      validTo: signed.validTo,
      appData: signed.appData,
      feeAmount: signed.feeAmount,
      kind: signed.kind,
      partiallyFillable: signed.partiallyFillable,
      sellTokenBalance: signed.sellTokenBalance,
      buyTokenBalance: signed.buyTokenBalance,
      signingScheme: signed.signingScheme,
      signature: signed.signature,
      interactions: origin.interactions,
    };
  }
}
