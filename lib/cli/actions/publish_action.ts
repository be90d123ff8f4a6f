import type {
  PublicationCreator,
  PublicationPicture,
  PublicationTarget,
} from "../../datasets/mod.ts";
import { isMissing, localFiles } from "../../http/local_files.ts";
import { adaptSitePage } from "../arguments/adapt_page.ts";
import type { Args } from "../arguments/command_line.ts";
import { EXIT, type ExitCode, formatSize, pluralize } from "../terminal/io.ts";
import { ProgressLine, type Session } from "../terminal/session.ts";
import { requireTools, type ToolResult, validatePublication } from "./validate_publication.ts";

/** Makes a folder of a dataset for a repository, validates it, and prints what it has. */
export async function publishAction(
  session: Session,
  args: Args,
  target: PublicationTarget,
): Promise<ExitCode> {
  const [folder, output] = [args.word(0), args.word(1)];
  const python = args.text("--python") ?? "python3";
  const isValidated = !args.has("--no-validate");
  const creators = await readCreators(args);
  if (isValidated) await requireTools(python);
  const { publishDataset } = await import("../../datasets/mod.ts");
  let results: ToolResult[] | null = null;
  const publication = await publishDataset(folder, output, {
    target,
    creators,
    description: args.text("--description"),
    version: args.text("--release"),
    picture: args.has("--no-picture") ? undefined : await drawPicture(folder),
    anyway: args.has("--anyway"),
    signal: session.signal,
    validate: isValidated
      ? async (made) => {
        results = await validatePublication(python, made, target);
      }
      : undefined,
  });
  if (session.isJson) session.printJson("publication", { ...publication, validation: results });
  else {
    const { files, bytes, gaps, problems, warnings } = publication;
    session.print(
      `${publication.folder}: ${pluralize(files.length, "file")}, ${formatSize(bytes)}, to upload`,
      ...formatValidation(results),
      "On its page",
      ...gaps.map((line) => `  ${line}`),
      ...problems.map(({ file, problem }) => `  Problem: ${file}: ${problem}`),
    );
    for (const warning of warnings) session.say(warning);
  }
  return publication.isComplete ? EXIT.done : EXIT.gaps;
}

/** Writes a dataset as a website, and prints what it has. */
export async function publishSiteAction(session: Session, args: Args): Promise<ExitCode> {
  const [folder, output] = [args.word(0), args.word(1)];
  const orders = args.whole("--orders");
  const creators = await readCreators(args);
  const { publishSite } = await import("../../explorer/mod.ts");
  using line = new ProgressLine(session);
  const site = await publishSite(folder, output, {
    orders,
    creators,
    description: args.text("--description"),
    version: args.text("--release"),
    anyway: args.has("--anyway"),
    signal: session.signal,
    onProgress: ({ done, total }) => line.updateWork("Pages", done, total),
    adaptPage: adaptSitePage,
  });
  if (session.isJson) session.printJson("publication", site);
  else {
    const { files, pages, bytes, gaps, problems, warnings } = site;
    session.print(
      `${site.folder}: ${pluralize(pages, "page")}, ${pluralize(files.length, "file")}, ${
        formatSize(bytes)
      }; open index.html`,
      `Pages and verdicts of ${site.orders.written} of ${pluralize(site.orders.total, "order")}`,
      "On its pages",
      ...gaps.map((line) => `  ${line}`),
      ...problems.map(({ file, problem }) => `  Problem: ${file}: ${problem}`),
    );
    for (const warning of warnings) session.say(warning);
  }
  return site.isComplete ? EXIT.done : EXIT.gaps;
}

function formatValidation(results: readonly ToolResult[] | null): string[] {
  if (results === null) return ["Not validated: --no-validate"];
  return results.map(({ tool, version, checked }) =>
    `Valid by ${tool} ${version}: ${pluralize(checked, "table")}`
  );
}

/** Reads the creators of a file; `undefined` without one. */
async function readCreators(args: Args): Promise<PublicationCreator[] | undefined> {
  const file = args.text("--creators");
  if (file === undefined) return undefined;
  const example = '[{"name": "Carberry, Josiah", "orcid": "0000-0002-1825-0097"}]';
  try {
    return JSON.parse(await localFiles().readFile(file, "utf8"));
  } catch (error) {
    const problem = isMissing(error)
      ? "it does not exist"
      : error instanceof SyntaxError
      ? "it is not JSON"
      : `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
    throw args.error(`with --creators ${file}: ${problem}`, `Pass a file such as ${example}`);
  }
}

/** Draws how often each solver won; `undefined` for a dataset without solutions. */
async function drawPicture(folder: string): Promise<PublicationPicture | undefined> {
  const { openDataset } = await import("../../datasets/mod.ts");
  const dataset = await openDataset(folder);
  const hasSolutions = dataset.manifest.files.some(({ path, rows }) =>
    path.startsWith("solutions/") && rows > 0
  );
  if (!hasSolutions) return undefined;
  const { openMarket } = await import("../../market/mod.ts");
  const { solverLeaderboard } = await import("../../charts/mod.ts");
  const market = await openMarket(dataset);
  const chart = solverLeaderboard(await market.leaderboard(), market.caption);
  return { png: await chart.png(), title: chart.title, caption: chart.finding };
}
