import { orderAppData } from "../../metrics/orders/calculate_status.ts";
import type { AppData, PartnerFee } from "../../schemas/mod.ts";
import { Decimal } from "../../units/mod.ts";
import { flag, integer, number, text } from "./columns.ts";
import type { Column } from "./frame.ts";

/** An order with its document, if the service sent one. */
interface Documented {
  readonly fullAppData?: string | null | undefined;
}

/** Each order's document is decoded once, for whatever columns read it. */
const decoded = new WeakMap<Documented, Documented & { readonly document: AppData | null }>();

/** The app data document of an order; `null` if it has none, or one that the service does not read. */
export function documentOf(order: Documented): AppData | null {
  const { fullAppData } = order;
  let known = decoded.get(order);
  if (known === undefined || known.fullAppData !== fullAppData) {
    known = { fullAppData, document: orderAppData(order) };
    decoded.set(order, known);
  }
  return known.document;
}

/** The application that made an order. */
export function appCodeColumn<Row>(orderOf: (row: Row) => Documented): Column<Row> {
  return text("app_code", {
    source: "appCode of the app data document; null without one",
    cell: (row) => documentOf(orderOf(row))?.appCode ?? null,
  });
}

/** What the app data document of an order says, by which orders are grouped. */
export function appDataColumns<Row>(orderOf: (row: Row) => Documented): Column<Row>[] {
  const metadataOf = (row: Row) => documentOf(orderOf(row))?.metadata;
  return [
    appCodeColumn(orderOf),
    text("widget_app_code", {
      source: "metadata.widget.appCode of the app data document: the application around a widget",
      cell: (row) => metadataOf(row)?.widget?.appCode ?? null,
    }),
    text("order_class", {
      source: "metadata.orderClass.orderClass of the app data document: market, limit, liquidity " +
        "or twap, according to the front end",
      cell: (row) => metadataOf(row)?.orderClass?.orderClass ?? null,
    }),
    number("slippage_bips", {
      unit: "basis points",
      source: "metadata.quote.slippageBips of the app data document: the tolerance asked for",
      cell: (row) => decimal(metadataOf(row)?.quote?.slippageBips),
    }),
    flag("is_smart_slippage", {
      source:
        "metadata.quote.smartSlippage of the app data document: whether the front end chose " +
        "the tolerance",
      cell: (row) => metadataOf(row)?.quote?.smartSlippage ?? null,
    }),
    integer("hook_count", {
      unit: "hooks",
      source: "metadata.hooks of the app data document: calls before and after the trade; null " +
        "without a document",
      cell: (row) => {
        if (documentOf(orderOf(row)) === null) return null;
        const { pre = [], post = [] } = metadataOf(row)?.hooks ?? {};
        return pre.length + post.length;
      },
    }),
    text("bridge_destination_chain", {
      source: "metadata.bridging.destinationChainId of the app data document, as text: not all " +
        "chains are EVM chains",
      cell: (row) => metadataOf(row)?.bridging?.destinationChainId?.toString() ?? null,
    }),
    flag("is_flash_loan", {
      source: "whether the app data document has metadata.flashloan; null without a document",
      cell: (row) =>
        documentOf(orderOf(row)) === null ? null : metadataOf(row)?.flashloan !== undefined,
    }),
    text("wrapper", {
      source: "addresses in metadata.wrappers of the app data document, in lower case, joined by " +
        "commas; null without any",
      cell: (row) => joined(metadataOf(row)?.wrappers?.map(({ address }) => address) ?? []),
    }),
    text("partner_recipient", {
      source: "recipients in metadata.partnerFee of the app data document, in lower case, joined " +
        "by commas; null without any",
      cell: (row) => joined(partnerFees(orderOf(row)).map(({ recipient }) => recipient)),
    }),
  ];
}

/** What a partner asks for of the volume of an order. Fills have what it made of their slippage. */
export function partnerBpsColumn<Row>(orderOf: (row: Row) => Documented): Column<Row> {
  return number("partner_bps", {
    unit: "basis points of the volume",
    source:
      "sum of the volume fees in metadata.partnerFee of the app data document; null without " +
      "any: fees on surplus or price improvement have other rates",
    cell: (row) => {
      const rates = partnerFees(orderOf(row)).flatMap((fee) =>
        "volumeBps" in fee ? fee.volumeBps : "bps" in fee ? fee.bps : []
      );
      return rates.length === 0 ? null : rates.reduce((sum, bps) => sum + bps, 0);
    },
  });
}

function partnerFees(order: Documented): readonly PartnerFee[] {
  const fees = documentOf(order)?.metadata?.partnerFee;
  return fees === undefined ? [] : [fees].flat();
}

/** A number as documents have it, of which some are text. */
function decimal(value: number | string | undefined): number | null {
  return value === undefined ? null : Decimal.tryParse(String(value))?.toNumber() ?? null;
}

/** Different addresses in their order. */
function joined(addresses: readonly string[]): string | null {
  return [...new Set(addresses.map((one) => one.toLowerCase()))].join(", ") || null;
}
