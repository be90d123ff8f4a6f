import { sameHex } from "../../units/mod.ts";
import { formatInspectCommand } from "../command_text.ts";
import type { ReportedDeployment, ReportedUnknown } from "../order/order_report.ts";
import type { ReportedProgrammaticOrder } from "../order/verdicts.ts";
import type { SettledOrder } from "../subjects/settled_orders.ts";
import {
  type Cell,
  cell,
  listSection,
  numberColumn,
  type PageContent,
  type Section,
  textColumn,
} from "./page_content.ts";
import {
  type CellFormatter,
  shortenHex,
  shortenSentence,
  toAccountCell,
  toTimeCell,
  toTransactionCell,
  toUidCell,
} from "./cell_formatter.ts";

/** Builds the facts about the deployment of a report: its network, or its chain and its whole contract. */
export function buildDeploymentFacts(
  { network, environment, chainId, settlementContract }: ReportedDeployment,
): Record<string, Cell | null> {
  const label = network ?? `chain ${chainId}`;
  return {
    Deployment: cell(environment === null ? label : `${label}, ${environment}`),
    "Settlement contract": network === null
      ? { text: shortenHex(settlementContract), exact: settlementContract, isWhole: true }
      : null,
  };
}

/** Orders with their fills: amounts, surplus and fees. */
export function buildSettledSection(
  orders: readonly SettledOrder[],
  amounts: CellFormatter,
): Section | null {
  const rows = orders.flatMap(({ fills, ...order }) =>
    fills.map((fill) => ({
      ...fill,
      order,
      token: order.kind === "sell" ? order.buyToken : order.sellToken,
      usd: fill.usdPerAtom?.[order.kind === "sell" ? "buy" : "sell"],
    }))
  );
  const note =
    "Surplus is over the limit. Protocol and partner fees are recomputed from their policies.";
  return listSection({ id: "fills", title: "Settled orders", note, rows }, [
    textColumn("Order", ({ order }) => toUidCell(order.uid)),
    numberColumn(
      "Sold",
      ({ sellAmount, order, usdPerAtom }) =>
        amounts.formatAmount(sellAmount, order.sellToken, usdPerAtom?.sell),
    ),
    numberColumn(
      "Bought",
      ({ buyAmount, order, usdPerAtom }) =>
        amounts.formatAmount(buyAmount, order.buyToken, usdPerAtom?.buy),
    ),
    numberColumn(
      "Surplus",
      ({ surplusAtoms, token, usd }) => amounts.formatAmount(surplusAtoms, token, usd),
    ),
    numberColumn(
      "Network fee",
      ({ networkFee, token }) => amounts.formatNetworkFee(networkFee, token),
    ),
    numberColumn(
      "Other fees",
      ({ audit, token, usd }) =>
        amounts.formatAmount(
          audit.fees.reduce((sum, fee) => sum + fee.reportedAtoms, 0n),
          token,
          usd,
        ),
    ),
    textColumn("Audit", ({ audit }) => toAuditCell(audit.fees.map(({ verdict }) => verdict))),
  ]);
}

/** Verdicts on fees in one cell: those that are not exact, if any. */
export function toAuditCell(verdicts: readonly string[]): Cell {
  if (verdicts.length === 0) return cell(null);
  if (verdicts.every((verdict) => verdict === "exact")) return { text: "exact", tone: "good" };
  const otherVerdicts = new Set(verdicts.filter((verdict) => verdict !== "exact"));
  return {
    text: [...otherVerdicts].join(", ").replaceAll("_", " "),
    tone: otherVerdicts.has("differs") ? "bad" : "neutral",
  };
}

/** Parts of a TWAP that the page of one of them shows before it, and after it. */
const MAX_NEIGHBOURS = 5;

/**
 * TWAPs and other programmatic orders, and the parts of TWAPs.
 *
 * @param uid The part that the page is about, which shows its neighbours alone. @default {all parts}
 */
