import { CALL_OPTIONS, requireSame } from "../endpoints/calls.ts";
import * as service from "../endpoints/mod.ts";
import type {
  AuctionIds,
  CallOptions,
  GetCompetitionOptions,
  GetOrdersByUidsOptions,
  LatestAuctionIds,
  ListOptions,
  OrdersByUids,
  PagedListOptions,
  RegisteredAppData,
  SimulationOptions,
  StreamQuotesOptions,
  TradeFilter,
  WalkCompetitionsOptions,
  WalkedCompetition,
} from "../endpoints/mod.ts";
import {
  InputError,
  NotFoundError,
  UnconfirmedCancellationError,
  UnconfirmedOrderError,
} from "../errors/mod.ts";
import { checkOptions } from "../errors/option_rules.ts";
import { computeOrderUid, orderDigest } from "../evm/orders/order_digest.ts";
import { type OrderDomain, orderDomain } from "../evm/orders/order_uid.ts";
import { recoverOrderSigner } from "../evm/orders/sign_order.ts";
import { hashAppData, stringifyAppData } from "../evm/orders/app_data.ts";
import type { Clock, Transport } from "../http/mod.ts";
import type { Environment, Network } from "../networks/network.ts";
import type {
  AppData,
  Auction,
  Competition,
  CompetitionOrderStatus,
  DebugReport,
  Notification,
  Order,
  OrderCancellations,
  OrderCreation,
  OrderSimulation,
  QuoteRequest,
  QuoteResponse,
  TokenMetadata,
  Trade,
} from "../schemas/mod.ts";
import { type Decimal, HexMap } from "../units/mod.ts";
import { getAppData, parseAppData, putAppData } from "./build_app_data.ts";
import { isOutcomeUnknown } from "./connect_options.ts";

/** Parts of an {@linkcode OrderBook}. */
export interface OrderBookParts {
  /** Transport of its calls. */
  readonly transport: Transport;
  /** Facts of its network; `null` if it was not connected to by name. */
  readonly network: Network | null;
  /** Environment of the network; `null` if it was not connected to by name. */
  readonly environment: Environment | null;
  /** Chain id. */
  readonly chainId: number;
  /** Settlement contract that its orders are signed for. */
  readonly settlementContract: string;
  /** Source of time. */
  readonly clock: Clock;
}

/**
 * One deployment: its facts, and every operation of the API bound to it. Created by
 * {@linkcode connect}.
 *
 * Every call takes options with `signal` as its last argument. The errors and requests of each call
 * are documented at the function of `endpoints/` that it binds.
 *
 * @example
 * ```ts
 * import { connect } from "orderlens";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const book = connect(await replay("market_1"));
 * const { auctionId, solutions } = await book.competition("latest");
 *
 * assertEquals(auctionId, 2624);
 * assertEquals(solutions.length, 3);
 * ```
 */
export class OrderBook {
  /** Transport of its calls. */
  readonly transport: Transport;
  /** Facts of its network; `null` if it was not connected to by name. */
  readonly network: Network | null;
  /** Environment of the network; `null` if it was not connected to by name. */
  readonly environment: Environment | null;
  /** Domain in which its orders and cancellations are signed. */
  readonly domain: OrderDomain;
  /** Clock that decides when quotes expire and when orders are polled. */
  readonly clock: Clock;

  /**
   * Binds the operations to a deployment; {@linkcode connect} is the usual way.
   *
   * @throws {InputError} If the chain id or the settlement contract is invalid.
   */
  constructor(parts: OrderBookParts) {
    const { transport, network, environment, chainId, settlementContract, clock } = parts;
    this.transport = transport;
    this.network = network;
    this.environment = environment;
    this.domain = orderDomain({ chainId, settlementContract });
    this.clock = clock;
  }

  /** URL of the deployment, without credentials. */
  get baseUrl(): string {
    return this.transport.baseUrl;
  }

  /** Chain id. */
  get chainId(): number {
    return this.domain.chainId;
  }

  /** Settlement contract that its orders are signed for, in lower case. */
  get settlementContract(): string {
    return this.domain.verifyingContract;
  }

  /** One order; see {@linkcode getOrder}. */
  async order(uid: string, options: CallOptions = {}): Promise<Order> {
    checkOptions(options, CALL_OPTIONS, "Cannot get an order");
    return await service.getOrder(this.transport, uid, { ...options, now: () => this.clock.now() });
  }

  /** Any number of orders, in the order requested; see {@linkcode getOrdersByUids}. */
  orders(uids: Iterable<string>, options: GetOrdersByUidsOptions = {}): Promise<OrdersByUids> {
    return service.getOrdersByUids(this.transport, uids, options);
  }

  /** The orders of an account, newest first, all pages; see {@linkcode getAccountOrders}. */
  accountOrders(
    owner: string,
    options: PagedListOptions = {},
  ): AsyncGenerator<Order, void, undefined> {
    return service.getAccountOrders(this.transport, owner, options);
  }

