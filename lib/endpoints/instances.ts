import { InputError, NotFoundError } from "../errors/mod.ts";
import { checkOptions, isWhole } from "../errors/option_rules.ts";
import { redactUrls } from "../errors/secrets.ts";
import {
  type HttpRequest,
  type HttpResponse,
  httpTransport,
  parseJson,
  requestLine,
  type Transport,
} from "../http/mod.ts";
import { decodeInstance, type Instance } from "../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions, requireSame } from "./calls.ts";
import { isSuccess, toHttpError, toRequest } from "./send.ts";

/** Path of an instance at a deployment that serves them, and in recordings and datasets. */
export function toInstancePath(auctionId: number): string {
  return `/instances/${auctionId}.json`;
}

const INSTANCE_PATH = /^\/instances\/(\d+)\.json$/;

/** Parses the auction id of the path of an instance; `null` for any other path. */
export function parseInstancePath(path: string): number | null {
  const id = INSTANCE_PATH.exec(path)?.[1];
  return id === undefined ? null : Number(id);
}

/**
 * Gets the instance of an auction: what solvers were asked to solve.
 *
 * Calls `GET /instances/{auctionId}.json`, which a sandbox, a recording and a dataset serve. The protocol
 * publishes instances in a store of its own, for about a month, and not in its order book:
 * {@linkcode routeInstances} requests them there.
 *
 * @param transport Transport that sends the request.
 * @param auctionId Id of the auction.
 * @returns The instance.
 * @throws {InputError} If `auctionId` is no id; nothing is sent.
 * @throws {NotFoundError} If the store does not have it, or no longer.
 * @throws {UnauthorizedError} If the store refuses it.
 * @throws {DecodeError} If the response is not an instance.
 * @throws {MismatchError} If it is of another auction.
 * @see {@link https://github.com/cowprotocol/services/blob/main/crates/driver/src/infra/persistence/mod.rs | crates/driver/src/infra/persistence/mod.rs of cowprotocol/services, which stores them}
 * @example An auction of a sandbox
 * ```ts
 * import { connect } from "orderlens";
 * import { getCompetition, getInstance } from "orderlens/endpoints";
 * import { openSandbox } from "orderlens/sandbox";
 * import { assertEquals } from "@std/assert";
 *
 * const { transport } = connect(await openSandbox({ seed: 7, auctions: 3 }));
 * const { auctionId, auction } = await getCompetition(transport, "latest");
 * const { orders = [] } = await getInstance(transport, auctionId);
 *
 * assertEquals(orders.map(({ uid }) => uid), [...auction.orders]);
 * ```
 */
export async function getInstance(
  transport: Transport,
  auctionId: number,
  options: CallOptions = {},
): Promise<Instance> {
  checkOptions(options, CALL_OPTIONS, "Cannot get an instance");
  if (!isWhole(auctionId, 0)) {
    throw new InputError(`Cannot get the instance of auction ${auctionId}`, {
      remedy: "Pass an auction id as a number",
    });
  }
  const purpose = {
    action: `get the instance of auction ${auctionId}`,
    unauthorized: "Check the URL of the store of instances, and whether it needs credentials",
  };
  const request = toRequest({ path: toInstancePath(auctionId), ...purpose }, options);
  const response = await transport.send(request);
  const { status, body } = response;
  const source = requestLine(request);
  if (status === 404) {
    throw new NotFoundError(`Cannot ${purpose.action}: the store does not have it`, {
      request: source,
      status,
      body,
      remedy: "Request it within a month of its auction, and from the store of its network",
    });
  }
  if (!isSuccess(response)) throw toHttpError(response, request, purpose);
  const instance = decodeInstance(parseJson(response, request), { source });
  const { id } = instance;
  if (id !== undefined) {
    requireSame(source, { field: "id", asked: auctionId, answered: id ?? "null" });
  }
  return instance;
}

/** Place of the auction id in the URL of a store. */
const PLACE = "{id}";

/** A store of instances: a folder of an HTTP host, or of the deployment itself. */
interface InstanceStore {
  /** URL of the host with its credentials; `null` for the deployment. */
  readonly host: string | null;
  /** Path and query with the place of the auction id. */
  readonly path: string;
  /** Its URL without credentials and query. */
  readonly name: string;
}

/**
 * Parses the URL of a store of instances.
 *
 * @throws {InputError} If it is neither an HTTP URL nor a path.
 */
export function parseInstanceStore(store: string | URL): InstanceStore {
  const text = String(store);
  const isOwn = /^\/(?!\/)/.test(text);
  const url = isOwn ? URL.parse(text, "http://localhost") : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InputError(`Cannot get instances from ${JSON.stringify(redactUrls(text))}`, {
      remedy: "Pass the URL of a folder with a file for each auction, such as " +
        "https://host/mainnet, or of its files, such as https://host/mainnet/{id}.json.gz",
    });
  }
  const parts = [url.pathname, url.search].map((part) => part.replaceAll("%7Bid%7D", PLACE));
  const [pathname = "", query = ""] = parts;
  const file = parts.join("").includes(PLACE)
    ? pathname
    : `${pathname.replace(/\/+$/, "")}/${PLACE}.json`;
  const name = redactUrls(isOwn ? file : `${url.origin}${file}`);
  const host = Object.assign(new URL(url), { pathname: "", search: "", hash: "" });
  return { host: isOwn ? null : host.href, path: `${file}${query}`, name };
}

/**
 * Returns a transport that requests instances of auctions from a store, and everything else from the
 * deployment.
 *
 * @param transport Transport of the deployment.
 * @param store URL of a folder, in which the file of an auction is `{id}.json`, or of the files, with
 * `{id}` in place of the auction id; files may be packed with gzip. A path is one of the deployment.
 * Credentials in the URL are sent to its host alone.
 * @throws {InputError} If it is no such URL.
 * @example A store with a layout of its own
 * ```ts
 * import { getInstance, routeInstances } from "orderlens/endpoints";
 * import { connect } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
 *   return Response.json({ id: /(\d+)\.json$/.exec(request.url)?.[1], orders: [] });
 * });
 * const { transport } = connect("mainnet");
 * const store = `http://127.0.0.1:${server.addr.port}/prod/mainnet/auction/{id}.json`;
 * const { id } = await getInstance(routeInstances(transport, store), 8339027);
 * await server.shutdown();
 *
 * assertEquals(id, 8339027);
 * ```
 */
export function routeInstances(transport: Transport, store: string | URL): Transport {
  return new InstanceTransport(transport, parseInstanceStore(store));
}

class InstanceTransport implements Transport {
  readonly baseUrl: string;
  readonly deployment: unknown;
  readonly #transport: Transport;
  readonly #store: Transport;
  readonly #path: string;

  constructor(transport: Transport, { host, path }: InstanceStore) {
    this.baseUrl = transport.baseUrl;
    this.deployment = "deployment" in transport ? transport.deployment : undefined;
    this.#transport = transport;
    this.#store = host === null ? transport : httpTransport(host);
    this.#path = path;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const id = request.method === "GET" ? parseInstancePath(request.path) : null;
    if (id === null) return await this.#transport.send(request);
    const path = this.#path.replaceAll(PLACE, String(id));
    const response = await this.#store.send({ ...request, path });
    // The page of a store says nothing else, and is another one each time.
    if (response.status === 404) return { ...response, contentType: null, body: "" };
    // A store may serve its files as mere bytes.
    return isSuccess(response) && /^\s*\{/.test(response.body)
      ? { ...response, contentType: "application/json" }
      : response;
  }
}
