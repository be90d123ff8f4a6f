import { InputError } from "../errors/mod.ts";
import { quoted, requireKnown } from "../errors/require_known.ts";
import type { NetworkName } from "./network.ts";
import { NETWORKS } from "./networks.ts";
import { parseNetworkName } from "./parse_network_name.ts";

/** What to link to: exactly one of these. */
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
 * The page of an order in the protocol's explorer, or of a transaction, an account or a token in the
 * block explorer of its network.
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
  requireKnown(subject, Object.keys(PAGES), action, { isNeeded: true });
  const [[kind, hex] = [], ...others] = Object.entries(subject);
  const page = PAGES[kind ?? ""];
  if (page === undefined || others.length > 0) {
    throw new InputError(`${action} for ${others.length + (kind === undefined ? 0 : 1)} things`, {
      remedy: `Pass one of ${Object.keys(PAGES).join(", ")}`,
    });
  }
  const { explorer, folder, digits } = page;
  if (typeof hex !== "string" || !/^0x[0-9a-f]+$/i.test(hex) || hex.length !== digits + 2) {
    throw new InputError(`${action} for the ${kind} ${quoted(hex)}`, {
      remedy: `Pass 0x and ${digits} hex digits as ${kind}`,
    });
  }
  return `${facts[explorer]}/${folder}/${hex.toLowerCase()}`;
}
