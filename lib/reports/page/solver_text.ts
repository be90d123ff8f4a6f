import type { TokenOptions } from "../../tables/columns/token_amounts.ts";
import type { SolverReport } from "../subjects/inspect_solver.ts";
import { solverContent } from "./solver_content.ts";
import { type TextOptions, textPage } from "./text_page.ts";

/**
 * The report of a solver as text for a terminal: wins, settlements and pairs.
 *
 * @param report What {@linkcode inspectSolver} returns.
 * @param options Width of a line, colours, and facts about tokens.
 */
export function solverText(
  report: SolverReport,
  options: TextOptions & TokenOptions = {},
): string {
  return textPage(solverContent(report, options), options);
}
