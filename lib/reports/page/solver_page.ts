import type { TokenOptions } from "../../tables/columns/token_amounts.ts";
import type { SolverReport } from "../subjects/inspect_solver.ts";
import { solverContent } from "./solver_content.ts";
import { htmlPage } from "./html_page.ts";

/**
 * The report of a solver as one HTML file that loads nothing and runs no script.
 *
 * @param report What {@linkcode inspectSolver} returns.
 * @param tokens Facts about tokens, for amounts in whole tokens.
 */
export function solverPage(report: SolverReport, tokens: TokenOptions = {}): string {
  return htmlPage(solverContent(report, tokens));
}