  /** The orders that one transaction settled; see {@linkcode getTransactionOrders}. */
  transactionOrders(txHash: string, options: ListOptions = {}): Promise<Order[]> {
    return service.getTransactionOrders(this.transport, txHash, options);
  }

  /** Stage of an order in the latest auction; see {@linkcode getOrderStatus}. */
  orderStatus(uid: string, options: CallOptions = {}): Promise<CompetitionOrderStatus> {
    return service.getOrderStatus(this.transport, uid, options);
  }

  /** Events, auctions, bids and settlement attempts of an order; see {@linkcode getDebugReport}. */
  debugReport(uid: string, options: CallOptions = {}): Promise<DebugReport> {
    return service.getDebugReport(this.transport, uid, options);
  }

  /** The trades of an account or an order, newest first, all pages; see {@linkcode getTrades}. */
  trades(
    filter: TradeFilter,
    options: PagedListOptions = {},
  ): AsyncGenerator<Trade, void, undefined> {
    return service.getTrades(this.transport, filter, options);
  }

  /**
   * Whether an order could be settled, at a block; for partners. Takes a UID, or a signed order with
   * its owner in `from`; see {@linkcode getSimulation}.
   */
  simulate(
    order: string | OrderCreation,
    options: SimulationOptions = {},
  ): Promise<OrderSimulation> {
    return service.getSimulation(this.transport, order, options);
  }

  /** A competition by auction id, by transaction hash, or `"latest"`; see {@linkcode getCompetition}. */
  competition(id: number | string, options: GetCompetitionOptions = {}): Promise<Competition> {
    return service.getCompetition(this.transport, id, { now: () => this.clock.now(), ...options });
  }

  /**
   * The competitions of a range of auction ids, or of the latest ones, gaps included; see
   * {@linkcode walkCompetitions}.
   */
  competitions(
    ids: AuctionIds | LatestAuctionIds,
    options: WalkCompetitionsOptions = {},
  ): AsyncGenerator<WalkedCompetition, void, undefined> {
    return service.walkCompetitions(this.transport, ids, options);
  }

  /** A price and a fee; see {@linkcode postQuote}. */
  quote(request: QuoteRequest, options: CallOptions = {}): Promise<QuoteResponse> {
    return service.postQuote(this.transport, request, options);
  }

  /** Prices that improve as solvers respond; see {@linkcode streamQuotes}. */
  quotes(
    request: QuoteRequest,
    options: StreamQuotesOptions = {},
  ): AsyncGenerator<QuoteResponse, void, undefined> {
    return service.streamQuotes(this.transport, request, options);
  }

  /**
   * Places a signed order and returns its UID.
   *
   * It is never sent twice. If the response is lost, reports an internal error, cannot be read or names
   * another UID, the order is looked up by its UID, which is computed from its own fields.
   *
   * @throws {UnconfirmedOrderError} In that case; says whether the order exists.
   * @throws {ServiceError} If the service rejects it, for example with `InsufficientBalance`.
   * @throws {MismatchError} If the owner is only known to the service, and it names the UID of
   *   other terms.
   * @throws {InputError} If the order cannot be written; nothing is sent.
   */
  async createOrder(order: OrderCreation, options: CallOptions = {}): Promise<string> {
    // Its own check would also take `uid`, which is computed here.
    checkOptions(options, CALL_OPTIONS, "Cannot create an order");
    const { uid, digest } = await identifyOrder(this.domain, order);
    try {
      const returned = await service.postOrder(this.transport, order, { ...options, uid });
      if (uid !== undefined) return uid;
      // The owner approves this UID on-chain, so it must not be that of other terms.
      const returnedDigest = returned.slice(0, digest.length);
      requireSame("POST /api/v1/orders", {
        field: "order digest",
        asked: digest,
        answered: returnedDigest,
      });
      return returned;
    } catch (cause) {
      if (options.signal?.aborted || !isOutcomeUnknown(cause) || uid === undefined) throw cause;
      const lookup = await lookUp(this.transport, uid, options);
      throw new UnconfirmedOrderError({ uid, cause, ...lookup });
    }
  }

  /**
   * Cancels orders off-chain, all of them or none.
   *
   * It is never sent twice. If the response is lost, reports an internal error, or cannot be read, the
   * orders are looked up.
   *
   * @throws {UnconfirmedCancellationError} In that case; holds the status of each order.
   * @throws {ServiceError} If the service rejects it, for example with `OrderExpired`.
   * @throws {InputError} If there are more than 128 UIDs, or one is malformed; nothing is sent.
   */
  async cancelOrders(cancellations: OrderCancellations, options: CallOptions = {}): Promise<void> {
    try {
      await service.deleteOrders(this.transport, cancellations, options);
    } catch (cause) {
      if (options.signal?.aborted || !isOutcomeUnknown(cause)) throw cause;
      const lookup = await lookUpAll(this.transport, cancellations.orderUids, options);
      throw new UnconfirmedCancellationError({ cause, ...lookup });
    }
  }

