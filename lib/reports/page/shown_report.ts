import type { TokenOptions } from "../../tables/columns/token_amounts.ts";
import { isNetworkName } from "../../networks/parse_network_name.ts";
import { INSPECT_SCHEMA, type OrderReport } from "../order/order_report.ts";
import { htmlFragment } from "./html_fragment.ts";
import { orderContent } from "./order_content.ts";
import type { PageContent } from "./page_content.ts";
import { textPage } from "./text_page.ts";
import { withOrderCharts } from "./with_order_charts.ts";

/** A report as a notebook shows it. */
export interface ShownReport {
  /** Its page, as a part of another one. */
  readonly "text/html": string;
  /** The same as text. */
  readonly "text/plain": string;
}

/** A report as it was returned, with its amounts and times; what was parsed from JSON is none. */
function isOrderReport(value: object): value is OrderReport {
  if (!("schema" in value) || value.schema !== INSPECT_SCHEMA) return false;
  return "asOf" in value && (value.asOf === null || value.asOf instanceof Temporal.Instant);
}

/**
 * A report as a notebook shows it: its page with pictures, and its text.
 *
 * @param tokens Facts about tokens; the network is the report's, unless they say otherwise.
 * @returns `null` for any other value.
 */
export async function shownReport(
  value: object,
  tokens: TokenOptions,
): Promise<ShownReport | null> {
  if (!isOrderReport(value)) return null;
  const { network } = value.deployment;
  const known = network !== null && isNetworkName(network) ? { network } : {};
  const content: PageContent = orderContent(value, { ...known, ...tokens });
  return {
    "text/html": htmlFragment(await withOrderCharts(content, value)),
    "text/plain": textPage(content).trimEnd(),
  };
}
