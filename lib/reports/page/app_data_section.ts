import { findFunctionName } from "../../evm/settlement/function_names.ts";
import { parseOrderAppData } from "../../metrics/orders/calculate_status.ts";
import { NETWORKS } from "../../networks/networks.ts";
import type { Order, PartnerFee } from "../../schemas/mod.ts";
import type { OrderReport } from "../order/order_report.ts";
import {
  buildTable,
  type Cell,
  cell,
  type Fact,
  numberColumn,
  type Section,
  textColumn,
  toFacts,
} from "./page_content.ts";
import { type CellFormatter, shortenHex, toAccountCell, toTimeCell } from "./cell_formatter.ts";

/** The hash that an order without a document signs. */
const NO_DOCUMENT = /^0x0+$/;

/** The app data of an order: its hash, what its document declares, and its hooks. */
export function buildAppDataSection(
  { appData, order }: OrderReport,
  amounts: CellFormatter,
): Section | null {
  if (appData === null) return null;
  const { hash, document, isHashRight, appCode, hooks } = appData;
  const hashText = NO_DOCUMENT.test(hash)
    ? "zeros stand for no document"
    : isHashRight === null
    ? "the service does not have the document"
    : isHashRight
    ? "its document has this hash"
    : document === "{}"
    ? "the service has the empty document in place of the one with this hash"
    : "its document has another hash";
  const isWrong = isHashRight === false && document !== "{}";
  return {
    id: "app-data",
    title: "App data",
    note: hooks.some(({ callData }) => findFunctionName(callData) !== null)
      ? "Functions of hooks are named by their selectors, which other functions may have too."
      : undefined,
    facts: [
      ...toFacts({
        Hash: { text: shortenHex(hash), exact: hash },
        Checked: { text: hashText, ...isWrong && { tone: "bad" } },
        "App code": appCode === null ? null : cell(appCode),
      }),
      ...order === null ? [] : buildDocumentFacts(order, amounts),
    ],
    table: hooks.length === 0 ? undefined : buildTable(hooks, [
      textColumn("Hook", ({ moment }) => cell(moment)),
      textColumn("Target", ({ target }) => toAccountCell(target)),
      textColumn("Function", ({ callData }) => toFunctionCell(callData)),
      numberColumn("Gas limit", ({ gasLimit }) => cell(gasLimit)),
      textColumn("Made with", ({ dappId }) => cell(dappId)),
    ]),
    raw: document ?? undefined,
    code: hooks.map(({ moment, callData }, index) => ({
      name: `Calldata of hook ${index + 1} (${moment})`,
      text: callData,
    })),
  };
}

/** The selector in the event of a call whose calldata has less than one. */
const NO_SELECTOR = "0x00000000";

/** The function that calldata calls: its name where it is known, otherwise its selector. */
export function toFunctionCell(callData: string): Cell {
  if (callData === "0x") return cell("none");
  if (callData === NO_SELECTOR) return { text: "none", exact: `selector ${NO_SELECTOR}, or less` };
  const selector = callData.slice(0, 10);
  const name = findFunctionName(callData);
  return name === null ? cell(selector) : { text: name, exact: `selector ${selector}` };
}

/** Facts that an app data document declares, in words; what has another form stays in the raw text. */
function buildDocumentFacts(order: Order, amounts: CellFormatter): Fact[] {
  const { environment, metadata = {} } = parseOrderAppData(order) ?? {};
  const { orderClass, quote, partnerFee, referrer, utm, bridging, widget, flashloan } = metadata;
  const { signer, validFrom, enableFastPath, userConsents = [], wrappers = [] } = metadata;
  const toCell = (value: unknown) =>
    typeof value === "string" || typeof value === "number" ? cell(value) : null;
  const lender = flashloan?.liquidityProvider ?? flashloan?.lender;
  return [
    ...toFacts({
      Environment: toCell(environment),
      "Class declared": toCell(orderClass?.orderClass),
      "Slippage declared": quote?.slippageBips == null ? null : {
        text: `${formatDeclaredBps(quote.slippageBips)}${
          quote.smartSlippage === true ? ", chosen by the app" : ""
        }`,
      },
    }),
    ...[partnerFee ?? []].flat().map((fee) => ({
      name: "Partner fee asked",
      value: { ...toAccountCell(fee.recipient), after: `, ${formatPartnerFee(fee)}` },
    })),
    ...toFacts({
      Referrer: toCell(referrer?.code ?? referrer?.address),
      "UTM source": toCell(utm?.utmSource),
      "UTM medium": toCell(utm?.utmMedium),
      "UTM campaign": toCell(utm?.utmCampaign),
      "UTM content": toCell(utm?.utmContent),
      "UTM term": toCell(utm?.utmTerm),
      Widget: toCell(widget?.appCode),
      "Widget's environment": toCell(widget?.environment),
      "Signer declared": signer === undefined ? null : toAccountCell(signer),
      "Valid from": validFrom === undefined
        ? null
        : toTimeCell(Temporal.Instant.fromEpochMilliseconds(1_000 * validFrom)),
      "Fast path": enableFastPath === true ? cell("requested") : null,
      "Bridged to": toChainCell(bridging?.destinationChainId),
      "Bridged token": toCell(bridging?.destinationTokenAddress),
      "Bridged by": toCell(bridging?.providerId),
      "Flash loan": flashloan === undefined ? null : {
        ...amounts.formatAmount(flashloan.amount, flashloan.token),
        ...lender !== undefined && { after: ` from ${shortenHex(lender)}` },
      },
    }),
    ...wrappers.map(({ address, isOmittable }) => ({
      name: "Wrapper",
      value: {
        ...toAccountCell(address),
        ...isOmittable === true && { after: ", which a solver may leave out" },
      },
    })),
    ...userConsents.map(({ terms, acceptedDate }) => ({
      name: "Terms accepted",
      value: cell(`${acceptedDate}: ${terms}`),
    })),
  ];
}

function formatDeclaredBps(bps: number | string): string {
  return `${bps.toLocaleString("en-US")} bps`;
}

/** A partner fee as it is declared; what is charged may be less. */
function formatPartnerFee(fee: PartnerFee): string {
  if ("surplusBps" in fee) {
    return `${formatDeclaredBps(fee.surplusBps)} of the surplus, at most ${
      formatDeclaredBps(fee.maxVolumeBps)
    } of the volume`;
  }
  if ("priceImprovementBps" in fee) {
    return `${
      formatDeclaredBps(fee.priceImprovementBps)
    } of the improvement over the quote, at most ` +
      `${formatDeclaredBps(fee.maxVolumeBps)} of the volume`;
  }
  return `${formatDeclaredBps("volumeBps" in fee ? fee.volumeBps : fee.bps)} of the volume`;
}

/** A chain by its id, with the name of the network, where this library knows it. */
function toChainCell(chainId: string | number | undefined): Cell | null {
  if (chainId === undefined) return null;
  const network = Object.values(NETWORKS).find((network) => `${network.chainId}` === `${chainId}`);
  return cell(`chain ${chainId}${network === undefined ? "" : ` (${network.label})`}`);
}
