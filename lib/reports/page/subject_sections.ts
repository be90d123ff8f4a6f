import { isNotComputable } from "../../metrics/mod.ts";
import type { ReportedDeployment, ReportedFill, ReportedUnknown } from "../order/order_report.ts";
import type { SettledOrder } from "../subjects/settled_orders.ts";
import { type Cell, cell, type Fact, type Section } from "./page_content.ts";
import { type PageWords, uidCell } from "./page_words.ts";

/** The deployment of a report. */
export function deploymentFact({ network, environment, chainId }: ReportedDeployment): Fact {
  const where = network ?? `chain ${chainId}`;
  return {
    name: "Deployment",
    value: cell(environment === null ? where : `${where}, ${environment}`),
  };
}

/** The command that makes a page again. */
export function commandOf(
  subject: string | number,
  deployment: ReportedDeployment,
): string {
  return `orderlens inspect ${subject}${optionsOf(deployment)}`;
}

/** The options that name a deployment; none for one of this process. */
function optionsOf(
  { network, environment, chainId, settlementContract, source }: ReportedDeployment,
): string {
  const [, scheme, place] = /^(\w+):\/\/(.*)$/.exec(source) ?? [];
  if (scheme === "replay" || scheme === "dataset") return ` --recording ${place}`;
  if (network !== null) {
    return ` --network ${network}${environment === "staging" ? " --env staging" : ""}`;
  }
  if (scheme !== "http" && scheme !== "https") return "";
  return ` --url ${source} --chain-id ${chainId} --settlement ${settlementContract}`;
}

/** Orders with their fills: amounts, surplus and fees. */
export function settledSection(
  settled: readonly SettledOrder[],
  words: PageWords,
): Section | null {
  if (settled.length === 0) return null;
  return {
    id: "fills",
    title: "Settled orders",
    note:
      "Surplus is over the limit. Protocol and partner fees are computed again by their policies.",
    table: {
      columns: [
        { name: "Order" },
        { name: "Sold", isNumber: true },
        { name: "Bought", isNumber: true },
        { name: "Surplus", isNumber: true },
        { name: "Network fee", isNumber: true },
        { name: "Other fees", isNumber: true },
        { name: "Audit" },
      ],
      rows: settled.flatMap((order) => order.fills.map((fill) => fillRow(order, fill, words))),
    },
  };
}

function fillRow(order: SettledOrder, fill: ReportedFill, words: PageWords): Cell[] {
  const token = order.kind === "sell" ? order.buyToken : order.sellToken;
  const { surplusAtoms, networkFee, audit } = fill;
  const charged = audit.fees.reduce((sum, { reportedAtoms }) => sum + reportedAtoms, 0n);
  return [
    uidCell(order.uid),
    words.amount(fill.sellAmount, order.sellToken),
    words.amount(fill.buyAmount, order.buyToken),
    isNotComputable(surplusAtoms)
      ? { text: "–", exact: surplusAtoms.detail }
      : words.amount(surplusAtoms, token),
    isNotComputable(networkFee)
      ? { text: "–", exact: networkFee.detail }
      : words.interval(networkFee.networkAtoms, token),
    words.amount(charged, token),
    auditCell(audit.fees.map(({ verdict }) => verdict)),
  ];
}

function auditCell(verdicts: readonly string[]): Cell {
  if (verdicts.length === 0) return cell(null);
  if (verdicts.every((verdict) => verdict === "exact")) return { text: "exact", tone: "good" };
  const others = new Set(verdicts.filter((verdict) => verdict !== "exact"));
  return {
    text: [...others].join(", ").replaceAll("_", " "),
    tone: others.has("differs") ? "bad" : "neutral",
  };
}

/** What cannot be determined, why, and what would show it. */
export function unknownSection(unknown: readonly ReportedUnknown[]): Section | null {
  if (unknown.length === 0) return null;
  return {
    id: "unknown",
    title: "What cannot be known",
    table: {
      columns: [{ name: "What" }, { name: "Why", isSentence: true }, {
        name: "What would show it",
      }],
      rows: unknown.map(({ what, why, remedy }) => [
        cell(what.replaceAll("_", " ")),
        cell(why),
        cell(remedy),
      ]),
    },
  };
}
