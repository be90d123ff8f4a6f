import { explorerUrl } from "../../networks/explorer_url.ts";
import { isNetworkName } from "../../networks/parse_network_name.ts";
import type { CellSubject } from "./page_content.ts";

/** A link to what a cell names; `null` where there is none. */
export type LinkOf = (subject: CellSubject) => string | null;

const HEX = { uid: 112, transaction: 64, account: 40, token: 40, solver: 40 } as const;

/** Links to the explorers of a public network; none for other deployments. */
export function explorerLinks(network: string | null): LinkOf {
  if (network === null || !isNetworkName(network)) return () => null;
  return (subject) => {
    if ("auction" in subject || !isHex(subject)) return null;
    return explorerUrl(network, "solver" in subject ? { account: subject.solver } : subject);
  };
}

/** A report may come from anywhere: what is no address or hash is text, never a part of a link. */
function isHex(subject: Exclude<CellSubject, { auction: number }>): boolean {
  const [[kind, hex] = []] = Object.entries(subject);
  const digits = HEX[kind as keyof typeof HEX];
  return typeof hex === "string" && hex.length === digits + 2 && /^0x[0-9a-f]+$/i.test(hex);
}
