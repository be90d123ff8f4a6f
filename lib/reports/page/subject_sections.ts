import type { ReportedDeployment, ReportedUnknown } from "../order/order_report.ts";
import type { ReportedProgrammaticOrder } from "../order/verdicts.ts";
import type { SettledOrder } from "../subjects/settled_orders.ts";
import { type Cell, cell, listSection, numbers, type Section, words } from "./page_content.ts";
import {
  accountCell,
  type PageWords,
  shortHex,
  timeCell,
  transactionCell,
  uidCell,
} from "./page_words.ts";

/** The deployment of a report. */
export function deploymentCell({ network, environment, chainId }: ReportedDeployment): Cell {
  const where = network ?? `chain ${chainId}`;
  return cell(environment === null ? where : `${where}, ${environment}`);
}

/** Orders with their fills: amounts, surplus and fees. */
export function settledSection(
  settled: readonly SettledOrder[],
  amounts: PageWords,
): Section | null {
  const rows = settled.flatMap(({ fills, ...order }) =>
    fills.map((fill) => ({
      ...fill,
      order,
      token: order.kind === "sell" ? order.buyToken : order.sellToken,
    }))
  );
  const note =
    "Surplus is over the limit. Protocol and partner fees are computed again by their policies.";
  return listSection({ id: "fills", title: "Settled orders", note, rows }, [
    words("Order", ({ order }) => uidCell(order.uid)),
    numbers("Sold", ({ sellAmount, order }) => amounts.amount(sellAmount, order.sellToken)),
    numbers("Bought", ({ buyAmount, order }) => amounts.amount(buyAmount, order.buyToken)),
    numbers("Surplus", ({ surplusAtoms, token }) => amounts.amount(surplusAtoms, token)),
    numbers("Network fee", ({ networkFee, token }) => amounts.networkFee(networkFee, token)),
    numbers(
      "Other fees",
      ({ audit, token }) =>
        amounts.amount(audit.fees.reduce((sum, fee) => sum + fee.reportedAtoms, 0n), token),
    ),
    words("Audit", ({ audit }) => auditCell(audit.fees.map(({ verdict }) => verdict))),
  ]);
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

/** TWAPs and other programmatic orders, and the parts of TWAPs. */
export function programmaticSections(
  programmatic: readonly ReportedProgrammaticOrder[],
  amounts: PageWords,
): (Section | null)[] {
  const title = "Programmatic orders";
  const parts = programmatic.flatMap(({ id, parts }) => parts.map((part) => ({ id, ...part })));
  return [
    listSection({ id: "programmatic", title, rows: programmatic }, [
      words("Id", ({ id }) => ({ text: shortHex(id), exact: id })),
      words("Owner", ({ owner }) => accountCell(owner)),
      words("Created in", ({ txHash }) => transactionCell(txHash)),
      numbers(
        "Each sells",
        ({ terms }) =>
          terms === null ? cell(null) : amounts.amount(terms.partSellAmount, terms.sellToken),
      ),
      numbers(
        "For at least",
        ({ terms }) =>
          terms === null ? cell(null) : amounts.amount(terms.minPartLimit, terms.buyToken),
      ),
      words("What happened", ({ sentence }) => cell(sentence), { isSentence: true }),
    ]),
    listSection({ id: "parts", title: "Parts of TWAPs", rows: parts }, [
      words("Of", ({ id }) => ({ text: shortHex(id), exact: id })),
      numbers("Part", ({ part }) => cell(part)),
      words("From", ({ validFrom }) => timeCell(validFrom), { isWhole: true }),
      words("To", ({ validTo }) => timeCell(validTo), { isWhole: true }),
      words("Order", ({ uid }) => uidCell(uid)),
      words("State", ({ state }) => cell(state.replaceAll("_", " "))),
    ]),
  ];
}

/** What cannot be determined, why, and what would show it. */
export function unknownSection(unknown: readonly ReportedUnknown[]): Section | null {
  return listSection({ id: "unknown", title: "What cannot be known", rows: unknown }, [
    words("What", ({ what }) => cell(what.replaceAll("_", " "))),
    words("Why", ({ why }) => cell(why), { isSentence: true }),
    words("What would show it", ({ remedy }) => cell(remedy)),
  ]);
}
