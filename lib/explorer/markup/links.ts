import type { CellSubject } from "../../reports/page/page_content.ts";

/** Where a name leads inside the explorer. */
export function linkWithin(subject: CellSubject): string {
  if ("uid" in subject) return `/orders/${part(subject.uid)}`;
  if ("transaction" in subject) return `/transactions/${part(subject.transaction)}`;
  if ("account" in subject) return `/accounts/${part(subject.account)}`;
  if ("token" in subject) return `/tokens/${part(subject.token)}`;
  if ("auction" in subject) return `/auctions/${subject.auction}`;
  return `/solvers/${part(subject.solver)}`;
}

function part(name: string): string {
  return encodeURIComponent(name.toLowerCase());
}
