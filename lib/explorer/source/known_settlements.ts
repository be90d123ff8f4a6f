import type { DeployedTransport } from "../../client/mod.ts";
import type { HttpRequest, HttpResponse } from "../../http/mod.ts";

const BY_TRANSACTION = /^\/api\/v2\/solver_competition\/by_tx_hash\/(0x[0-9a-f]{64})$/i;

/**
 * A dataset whose competitions are found by their settlements without a search through its tables,
 * as soon as its lists are read.
 */
export class KnownSettlements implements DeployedTransport {
  /** Auctions by settlement, as far as they are known. */
  readonly auctions = new Map<string, number>();
  readonly #dataset: DeployedTransport;

  /** Knows no settlement yet. */
  constructor(dataset: DeployedTransport) {
    this.#dataset = dataset;
  }

  /** URL of the dataset. */
  get baseUrl(): string {
    return this.#dataset.baseUrl;
  }

  /** Facts of its deployment. */
  get deployment(): NonNullable<DeployedTransport["deployment"]> | null {
    return this.#dataset.deployment ?? null;
  }

  /** Answers a request. */
  send(request: HttpRequest): Promise<HttpResponse> {
    const hash = BY_TRANSACTION.exec(request.path)?.[1];
    const auction = hash === undefined ? undefined : this.auctions.get(hash.toLowerCase());
    return this.#dataset.send(
      auction === undefined
        ? request
        : { ...request, path: `/api/v2/solver_competition/${auction}` },
    );
  }
}