export function buildProgrammaticSections(
  programmatic: readonly ReportedProgrammaticOrder[],
  amounts: CellFormatter,
  uid?: string,
): (Section | null)[] {
  const title = "Programmatic orders";
  const allParts = programmatic.flatMap(({ id, parts }) => parts.map((part) => ({ id, ...part })));
  const index = uid === undefined ? -1 : allParts.findIndex((part) => sameHex(part.uid, uid));
  const parts = index === -1
    ? allParts
    : allParts.slice(Math.max(0, index - MAX_NEIGHBOURS), index + MAX_NEIGHBOURS + 1);
  const isCut = parts.length < allParts.length;
  return [
    listSection({ id: "programmatic", title, rows: programmatic }, [
      textColumn("Id", ({ id }) => ({ text: shortenHex(id), exact: id })),
      textColumn("Owner", ({ owner }) => toAccountCell(owner)),
      textColumn("Created in", ({ txHash }) => toTransactionCell(txHash)),
      numberColumn(
        "Each sells",
        ({ terms }) =>
          terms === null ? cell(null) : amounts.formatAmount(terms.partSellAmount, terms.sellToken),
      ),
      numberColumn(
        "For at least",
        ({ terms }) =>
          terms === null ? cell(null) : amounts.formatAmount(terms.minPartLimit, terms.buyToken),
      ),
      textColumn("What happened", ({ sentence }) => cell(sentence)),
    ]),
    listSection({
      id: "parts",
      title: "Parts of TWAPs",
      ...isCut && {
        note: `${parts.length} of the ${allParts.length} parts, around this one. ${
          programmatic[0]!.txHash === null
            ? "The JSON of the report has all"
            : "The page of the transaction that created the TWAP has all"
        }.`,
      },
      rows: parts,
    }, [
      ...programmatic.length === 1
        ? []
        : [textColumn("Of", ({ id }: { id: string }) => ({ text: shortenHex(id), exact: id }))],
      numberColumn("Part", ({ part }) => cell(part)),
      textColumn("From", ({ validFrom }) => toTimeCell(validFrom), { isWhole: true }),
      textColumn("To", ({ validTo }) => toTimeCell(validTo), { isWhole: true }),
      textColumn("Order", ({ uid }) => toUidCell(uid)),
      textColumn(
        "State",
        ({ state }) => cell(state === "fulfilled" ? "filled" : state.replaceAll("_", " ")),
      ),
    ]),
  ];
}

/** Characters of the reasons in one row; a cell cuts longer ones. */
const MAX_REASONS = 400;

/** Builds the section of unknown facts, with reasons and remedies; those with one remedy share a row. */
export function buildUnknownSection(unknowns: readonly ReportedUnknown[]): Section | null {
  const facts = unknowns.map((fact) => ({ ...fact, why: shortenSentence(fact.why) }));
  const rows = [...Map.groupBy(facts, ({ remedy }) => remedy)].flatMap(([remedy, entries]) => {
    const join = (key: "what" | "why", separator: string) =>
      [...new Set(entries.map((entry) => entry[key]))].join(separator);
    const row = { what: join("what", ", "), why: join("why", ". "), remedy };
    return row.why.length > MAX_REASONS ? entries : [row];
  });
  return listSection({ id: "unknown", title: "What is not known", rows }, [
    textColumn("What", ({ what }) => cell(what.replaceAll("_", " "))),
    textColumn("Why", ({ why }) => cell(why)),
    textColumn("What would show it", ({ remedy }) => cell(remedy)),
  ]);
}

/** The parts that all reports but those of orders share. */
interface SubjectReport {
  readonly deployment: ReportedDeployment;
  readonly sentence: string;
  readonly unknown: readonly ReportedUnknown[];
}

/** Builds the common parts of all pages but those of orders. */
export function toSubjectContent(
  report: SubjectReport,
  subject: string | number,
  { sections, ...content }:
    & Omit<
      PageContent,
      "sentence" | "sections" | "network" | "command" | "data"
    >
    & { readonly sections: readonly (Section | null)[] },
): PageContent {
  const { deployment, sentence, unknown: unknowns } = report;
  return {
    ...content,
    sentence,
    sections: [...sections, buildUnknownSection(unknowns)].flatMap((section) => section ?? []),
    network: deployment.network,
    command: formatInspectCommand(subject, deployment),
    data: report,
  };
}
