import { createHash } from "node:crypto";
import type { HttpRequest, HttpResponse, Transport } from "orderlens/http";
import { type Replay, replay } from "orderlens/recordings";

/** What a mainnet auction lists, roughly: its body has a third of a megabyte. */
const LISTED_ORDERS = 2_900;
const LISTED_TOKENS = 500;
/** Orders that are new in each auction; as many leave. */
const NEW_ORDERS = 4;

/**
 * How orders that were filled spread over accounts, as 1,203 of mainnet did in September 2024: 28 %
 * were of the EthFlow contract, and the other 868 of 547 accounts, a half of them of 314. The account
 * of place `k` has a share that falls with `(15 + k) ** -1.27`, which gives as many.
 */
const ETH_FLOW_SHARE = 0.28;
const ETH_FLOW = "0x40a50cf069e992aa4536211b23f286ef88752187";
const ACTIVE_ACCOUNTS = 15;
const ACCOUNT_SHARES = 0.27;
const ROWS_A_PAGE = 1_000;

const COMPETITION = /^\/api\/v2\/solver_competition\/(.+)$/;
const TRADES_OF_ORDER = "/api/v2/trades?orderUid=";
const TRADES_OF_OWNER = /^\/api\/v2\/trades\?owner=(0x[0-9a-f]{40})&offset=(\d+)&limit=(\d+)$/;
const UID = /0x[0-9a-f]{112}/g;
const OWNER = /(?<="owner":")0x[0-9a-f]{40}(?=")/g;
const SETTLEMENT = /(?<="txHash":")0x[0-9a-f]{64}/g;
const BLOCK = /(?<="(?:blockNumber|auctionStartBlock|auctionDeadlineBlock)":)\d+/g;
const BLOCKS_OF_ROUND = 100_000;
const ABSENT: HttpResponse = {
  status: 404,
  contentType: "application/json",
  body: '{"errorType":"NotFound","description":"not found"}',
  headers: new Headers(),
};

/** How large a {@linkcode MainnetMarket} is. */
export interface MainnetMarketOptions {
  /** Its newest auction; the first is 1. */
  readonly latest: number;
  /** How many of each thousand ids are auctions, which are the first of them. @default {1000} */
  readonly perThousand?: number;
  /** Orders that each auction lists besides those of the recorded one. @default {2900} */
  readonly listed?: number;
}

/**
 * A deployment of any number of auctions as large as those of mainnet: the auctions of the shipped
 * market in turn, each round with UIDs, accounts, hashes and blocks of its own, and listing thousands
 * of orders and tokens besides. Its trades are asked for by order or by account. The same every time.
 */
export class MainnetMarket implements Transport {
  readonly baseUrl = "http://mainnet.test";
  readonly deployment: Replay["deployment"];
  readonly #size: Required<MainnetMarketOptions>;
  readonly #recording: Replay;
  readonly #listed = new Map<number, string>();
  readonly #originals = new Map<string, { readonly uid: string; readonly round: number }>();
  #byOwner: Promise<ReadonlyMap<string, string[]>> | undefined;
  readonly #tokens = Array.from({ length: LISTED_TOKENS }, (_, at) => ({
    address: `0x${digest(`token ${at}`).slice(0, 40)}`,
    price: BigInt(`0x${digest(`price ${at}`).slice(0, 20)}`),
  }));

  private constructor(recording: Replay, options: MainnetMarketOptions) {
    this.#size = { perThousand: 1_000, listed: LISTED_ORDERS, ...options };
    this.#recording = recording;
    this.deployment = recording.deployment;
  }

  /** Opens one. */
  static async open(options: MainnetMarketOptions): Promise<MainnetMarket> {
    return new MainnetMarket(await replay("market_1"), options);
  }

  async send({ method, path, body }: HttpRequest): Promise<HttpResponse> {
    const [, id] = COMPETITION.exec(path) ?? [];
    if (id !== undefined) {
      return await this.#competition(id === "latest" ? this.#size.latest : Number(id));
    }
    const [, owner, offset, limit] = TRADES_OF_OWNER.exec(path) ?? [];
    if (owner !== undefined) {
      return await this.#tradesOf(owner, Number(offset), Math.min(Number(limit), ROWS_A_PAGE));
    }
    if (method === "GET") return await this.#answer({ method, path });
    const orders: string[] = [];
    for (const uid of JSON.parse(body ?? "[]") as string[]) {
      const one = await this.#answer({ method, path, body: JSON.stringify([uid]) });
      if (one.body !== "[]") orders.push(one.body.slice(1, -1));
    }
    return { ...ABSENT, status: 200, body: `[${orders.join(",")}]` };
  }

  /** The recorded answer about one order, in the round of the UID that the request names. */
  async #answer(request: HttpRequest): Promise<HttpResponse> {
    let round = 0;
    const original = (text: string) =>
      text.replaceAll(UID, (uid) => {
        const known = this.#originals.get(uid);
        round = known?.round ?? round;
        return known?.uid ?? uid;
      });
    const { path, body } = request;
    const answer = await this.#recording.send({
      ...request,
      path: original(path),
      ...body === undefined ? {} : { body: original(body) },
    });
    return { ...answer, body: this.#inRound(answer.body, round) };
  }

  async #tradesOf(owner: string, offset: number, limit: number): Promise<HttpResponse> {
    const uids = (await (this.#byOwner ??= this.#ownersOfFilled())).get(owner) ?? [];
    const rows: { blockNumber: number; logIndex: number }[] = [];
    for (const uid of uids) {
      const { body } = await this.#answer({ method: "GET", path: `${TRADES_OF_ORDER}${uid}` });
      rows.push(...JSON.parse(body));
    }
    rows.sort((a, b) => b.blockNumber - a.blockNumber || b.logIndex - a.logIndex);
    const body = JSON.stringify(rows.slice(offset, offset + limit));
    return { ...ABSENT, status: 200, body };
  }

  /** The orders of all rounds that solutions name, by their account. */
  async #ownersOfFilled(): Promise<ReadonlyMap<string, string[]>> {
    const { auctionIds } = this.#recording.recorded;
    const uids = new Set<string>();
    for (const id of auctionIds) {
      const path = `/api/v2/solver_competition/${id}`;
      const { body } = await this.#recording.send({ method: "GET", path });
      const { solutions }: { solutions: { orders: { id: string }[] }[] } = JSON.parse(body);
      for (const { orders } of solutions) for (const { id: uid } of orders) uids.add(uid);
    }
    const owners = new Map<string, string[]>();
    for (let round = 0; round * auctionIds.length <= this.#size.latest; round++) {
      for (const uid of uids) {
        const other = this.#move(uid, round);
        owners.getOrInsertComputed(ownerOf(other), () => []).push(other);
      }
    }
    return owners;
  }

  async #competition(auctionId: number): Promise<HttpResponse> {
    const { latest, perThousand, listed } = this.#size;
    const isKept = auctionId % 1_000 < perThousand || auctionId === latest;
    if (!(auctionId >= 1 && auctionId <= latest && isKept)) return ABSENT;
    const { auctionIds } = this.#recording.recorded;
    const round = Math.floor(auctionId / auctionIds.length);
    const recorded = await this.#recording.send({
      method: "GET",
      path: `/api/v2/solver_competition/${auctionIds[auctionId % auctionIds.length]}`,
    });
    const competition = JSON.parse(this.#inRound(recorded.body, round));
    const { orders, prices } = competition.auction;
    for (let place = 0; place < listed; place++) {
      orders.push(this.#listedUid(auctionId * NEW_ORDERS + place));
    }
    for (const [place, { address, price }] of this.#tokens.entries()) {
      prices[address] = String(price + BigInt(auctionId * (place % 7)));
    }
    competition.auction.prices = Object.fromEntries(Object.entries(prices).sort());
    const transactionHashes = competition.transactionHashes.map((hash: string) =>
      moved(hash, round)
    );
    return { ...recorded, body: JSON.stringify({ ...competition, auctionId, transactionHashes }) };
  }

  /** A text in another round; what it names as an owner is that of the order before it. */
  #inRound(text: string, round: number): string {
    const [uid] = /0x[0-9a-f]{112}/.exec(text) ?? [];
    const owner = uid === undefined ? undefined : ownerOf(this.#move(uid, round));
    return text
      .replaceAll(UID, (uid) => this.#move(uid, round))
      .replaceAll(OWNER, (known) => owner ?? known)
      .replaceAll(SETTLEMENT, (hash) => moved(hash, round))
      .replaceAll(BLOCK, (block) => String(Number(block) + round * BLOCKS_OF_ROUND));
  }

  #move(uid: string, round: number): string {
    const other = accountFor(moved(uid, round));
    this.#originals.set(other, { uid, round });
    return other;
  }

  #listedUid(index: number): string {
    return this.#listed.getOrInsertComputed(index, () => {
      this.#listed.delete(index - 2 * LISTED_ORDERS);
      return `0x${digest(`order ${index}`)}${digest(`owner ${index}`).slice(0, 40)}6fffffff`;
    });
  }
}

function digest(seed: string): string {
  return createHash("sha256").update(seed).digest("hex");
}

/** A UID or hash of the recording in another round. */
function moved(hex: string, round: number): string {
  const first = (Number(hex.slice(0, 8)) ^ round).toString(16).padStart(6, "0");
  return `0x${first}${hex.slice(8)}`;
}

function ownerOf(uid: string): string {
  return `0x${uid.slice(66, 106)}`;
}

/** An order of an account of mainnet, the same for the same digest. */
function accountFor(uid: string): string {
  const drawn = digest(uid.slice(0, 66));
  const share = (start: number) => Number.parseInt(drawn.slice(start, start + 12), 16) / 2 ** 48;
  if (share(0) < ETH_FLOW_SHARE) return `${uid.slice(0, 66)}${ETH_FLOW.slice(2)}ffffffff`;
  const place = Math.floor(ACTIVE_ACCOUNTS * ((1 - share(12)) ** (-1 / ACCOUNT_SHARES) - 1));
  return `${uid.slice(0, 66)}${digest(`account ${place}`).slice(0, 40)}${uid.slice(106)}`;
}
