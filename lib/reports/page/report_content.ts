import type { TokenOptions } from "../../tables/columns/lookups.ts";
import type { OrderReport } from "../order/order_report.ts";
import type { AuctionReport } from "../subjects/auction_report.ts";
import type { AccountReport } from "../subjects/inspect_account.ts";
import type { SolverReport } from "../subjects/inspect_solver.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import { auctionContent } from "./auction_content.ts";
import { orderContent } from "./order_content.ts";
import type { PageContent } from "./page_content.ts";
import { accountContent, transactionContent } from "./subject_contents.ts";
import { solverContent } from "./solver_content.ts";

/** What a page can be about. */
export type Report = OrderReport | AuctionReport | AccountReport | SolverReport | TransactionReport;

/** A report as words and cells, without pictures. */
export function contentOf(report: Report, tokens: TokenOptions = {}): PageContent {
  switch (report.schema) {
    case "orderlens/inspect@1":
      return orderContent(report, tokens);
    case "orderlens/inspect-auction@1":
      return auctionContent(report, tokens);
    case "orderlens/inspect-account@1":
      return accountContent(report, tokens);
    case "orderlens/inspect-solver@1":
      return solverContent(report, tokens);
    case "orderlens/inspect-transaction@1":
      return transactionContent(report, tokens);
  }
}
