import type { ExplorerSubject } from "./explorer_url.ts";
import type { NetworkName } from "./network.ts";
import { NETWORKS } from "./networks.ts";

/** What a page of an explorer is about. */
export interface ExplorerPage {
  /** Network that it is of. */
  readonly network: NetworkName;
  /** Its subject. */
  readonly subject: Exclude<ExplorerSubject, { readonly token: string }>;
}

const HEX_PATH = /^\/(orders|tx|address)\/(0x[0-9a-f]+)\/?$/i;
const DIGITS = { orders: 112, tx: 64, address: 40 } as const;

/**
 * Reads the address of a page of the protocol's explorer, or of a block explorer: an order, a
 * transaction or an account, with its network.
 *
 * @param text The address; query and fragment do not matter.
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
  const address = `https://${url.host}${url.pathname}`;
  for (const { name, explorer, blockExplorer } of Object.values(NETWORKS)) {
    for (const root of [explorer, blockExplorer]) {
      const subject = address.startsWith(root) ? subjectOf(address.slice(root.length)) : null;
      if (subject !== null) return { network: name, subject };
    }
  }
  return null;
}

function subjectOf(path: string): ExplorerPage["subject"] | null {
  const [, folder, hex = ""] = HEX_PATH.exec(path) ?? [];
  const kind = folder?.toLowerCase() as keyof typeof DIGITS | undefined;
  if (kind === undefined || hex.length !== DIGITS[kind] + 2) return null;
  const key = hex.toLowerCase();
  return kind === "orders" ? { uid: key } : kind === "tx" ? { transaction: key } : { account: key };
}
