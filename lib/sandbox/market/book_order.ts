import type { OrderInteractions } from "../wire/check_app_data.ts";
import type { SignedOrder } from "../wire/read_bodies.ts";
import { calculateStatus, competitionStage, type DecidedStatus } from "../../metrics/mod.ts";
import {
  type FeePolicy,
  isOpenStatus,
  type KnownEventLabel,
  type KnownEventReason,
  type Order,
  type OrderEvent,
  type OrderQuote,
} from "../../schemas/mod.ts";
import type { RecordedFill } from "./liquidity.ts";

/** The unsigned facts of an order. */
export interface OrderOrigin {
  /** Its UID, in lower case. */
  readonly uid: string;
  /** Its owner, in lower case. */
  readonly owner: string;
  /** Time of creation. */
  readonly created: Temporal.Instant;
  /** The app data document. */
  readonly fullAppData: string;
  /** The quote stored with it; `null` if there was none. */
  readonly quote: OrderQuote | null;
  /** Fee policies, in the sequence of their application. */
  readonly policies: readonly FeePolicy[];
  /** Hooks of its app data, as contract calls. */
  readonly interactions: OrderInteractions;
}

/** Quote metadata, shown once an order is no longer open. */
const PLAN_METADATA = { interactions: [], jitOrders: [], preInteractions: [], version: "1.0" };

/** An order in the book, with its events and fills. */
export class BookOrder {
  /** The signed order. */
  readonly data: SignedOrder;
  /** Its unsigned facts. */
  readonly origin: OrderOrigin;
  /** Its events, oldest first. */
  readonly events: OrderEvent[] = [];
  /** Its fills, oldest first. */
  readonly fills: RecordedFill[] = [];
  /** Executed sell amount, in sell-token atoms. */
  executedSellAmount = 0n;
  /** Executed buy amount, in buy-token atoms. */
  executedBuyAmount = 0n;
  /** All executed fees, in sell-token atoms. */
  executedFee = 0n;
  /** Whether the owner cancelled it. */
  isCancelled = false;
  /** Whether the owner has pre-signed it; only `presign` orders need it. */
  isPreSigned = false;
  /** Whether the contract that signed it has revoked the signature. */
  isSignatureRevoked = false;
  /** Earliest time to enter an auction, in unix seconds; `null` if it may at once. */
  validFrom: number | null = null;
  /** Number of its pending settlements. */
  attempts = 0;

  /** Creates an order without events. */
  constructor(data: SignedOrder, origin: OrderOrigin) {
    this.data = data;
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

  /** Recipient of the bought tokens. */
  get recipient(): string {
    const { receiver } = this.data;
    return receiver === null || /^0x0+$/.test(receiver) ? this.owner : receiver;
  }

  /** Remaining amount: sell-token atoms of a sell order, buy-token atoms of a buy order. */
  get remaining(): bigint {
    const { kind, sellAmount, buyAmount } = this.data;
    return (kind === "sell" ? sellAmount : buyAmount) - this.executed;
  }

  /** Executed amount: sell-token atoms of a sell order, buy-token atoms of a buy order. */
  get executed(): bigint {
    return this.data.kind === "sell" ? this.executedSellAmount : this.executedBuyAmount;
  }

  /** Whether its owner has yet to sign it on-chain. */
  get isPresignaturePending(): boolean {
    return this.data.signingScheme === "presign" && !this.isPreSigned;
  }

  /** Whether an event differs from the last one. */
  isNewEvent(label: KnownEventLabel, reason?: KnownEventReason): boolean {
    const last = this.events.at(-1);
    return last?.label !== label || last.reason !== reason;
  }

  /** Stores an event unless it equals the last one; returns whether it was stored. */
  addEvent(
    label: KnownEventLabel,
    timestamp: Temporal.Instant,
    reason?: KnownEventReason,
  ): boolean {
    if (!this.isNewEvent(label, reason)) return false;
    this.events.push({ label, timestamp, ...(reason === undefined ? {} : { reason }) });
    return true;
  }

  /** Its stage in the latest auction. */
  get stage(): string {
    const latestLabel = this.events.at(-1)?.label ?? null;
    return competitionStage({ hasTrade: this.fills.length > 0, latestLabel }) ?? "open";
  }

  /** Its status at a time, by the service's rules. */
  resolveStatus(now: Temporal.Instant): DecidedStatus["status"] {
    const { data, executedSellAmount, executedBuyAmount } = this;
    const { status } = calculateStatus(
      {
        ...data,
        executedSellAmount,
        executedBuyAmount,
        executedFeeAmount: 0n,
        invalidated: this.isCancelled,
      },
      { now, presignaturePending: this.isPresignaturePending },
    );
    return status ?? "open";
  }

  /** The order as the service reports it, with fields in the service's sequence. */
  toRecord(facts: { now: Temporal.Instant; settlementContract: string }): Order {
    const { data, origin } = this;
    const status = this.resolveStatus(facts.now);
    const isOpen = isOpenStatus(status);
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
      executedFeeToken: data.sellToken,
      invalidated: this.isCancelled,
      status,
      class: "limit",
      settlementContract: facts.settlementContract,
      isLiquidityOrder: false,
      fullAppData: origin.fullAppData,
      ...origin.quote !== null &&
        { quote: { ...origin.quote, metadata: isOpen ? null : PLAN_METADATA } },
      ...data,
      interactions: origin.interactions,
      ...this.validFrom !== null && { validFrom: this.validFrom },
    };
  }
}
