import { InputError } from "../errors/mod.ts";
import { describeValue, requireKnown } from "../errors/option_rules.ts";
import { findNearestText } from "../errors/orderlens_error.ts";
import type { Network, NetworkName } from "./network.ts";
import { NETWORKS } from "./networks.ts";

/** Target of a link: exactly one of these. */
export type ExplorerSubject =
  | {
    /** UID of an order. */
    readonly uid: string;
  }
  | {
    /** Hash of a transaction. */
    readonly transaction: string;
  }
  | {
    /** Address of an account: a trader, a solver, a contract. */
    readonly account: string;
  }
  | {
    /** Address of a token. */
    readonly token: string;
  };

/** Path of a kind of page, and the length of its key. */
interface Page {
  readonly explorer: "explorer" | "blockExplorer";
  readonly folder: string;
  readonly digits: number;
}

const PAGES: Readonly<Record<string, Page>> = {
  uid: { explorer: "explorer", folder: "orders", digits: 112 },
  transaction: { explorer: "blockExplorer", folder: "tx", digits: 64 },
  account: { explorer: "blockExplorer", folder: "address", digits: 40 },
  token: { explorer: "blockExplorer", folder: "token", digits: 40 },
};

/**
 * Returns the page of an order in the protocol's explorer, or of a transaction, an account or a token
 * in the block explorer of its network.
 *
 * Sends no request and does not check whether the page exists.
 *
 * @param network The network.
 * @param subject A UID, a hash or an address, in any letter case.
 * @returns An `https:` URL.
 * @throws {InputError} If the network is unknown, or the subject is not one hex text of the right
 * length.
 *
 * @example An order and its transaction on Gnosis Chain
 * ```ts
 * import { explorerUrl } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * const uid = `0x${"01".repeat(56)}`;
 * const transaction = `0x${"02".repeat(32)}`;
 *
 * assertEquals(explorerUrl("xdai", { uid }), `https://explorer.cow.fi/gc/orders/${uid}`);
 * assertEquals(explorerUrl("xdai", { transaction }), `https://gnosisscan.io/tx/${transaction}`);
 * ```
 */
export function explorerUrl(network: NetworkName, subject: ExplorerSubject): string {
  const facts = NETWORKS[parseNetworkName(network)];
  const action = "Cannot link to an explorer";
  requireKnown(subject, Object.keys(PAGES), action, { isRequired: true });
  const [[kind, hex] = [], ...excess] = Object.entries(subject);
  const page = PAGES[kind ?? ""];
  if (page === undefined || excess.length > 0) {
    throw new InputError(`${action} for ${excess.length + (kind === undefined ? 0 : 1)} things`, {
      remedy: `Pass one of ${Object.keys(PAGES).join(", ")}`,
    });
  }
  const { explorer, folder, digits } = page;
  if (typeof hex !== "string" || !/^0x[0-9a-f]+$/i.test(hex) || hex.length !== digits + 2) {
    throw new InputError(`${action} for the ${kind} ${describeValue(hex)}`, {
      remedy: `Pass 0x and ${digits} hex digits as ${kind}`,
    });
  }
  return `${facts[explorer]}/${folder}/${hex.toLowerCase()}`;
}

/**
 * Returns all pages of a subject: that of {@linkcode explorerUrl}, and for a transaction or an account
 * that of the protocol's explorer too, which has their orders.
 *
 * @param network The network.
 * @param subject A UID, a hash or an address, in any letter case.
 * @returns `https:` URLs, one or two.
 * @throws {InputError} As {@linkcode explorerUrl}.
 *
 * @example A transaction on Gnosis Chain
 * ```ts
 * import { explorerUrls } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * const transaction = `0x${"02".repeat(32)}`;
 *
 * assertEquals(explorerUrls("xdai", { transaction }), [
 *   `https://gnosisscan.io/tx/${transaction}`,
 *   `https://explorer.cow.fi/gc/tx/${transaction}`,
 * ]);
 * ```
 */
export function explorerUrls(network: NetworkName, subject: ExplorerSubject): readonly string[] {
  const url = explorerUrl(network, subject);
  const { blockExplorer, explorer } = NETWORKS[network];
  return "transaction" in subject || "account" in subject
    ? [url, `${explorer}${url.slice(blockExplorer.length)}`]
    : [url];
}

/** Network and subject of an explorer's page. */
export interface ExplorerPage {
  /** Its network. */
  readonly network: NetworkName;
  /** Its subject. */
  readonly subject: Exclude<ExplorerSubject, { readonly token: string }>;
}

const HEX_PATH = /^\/(order|tx|address)s?\/(?:0x)?([0-9a-f]+)\/?$/i;
/** Other builds of the protocol's explorer: they show the same orders. */
const OTHER_BUILD = /^(?:dev|barn|staging)\.(?=explorer\.cow\.fi$)/i;

/**
 * Reads the address of a page of the protocol's explorer, its development, staging and barn builds
 * included, or of a block explorer: an order, a transaction or an account, with its network.
 *
 * @param text The address; query and fragment are ignored.
 * @returns `null` if it is no such page of a known explorer.
 *
 * @example An order on Gnosis Chain
 * ```ts
 * import { parseExplorerUrl } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * const uid = `0x${"01".repeat(56)}`;
 *
 * assertEquals(parseExplorerUrl(`https://explorer.cow.fi/gc/orders/${uid}?tab=overview`), {
 *   network: "xdai",
 *   subject: { uid },
 * });
 * ```
 */
