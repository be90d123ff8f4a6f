import { formatCommand } from "../../errors/shell_words.ts";
import type { Cell, Fact, PageContent, Section } from "../../reports/page/page_content.ts";
import { formatTarget, type Target } from "../deployment.ts";
import { formatAdvice } from "./format_advice.ts";

/** Source of a page, as named on the command line. */
interface PageSource {
  /** The deployment; `null` if none was named. */
  readonly target: Target | null;
  /** Value of `--deep`. @default {false} */
  readonly deep?: boolean | number;
  /** Value of `--budget`. @default {none} */
  readonly budget?: string | undefined;
}

/**
 * Adapts a page to the command line: its advice names options of commands instead of the library's, and
 * its command names the recording or sandbox, which a report does not know.
 */
export function adaptPage(
  page: PageContent,
  { target, deep = false, budget }: PageSource,
): PageContent {
  const command = target === null ? page.command : rewriteCommand(page, target);
  const depth = deep === false ? "" : deep === true ? " --deep" : ` --deep ${deep}`;
  const budgetText = budget === undefined ? "" : ` --budget ${budget}`;
  return {
    ...page,
    command: `${command}${depth}${budgetText}`,
    facts: page.facts.map(adaptFact),
    sections: page.sections.map(adaptSection),
    ...page.next !== undefined && { next: page.next.map((step) => formatAdvice(step)) },
  };
}

/** Adapts a page of a site, whose commands name the dataset beside it. */
export function adaptSitePage(page: PageContent): PageContent {
  return adaptPage(page, { target: { kind: "recording", recording: "data" } });
}

/** Adds the words that name the source to the command of a page. */
function rewriteCommand({ command, subject }: PageContent, target: Target): string {
  if (command === "orderlens serve") return formatCommand(["serve", ...formatPublicTarget(target)]);
  const isLocal = target.kind === "recording" || target.kind === "sandbox";
  if (!isLocal || !command.startsWith("orderlens inspect ")) return command;
  const [key] = Object.values(subject ?? {});
  return formatCommand(["inspect", `${key}`, ...formatTarget(target)]);
}

/** Formats a deployment without the credentials of its URL. */
function formatPublicTarget(target: Target): string[] {
  if (target.kind !== "url") return formatTarget(target);
  const url = Object.assign(new URL(target.url), { username: "", password: "" });
  return formatTarget({ ...target, url: url.href.replace(/\/$/, "") });
}

function adaptSection({ note, facts, table, ...section }: Section): Section {
  return {
    ...section,
    ...note !== undefined && { note: formatAdvice(note) },
    ...facts !== undefined && { facts: facts.map(adaptFact) },
    ...table !== undefined &&
      { table: { ...table, rows: table.rows.map((row) => row.map(adaptCell)) } },
  };
}

function adaptFact(fact: Fact): Fact {
  return { ...fact, value: adaptCell(fact.value) };
}

/** Adapts a cell; advice names options in backticks. */
function adaptCell(cell: Cell): Cell {
  return cell.text.includes("`") ? { ...cell, text: formatAdvice(cell.text) } : cell;
}
