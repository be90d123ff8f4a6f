import { createHash } from "node:crypto";
import type { HttpRequest, HttpResponse, Transport } from "orderlens/http";
import { type Replay, replay } from "orderlens/recordings";

/** What a mainnet auction lists, roughly: its body has a third of a megabyte. */
const LISTED_ORDERS = 2_900;
const LISTED_TOKENS = 500;
/** Orders that are new in each auction; as many leave. */
const NEW_ORDERS = 4;

const COMPETITION = /^\/api\/v2\/solver_competition\/(.+)$/;
const UID = /0x[0-9a-f]{112}/g;
const SETTLEMENT = /(?<="txHash":")0x[0-9a-f]{64}/g;
const BLOCK = /(?<="(?:blockNumber|auctionStartBlock|auctionDeadlineBlock)":)\d+/g;
const BLOCKS_OF_ROUND = 100_000;
const ABSENT: HttpResponse = {
  status: 404,
  contentType: "application/json",
  body: "{}",
  headers: new Headers(),
};

/** How large a {@linkcode MainnetMarket} is. */
export interface MainnetMarketOptions {
  /** Its newest auction; the first is 1. */
  readonly latest: number;
  /** How many of each thousand ids are auctions. @default {1000} */
  readonly perThousand?: number;
}

/**
 * A deployment of any number of auctions as large as those of mainnet: the auctions of the shipped
 * market in turn, each round with UIDs, hashes and blocks of its own, and listing thousands of orders
 * and tokens besides. The same every time.
 */
export class MainnetMarket implements Transport {
  readonly baseUrl = "http://mainnet.test";
  readonly deployment: Replay["deployment"];
  /** Its newest auction; the first is 1. */
  readonly latest: number;
  /** How many of each thousand ids are auctions; those are the first of them. */
  readonly perThousand: number;
  readonly #recording: Replay;
  readonly #listed = new Map<number, string>();
  readonly #originals = new Map<string, { readonly uid: string; readonly round: number }>();
  readonly #tokens = Array.from({ length: LISTED_TOKENS }, (_, at) => ({
    address: `0x${digest(`token ${at}`).slice(0, 40)}`,
    price: BigInt(`0x${digest(`price ${at}`).slice(0, 20)}`),
  }));

  private constructor(recording: Replay, { latest, perThousand = 1_000 }: MainnetMarketOptions) {
    this.perThousand = perThousand;
    this.#recording = recording;
    this.deployment = recording.deployment;
    this.latest = latest;
  }

  /** Opens one. */
  static async open(options: MainnetMarketOptions): Promise<MainnetMarket> {
    return new MainnetMarket(await replay("market_1"), options);
  }

  async send({ method, path, body }: HttpRequest): Promise<HttpResponse> {
    const [, id] = COMPETITION.exec(path) ?? [];
    if (id !== undefined) {
      return await this.#competition(id === "latest" ? this.latest : Number(id));
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

  async #competition(auctionId: number): Promise<HttpResponse> {
    const isKept = auctionId % 1_000 < this.perThousand || auctionId === this.latest;
    if (!(auctionId >= 1 && auctionId <= this.latest && isKept)) return ABSENT;
    const { auctionIds } = this.#recording.recorded;
    const round = Math.floor(auctionId / auctionIds.length);
    const recorded = await this.#recording.send({
      method: "GET",
      path: `/api/v2/solver_competition/${auctionIds[auctionId % auctionIds.length]}`,
    });
    const competition = JSON.parse(this.#inRound(recorded.body, round));
    const { orders, prices } = competition.auction;
    for (let place = 0; place < LISTED_ORDERS; place++) {
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

  #inRound(text: string, round: number): string {
    return text
      .replaceAll(UID, (uid) => {
        const other = moved(uid, round);
        this.#originals.set(other, { uid, round });
        return other;
      })
      .replaceAll(SETTLEMENT, (hash) => moved(hash, round))
      .replaceAll(BLOCK, (block) => String(Number(block) + round * BLOCKS_OF_ROUND));
  }

  #listedUid(index: number): string {
    let uid = this.#listed.get(index);
    if (uid === undefined) {
      uid = `0x${digest(`order ${index}`)}${digest(`owner ${index}`).slice(0, 40)}6fffffff`;
      this.#listed.set(index, uid);
      this.#listed.delete(index - 2 * LISTED_ORDERS);
    }
    return uid;
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