export function parseExplorerUrl(text: string): ExplorerPage | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const address = `https://${url.host.replace(OTHER_BUILD, "")}${url.pathname}`;
  for (const { name, explorer, blockExplorer } of Object.values(NETWORKS)) {
    // The protocol's explorer also takes the names of networks.
    const rootByName = `${NETWORKS.mainnet.explorer}/${name}`;
    for (const root of [explorer, rootByName, blockExplorer]) {
      const subject = address.startsWith(root) ? parseSubject(address.slice(root.length)) : null;
      if (subject !== null) return { network: name, subject };
    }
  }
  return null;
}

function parseSubject(path: string): ExplorerPage["subject"] | null {
  const [, folder = "", digits = ""] = HEX_PATH.exec(path) ?? [];
  const kind = KINDS_BY_FOLDER[folder.toLowerCase()];
  if (kind === undefined || digits.length !== PAGES[kind]!.digits) return null;
  return { [kind]: `0x${digits.toLowerCase()}` } as unknown as ExplorerPage["subject"];
}

/** Kinds of pages by the folder of their address, without the `s` of several. */
const KINDS_BY_FOLDER: Readonly<Record<string, string>> = {
  order: "uid",
  tx: "transaction",
  address: "account",
};

/** Other common names of networks, in `lower_case_with_underscores`. */
const ALIASES: Readonly<Record<string, NetworkName>> = {
  eth: "mainnet",
  ethereum: "mainnet",
  ethereum_mainnet: "mainnet",
  main: "mainnet",
  gc: "xdai",
  gno: "xdai",
  gnosis: "xdai",
  gnosis_chain: "xdai",
  gnosischain: "xdai",
  arb: "arbitrum_one",
  arb1: "arbitrum_one",
  arbitrum: "arbitrum_one",
  arbitrumone: "arbitrum_one",
  avax: "avalanche",
  avalanche_c: "avalanche",
  matic: "polygon",
  pol: "polygon",
  binance: "bnb",
  bnb_chain: "bnb",
  bnb_smart_chain: "bnb",
  bsc: "bnb",
};

/**
 * Whether a text is the name of a public deployment.
 *
 * @example A name, and a common alias
 * ```ts
 * import { isNetworkName } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(isNetworkName("xdai"), true);
 * assertEquals(isNetworkName("gnosis"), false);
 * ```
 */
export function isNetworkName(text: string): text is NetworkName {
  return Object.hasOwn(NETWORKS, text);
}

/**
 * Parses a network name typed by a person.
 *
 * Aliases, other letter cases and chain ids are rejected with the name to use, so that every
 * network has one name in files and programs.
 *
 * @param text Any text.
 * @returns The same text, typed as a name.
 * @throws {InputError} If the network is unknown; names the nearest one.
 *
 * @example A typo
 * ```ts
 * import { InputError } from "orderlens";
 * import { parseNetworkName } from "orderlens/networks";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * assertEquals(parseNetworkName("mainnet"), "mainnet");
 * assertThrows(() => parseNetworkName("mainet"), InputError, 'did you mean "mainnet"');
 * ```
 */
export function parseNetworkName(text: string): NetworkName {
  if (isNetworkName(text)) return text;
  const value: unknown = text;
  const isLong = typeof value === "string" && value.length > 80;
  const excerpt = describeValue(value).replace(/"$/, isLong ? '…"' : '"');
  const names = Object.keys(NETWORKS).join(", ");
  const isId = typeof value === "number" || typeof value === "bigint";
  const nearest = isId || typeof value === "string" ? suggestName(`${value}`) : undefined;
  if (nearest === undefined) {
    throw new InputError(`Cannot find a network named ${excerpt}`, {
      remedy: `Pass one of ${names}`,
    });
  }
  const { label, chainId } = NETWORKS[nearest];
  throw new InputError(
    `Cannot find a network named ${excerpt}: ` +
      `did you mean "${nearest}" (${label}, chain id ${chainId})?`,
    { remedy: `Pass "${nearest}", or another of ${names}` },
  );
}

function suggestName(text: string): NetworkName | undefined {
  const plain = text.trim().toLowerCase().replaceAll(/[\s-]+/g, "_");
  const meanings = new Map<string, NetworkName>();
  for (const { name, chainId } of Object.values(NETWORKS)) {
    meanings.set(name, name);
    if (plain === `${chainId}`) return name;
  }
  for (const [alias, name] of Object.entries(ALIASES)) meanings.set(alias, name);
  const nearest = findNearestText(plain, meanings.keys());
  return nearest === undefined ? undefined : meanings.get(nearest);
}

/**
 * Returns the facts of a public deployment.
 *
 * @param name A name of {@linkcode NetworkName}; the compiler rejects any other.
 * @throws {InputError} If the network is unknown (where types are not checked); names the nearest
 * one.
 *
 * @example The wrapped native token of Gnosis Chain
 * ```ts
 * import { network } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(network("xdai").wrappedNativeToken.symbol, "WXDAI");
 * ```
 */
export function network(name: NetworkName): Network {
  return NETWORKS[parseNetworkName(name)];
}

/**
 * Returns the facts of the public deployment on a chain.
 *
 * @param chainId Chain id, as in an order's EIP-712 domain.
 * @throws {InputError} If the chain has no public deployment.
 *
 * @example By the id of Arbitrum One
 * ```ts
 * import { networkByChainId } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(networkByChainId(42161).name, "arbitrum_one");
 * ```
 */
export function networkByChainId(chainId: number): Network {
  const network = Object.values(NETWORKS).find((candidate) => candidate.chainId === chainId);
  if (network === undefined) {
    const chains = Object.values(NETWORKS)
      .map((candidate) => `${candidate.chainId} (${candidate.name})`);
    throw new InputError(`Cannot find a network with chain id ${chainId}`, {
      remedy: `Pass one of ${chains.join(", ")}`,
    });
  }
  return network;
}
