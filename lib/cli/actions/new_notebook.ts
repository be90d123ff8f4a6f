import { type DatasetManifest, openDataset, shippedDatasets } from "../../datasets/mod.ts";
import { InputError } from "../../errors/mod.ts";
import { isTaken, localFiles } from "../../http/local_files.ts";
import { replay, shippedRecordings } from "../../recordings/mod.ts";
import type { Session } from "../terminal/session.ts";
import { DENO_KERNEL, notebookFile, PYTHON_PACKAGES, pythonNotebook } from "./notebook_text.ts";

/**
 * Writes a notebook that reads a dataset or a recording, and shows what is in it.
 *
 * @param file Where to: with Python, one that ends in `.py` is for marimo.
 * @param folder Folder of the dataset, or a name, which means the same as to `openMarket`: that of a
 *   recording wins over that of a dataset, which `dataset://` names. Python reads datasets alone.
 * @throws {InputError} If it is neither, or the file exists or cannot be written.
 */
export async function newNotebook(
  session: Session,
  file: string,
  { folder, isPython }: { readonly folder: string; readonly isPython: boolean },
): Promise<void> {
  const isHere = await localFiles().stat(folder).then(() => true, () => false);
  const name = isHere ? null : folder.replace(/^dataset:\/\//, "");
  const isRecording = name === folder && !isPython && (await shippedRecordings()).includes(name);
  const ships = !isRecording && name !== null && shippedDatasets().includes(name);
  let text: string;
  if (isRecording) {
    text = notebookFile(cellsOf(await recordedOf(name), name), DENO_KERNEL);
  } else {
    const dataset = await openDataset(ships ? name : localFolder(folder));
    const contents = contentsOf(dataset.manifest);
    const source = async () => ships ? `dataset://${name}` : await pathFrom(file, folder);
    const isMarimo = file.endsWith(".py");
    text = isPython
      ? pythonNotebook(contents, await pathFrom(file, dataset.folder), { isMarimo })
      : notebookFile(cellsOf(contents, await source()), DENO_KERNEL);
  }
  try {
    await localFiles().writeFile(file, text, { flag: "wx" });
  } catch (cause) {
    const isThere = isTaken(cause);
    throw new InputError(`Cannot write ${file}${isThere ? ": it is there already" : ""}`, {
      ...isThere ? {} : { facts: { reason: cause instanceof Error ? cause.message : `${cause}` } },
      remedy: "Pass another name, in a folder that can be written",
      cause,
    });
  }
  if (session.isJson) session.printJson("notebook", { file, folder });
  else session.print(file);
  session.say(
    ...isPython ? [`Install what it reads with: pip install ${PYTHON_PACKAGES.join(" ")}`] : [
      "Open it with orderlens lab, or in an editor with Deno's kernel;",
      "its folder, or one above it, needs the deno.json of a project with orderlens",
    ],
  );
}

/** Path of a folder as a file names it: relative, with forward slashes. */
async function pathFrom(file: string, folder: string): Promise<string> {
  const parent = file.replaceAll("\\", "/").split("/").slice(0, -1).join("/") || ".";
  const from = await partsOf(parent);
  const to = await partsOf(folder);
  let same = 0;
  while (same < from.length && same < to.length && from[same] === to[same]) same++;
  const path = [...from.slice(same).map(() => ".."), ...to.slice(same)].join("/");
  return path.startsWith("..") ? path : `./${path}`;
}

async function partsOf(path: string): Promise<string[]> {
  try {
    return (await localFiles().realpath(path)).replaceAll("\\", "/").split("/");
  } catch (cause) {
    throw new InputError(`Cannot write a notebook in ${path}: there is no such folder`, {
      remedy: "Create it first",
      cause,
    });
  }
}

/** What a recording has, in a sentence. */
async function recordedOf(name: string): Promise<string> {
  const { recorded, deployment } = await replay(name);
  const ids = recorded.auctionIds;
  const range = ids.length === 0 ? "orders" : `auctions ${ids[0]} to ${ids.at(-1)}`;
  return `It has ${range} of a deployment on chain ${deployment?.chainId ?? "unknown"}.`;
}

/** What a dataset has, in a sentence. */
function contentsOf({ source, range }: DatasetManifest): string {
  const where = source.network === null
    ? `a deployment on chain ${source.chainId}`
    : `${source.network}, ${source.environment}`;
  return `It has ${
    range === null ? "orders" : `auctions ${range.from} to ${range.to}`
  } of ${where}.`;
}

/** Pairs of prose and code; the first pair has the parameters. */
function cellsOf(contents: string, folder: string): readonly (readonly [string, string])[] {
  return [
    [
      `# What is in this market?

${contents}

\`source\` may also be a recording (\`"market_1"\`), a public network (\`"xdai"\`), the URL of a
deployment, or another folder; \`options\` then has \`last\`, \`node\` and what else \`openMarket\` takes.`,
      `import type { MarketOptions, MarketSource } from "orderlens/market";

const source: MarketSource = ${JSON.stringify(folder)};
const options: MarketOptions = {};`,
    ],
    [
      "## What was read?",
      `import { explore, solverLeaderboard } from "orderlens/charts";
import { openMarket } from "orderlens/market";
import { show } from "orderlens/notebook";

const market = await openMarket(source, options);
await show(market);`,
    ],
    [
      "## Who won?",
      "await show(solverLeaderboard(await market.leaderboard(), market.caption));",
    ],
    [
      "## How do fills compare with their quotes?",
      "await show(explore(await market.fills(), market.links));",
    ],
    [
      "## What did each fee policy charge?",
      'await show(market.sql("SELECT policy_kind, count(*) AS fees FROM fees GROUP BY policy_kind"));',
    ],
  ];
}

/** A folder that a command line names, and never the dataset of the same name that ships. */
export function localFolder(word: string): string {
  return shippedDatasets().includes(word) ? `./${word}` : word;
}
