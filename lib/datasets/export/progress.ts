import {
  SELECTED_ORDERS,
  shardName,
  UNBID_ORDERS,
  WALKED_SETTLEMENTS,
} from "../layout/shard_name.ts";
import type { PoliteTransport } from "../limits/polite_transport.ts";
import type { ExportState } from "../state/export_state.ts";
import type { ItemKind } from "../state/items.ts";
import type { ExportProgress } from "./export_options.ts";

/** How many things of a kind one request asks for, if not one. */
const A_REQUEST: Readonly<Partial<Record<ItemKind, number>>> = { order: 128, receipt: 50 };
/** Fills of a usual auction: what is reckoned with before any is known. */
const FOLLOWING_AN_AUCTION = 0.9;
const ENOUGH_AUCTIONS = 20;

interface KindCounts {
  readonly kind: ItemKind;
  readonly known: number;
  readonly ended: number;
  readonly pending: number;
}

/** Says how far an export is, where somebody wants to know. */
export class ProgressReporter {
  readonly #onProgress: ((progress: ExportProgress) => void) | undefined;
  readonly #state: ExportState;
  #transport: PoliteTransport | null = null;
  #round = 0;
  #last: Pick<ExportProgress, "phase" | "shard"> = { phase: "competition", shard: "" };

  /** Reports of one run. */
  constructor(
    onProgress: ((progress: ExportProgress) => void) | undefined,
    state: ExportState,
  ) {
    this.#onProgress = onProgress;
    this.#state = state;
  }

  /** Says which requests to count, and in which round. */
  begin(transport: PoliteTransport, round: number): void {
    this.#transport = transport;
    this.#round = round;
  }

  /** Reports what is done in a shard. */
  report(phase: ExportProgress["phase"], shard: number): void {
    this.#last = { phase, shard: shardName(shard) };
    this.#send(null, countedIn(shardName(shard)));
  }

  /**
   * Reports that all requests wait until a time, or with `null` that they go on.
   *
   * @param isDown Whether they wait since the deployment does not answer.
   */
  reportWait(untilMs: number | null, isDown: boolean): void {
    this.#send(untilMs, countedIn(this.#last.shard), isDown);
  }

  /** Requests that are still to be sent, as far as is known; `null` if it is not. */
  requestsLeft(): number | null {
    return requestsLeft(this.#counts());
  }

  #counts(): KindCounts[] {
    return this.#state.rows<KindCounts>(
      `SELECT kind, count(*) AS known, count(state) AS ended,
       sum(state IS NULL OR isFinal = 0 AND round < ?) AS pending FROM items GROUP BY kind`,
      this.#round,
    );
  }

  #send(waitingUntilMs: number | null, kind: ItemKind, isDown = false): void {
    if (this.#onProgress === undefined) return;
    const counts = this.#counts();
    const counted = counts.find((one) => one.kind === kind);
    this.#onProgress({
      ...this.#last,
      done: counted?.ended ?? 0,
      total: counted?.known ?? 0,
      requests: this.#transport?.requests ?? 0,
      requestsLeft: requestsLeft(counts),
      requestsPerMinute: this.#transport?.requestsPerMinute ?? 0,
      waitingUntilMs,
      isDown: waitingUntilMs !== null && isDown,
    });
  }
}

/** What is counted while a shard is asked for. */
function countedIn(shard: string): ItemKind {
  if (shard === shardName(WALKED_SETTLEMENTS)) return "settlement";
  const isOfOrders = [SELECTED_ORDERS, UNBID_ORDERS].map(shardName).includes(shard);
  return isOfOrders ? "order" : "competition";
}

/** Requests that pending things take, and those that follow from auctions that are not known yet. */
function requestsLeft(counts: readonly KindCounts[]): number | null {
  let left = 0;
  let following = 0;
  for (const { kind, known, pending } of counts) {
    if (kind === "account" && pending > 0) return null;
    left += Math.ceil(pending / (A_REQUEST[kind] ?? 1));
    if (!["competition", "order", "settlement"].includes(kind)) {
      following += known / (A_REQUEST[kind] ?? 1);
    }
  }
  const auctions = counts.find(({ kind }) => kind === "competition");
  if (auctions === undefined) return left;
  const unknown = auctions.known - auctions.ended;
  const ratio = auctions.ended < ENOUGH_AUCTIONS
    ? FOLLOWING_AN_AUCTION
    : following / auctions.ended;
  return left + Math.ceil(unknown * ratio);
}