  /**
   * Registers an app data document: text unchanged, an object as {@linkcode stringifyAppData}
   * writes it. See {@linkcode putAppData}.
   *
   * @throws {InputError} If the object cannot be written; nothing is sent.
   * @throws {MismatchError} If the response is the hash of another document.
   */
  async registerAppData(
    document: string | object,
    options: CallOptions = {},
  ): Promise<RegisteredAppData> {
    const text = typeof document === "string" ? document : stringifyAppData(document);
    return await putAppData(this.transport, text, options);
  }

  /**
   * The app data document with a hash, parsed; its text, which is what was hashed, comes from
   * {@linkcode getAppData}.
   *
   * @throws {NotFoundError} If the service does not know the document.
   * @throws {MismatchError} If the document has another hash.
   * @throws {DecodeError} If it is not JSON, or a part that the service reads has none of its valid
   * forms.
   */
  async appData(hash: string, options: CallOptions = {}): Promise<AppData> {
    const { fullAppData } = await getAppData(this.transport, hash, options);
    return parseAppData(fullAppData, `app data ${hash}`);
  }

  /** Native atoms for one atom of a token, exactly as printed; see {@linkcode getNativePrice}. */
  nativePrice(token: string, options: CallOptions = {}): Promise<Decimal> {
    return service.getNativePrice(this.transport, token, options);
  }

  /** First trade and native price of a token; see {@linkcode getTokenMetadata}. */
  tokenMetadata(token: string, options: CallOptions = {}): Promise<TokenMetadata> {
    return service.getTokenMetadata(this.transport, token, options);
  }

  /** The current auction, for callers that may see it; see {@linkcode getAuction}. */
  auction(options: CallOptions = {}): Promise<Auction> {
    return service.getAuction(this.transport, options);
  }

  /** The notifications of an account; see {@linkcode getNotifications}. */
  notifications(account: string, options: ListOptions = {}): Promise<Notification[]> {
    return service.getNotifications(this.transport, account, options);
  }

  /** Surplus of an account since March 2023, in wei; see {@linkcode getTotalSurplus}. */
  totalSurplus(account: string, options: CallOptions = {}): Promise<bigint> {
    return service.getTotalSurplus(this.transport, account, options);
  }

  /** Version of the service, as it prints it; see {@linkcode getVersion}. */
  version(options: CallOptions = {}): Promise<string> {
    return service.getVersion(this.transport, options);
  }
}

/** Looks up the status of each order, where possible. */
async function lookUpAll(
  transport: Transport,
  uids: readonly string[],
  options: CallOptions,
): Promise<{ statuses: Map<string, string | null>; lookUpError?: unknown }> {
  const statuses = new Map<string, string | null>(uids.map((uid) => [uid, null]));
  try {
    const { orders, missing } = await service.getOrdersByUids(transport, uids, options);
    const statusByUid = new HexMap<string>(missing.map((uid) => [uid, "missing"]));
    for (const { uid, status } of orders) statusByUid.set(uid, status);
    for (const uid of uids) statuses.set(uid, statusByUid.get(uid) ?? null);
    return { statuses };
  } catch (lookUpError) {
    options.signal?.throwIfAborted();
    return { statuses, lookUpError };
  }
}

/**
 * Identifies an order by its own fields: its digest, and its UID where the owner is known, or
 * `undefined` if the service cannot have accepted it.
 *
 * @throws {InputError} If a field cannot be signed.
 */
async function identifyOrder(
  domain: OrderDomain,
  order: OrderCreation,
): Promise<{ uid: string | undefined; digest: string }> {
  const { appData, appDataHash } = order;
  const isHash = /^0x[0-9a-fA-F]{64}$/.test(appData);
  const signable = { ...order, appData: appDataHash ?? (isHash ? appData : hashAppData(appData)) };
  const digest = orderDigest(domain, signable);
  try {
    const owner = order.from ?? await recoverOrderSigner(domain, signable);
    return { digest, uid: owner === null ? undefined : computeOrderUid(domain, signable, owner) };
  } catch (error) {
    if (error instanceof InputError) return { digest, uid: undefined };
    throw error;
  }
}

async function lookUp(
  transport: Transport,
  uid: string,
  options: CallOptions,
): Promise<{ exists: boolean | null; status?: string; lookUpError?: unknown }> {
  try {
    const { status } = await service.getOrder(transport, uid, options);
    return { exists: true, status };
  } catch (lookUpError) {
    options.signal?.throwIfAborted();
    return lookUpError instanceof NotFoundError ? { exists: false } : { exists: null, lookUpError };
  }
}
