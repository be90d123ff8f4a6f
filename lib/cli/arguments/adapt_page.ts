import { formatCommand } from "../../errors/shell_words.ts";
import type { Cell, Fact, PageContent, Section } from "../../reports/page/page_content.ts";
import { formatTarget, type Target } from "../deployment.ts";
import { formatAdvice } from "./format_advice.ts";

/** The source of a page, as it was named on the command line. */
interface PageSource {
  /** The deployment; `null` if none was named. */
  readonly target: Target | null;
  /** Value of `--deep`. @default {false} */
  readonly deep?: boolean | number;
}

/**
 * A page for a command line: its advice names no option of a program, and its command has the words
 * that named a recording or a sandbox, which a report does not have.
 */
export function adaptPage(page: PageContent, { target, deep = false }: PageSource): PageContent {
  const command = target === null ? page.command : rewriteCommand(page, target);
  const depth = deep === false ? "" : deep === true ? " --deep" : ` --deep ${deep}`;
  return {
    ...page,
    command: `${command}${depth}`,
    facts: page.facts.map(adaptFact),
    sections: page.sections.map(adaptSection),
    ...page.next !== undefined && { next: page.next.map((step) => formatAdvice(step)) },
  };
}

/** The command of a page with the words of its source. */
function rewriteCommand({ command, subject }: PageContent, target: Target): string {
  if (command === "orderlens serve") return formatCommand(["serve", ...formatPublicTarget(target)]);
  const isLocal = target.kind === "recording" || target.kind === "sandbox";
  if (!isLocal || !command.startsWith("orderlens inspect ")) return command;
  const [key] = Object.values(subject ?? {});
  return formatCommand(["inspect", `${key}`, ...formatTarget(target)]);
}

/** The words of a deployment without the credentials of a URL. */
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

function adaptFact({ name, value }: Fact): Fact {
  return { name, value: adaptCell(value) };
}

/** A cell; advice has the names of options between backticks. */
function adaptCell(cell: Cell): Cell {
  return cell.text.includes("`") ? { ...cell, text: formatAdvice(cell.text) } : cell;
}
