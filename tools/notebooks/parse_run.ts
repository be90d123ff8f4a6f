import { isNetworkName, NETWORKS } from "orderlens/networks";
import { shippedDatasets } from "orderlens/datasets";
import { shippedRecordings } from "orderlens/recordings";
import { basename, join, resolve } from "node:path";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { NOTEBOOK_RUN } from "../../lib/cli/commands/analysis.ts";
import { RPC_VARIABLE } from "../../lib/cli/arguments/command_line.ts";
import { formatTexts } from "../../lib/cli/arguments/help_text.ts";
import { wrapText } from "../../lib/reports/page/text_page.ts";
import { TaskError } from "../terminal/task_error.ts";
import { Code, type Parameters } from "./inject_parameters.ts";

/** Parsed command line of `deno task notebooks`. */
export interface Run {
  /** Prefixes of file names of notebooks; none means all. */
  readonly names: readonly string[];
  /** Whether only the usage is printed. */
  readonly isHelp: boolean;
  /** Whether the committed notebooks are updated. */
  readonly isUpdate: boolean;
  /** Parameters that replace those of the notebooks; `null` if none are given. */
  readonly parameters: Parameters | null;
  /** Whether a deployment is queried over HTTP. */
  readonly isLive: boolean;
  /** Folder of the executed copies, relative to the project or absolute. */
  readonly out: string;
  /** Folder of their pages, relative to the project or absolute. */
  readonly gallery: string;
  /** File or folder of pages in place of the gallery; `null` if there is none. */
  readonly html: string | null;
  /** Whether existing pages are replaced. */
  readonly isOverwriting: boolean;
}

/** Width of the usage, in characters. */
const WIDTH = 100;

/** Describes the arguments of the task: what the command line has of it. */
export const USAGE: string = [
  "Usage: deno task notebooks [names…] [options]",
  "",
  wrapText(`${NOTEBOOK_RUN.summary}. ${NOTEBOOK_RUN.description ?? ""}`, WIDTH),
  "",
  ...formatTexts(NOTEBOOK_RUN.options ?? {}, WIDTH),
].join("\n");

const OPTIONS = {
  update: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  network: { type: "string" },
  env: { type: "string" },
  url: { type: "string" },
  "chain-id": { type: "string" },
  settlement: { type: "string" },
  recording: { type: "string" },
  dataset: { type: "string" },
  last: { type: "string" },
  set: { type: "string", multiple: true },
  out: { type: "string" },
  html: { type: "string" },
  overwrite: { type: "boolean" },
} as const satisfies ParseArgsConfig["options"];

/** The service is public and shared. */
const LIVE_LAST = 20;
/** Folder of cached final responses of a public network, relative to that of the notebooks. */
const CACHE_FOLDER = "../build/cache";
/** Parameters that have an option of their own. */
const OPTION_BY_PARAMETER: Readonly<Record<string, string>> = {
  source: "--network, --url, --recording or --dataset",
  options: "--set with the name of one",
  environment: "--env",
  chainId: "--chain-id",
  settlementContract: "--settlement",
  last: "--last",
  node: RPC_VARIABLE,
  apiKey: "another way to keep a key",
};
const HELP = "deno task notebooks --help lists the options";

type Values = ReturnType<typeof readValues>["values"];

/**
 * Reads the arguments of the task.
 *
 * @param variables The environment.
 * @throws {TaskError} If an option is unknown, or has no or an invalid value.
 */
export async function parseRun(
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>> = {},
): Promise<Run> {
  const { values, positionals: names } = readValues(args);
  const isUpdate = values.update === true;
  const isHelp = values.help === true;
  requireOption("--overwrite", values.overwrite, "--html", values.html);
  const deployment = await resolveDeployment(values);
  const isLive = values.network !== undefined || values.url !== undefined;
  const last = values.last === undefined
    ? (isLive ? { last: LIVE_LAST } : {})
    : { last: parseWholeNumber("--last", values.last) };
  const node = isLive && (variables[RPC_VARIABLE] ?? "") !== ""
    ? { node: new Code(`Deno.env.get("${RPC_VARIABLE}")`) }
    : {};
  const parameters = {
    ...deployment.parameters,
    ...last,
    ...node,
    ...parseAssignments(values.set ?? []),
  };
  const isOwn = Object.keys(parameters).length === 0;
  if (isUpdate && (!isOwn || values.out !== undefined)) {
    throw new TaskError(
      "--update writes the committed notebooks, which keep their own parameters",
      {
        fix: "leave it out, and the executed copies are written to build/",
      },
    );
  }
  const out = values.out === undefined
    ? join("build", isOwn ? "notebooks" : `notebooks-${deployment.label}`)
    : resolve(values.out);
  return {
    names,
    isHelp,
    isUpdate,
    isLive,
    parameters: isOwn ? null : parameters,
    out,
    gallery: isOwn && values.out === undefined ? join("build", "gallery") : join(out, "gallery"),
    html: values.html ?? null,
    isOverwriting: values.overwrite === true,
  };
}

function readValues(args: readonly string[]) {
  const config = { args: [...args], options: OPTIONS, allowPositionals: true };
  for (const token of parseArgs({ ...config, strict: false, tokens: true }).tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (name === "rpc-url") {
      throw new TaskError("--rpc-url would show the URL, and any key in it, to other programs", {
        fix: `set ${RPC_VARIABLE} in the environment instead`,
      });
    }
    if (!Object.hasOwn(OPTIONS, name)) {
      throw new TaskError(`There is no option ${rawName}`, { fix: HELP });
    }
    const { type } = OPTIONS[name as keyof typeof OPTIONS];
    const isOption = value?.startsWith("-") === true && token.inlineValue === false;
    if (type === "string" && (isOption || (value ?? "") === "")) {
      throw new TaskError(`${rawName} has no value`, { fix: HELP });
    }
    if (type === "boolean" && value !== undefined) {
      throw new TaskError(`${rawName} takes no value`, { fix: HELP });
    }
  }
  return parseArgs({ ...config, strict: true });
}

/** Resolves the parameters of the source, and a word for its folder. */
async function resolveDeployment(
  values: Values,
): Promise<{ label: string; parameters: Parameters }> {
  const { network, env, url, recording, dataset, settlement } = values;
  const several = Object.entries({ network, url, recording, dataset })
    .filter(([, value]) => value !== undefined).map(([name]) => `--${name}`);
  if (several.length > 1) {
    throw new TaskError(`${several.join(" and ")} name different deployments`, { fix: "pass one" });
  }
  requireOption("--env", env, "--network", network);
  requireOption("--chain-id", values["chain-id"], "--url", url);
  requireOption("--settlement", settlement, "--url", url);
  if (network !== undefined) return resolveNetwork(network, env);
  if (url !== undefined) return resolveUrl(url, values["chain-id"], settlement);
  if (recording !== undefined) return await resolveRecording(recording);
  if (dataset !== undefined) return await resolveDataset(dataset);
  return { label: "with-parameters", parameters: {} };
}

function requireOption(name: string, value: unknown, otherName: string, otherValue: unknown): void {
  if (value === undefined || otherValue !== undefined) return;
  throw new TaskError(`${name} has no effect without ${otherName}`, { fix: HELP });
}

function resolveNetwork(
  network: string,
  environment: string | undefined,
): { label: string; parameters: Parameters } {
  if (!isNetworkName(network)) {
    throw new TaskError(`There is no network ${network}`, {
      fix: `there are ${Object.keys(NETWORKS).join(", ")}`,
    });
  }
  const parameters = { source: network, cacheFolder: CACHE_FOLDER };
  if (environment === undefined) return { label: network, parameters };
  if (environment !== "production" && environment !== "staging") {
    throw new TaskError(`There is no environment ${environment}`, {
      fix: "there are production and staging",
    });
  }
  return { label: `${network}-${environment}`, parameters: { ...parameters, environment } };
}

function resolveUrl(
  text: string,
  chain: string | undefined,
  settlementContract: string | undefined,
): { label: string; parameters: Parameters } {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TaskError("--url is no URL of http or https", {
      fix: "pass one with its scheme, such as http://127.0.0.1:8080",
    });
  }
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    throw new TaskError("--url has credentials or a query, which the executed copies would show", {
      fix: "pass the URL that /api/v1/… is appended to, without them",
    });
  }
  if (chain === undefined) {
    throw new TaskError("--url does not identify its chain", { fix: "pass --chain-id" });
  }
  if (settlementContract !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(settlementContract)) {
    throw new TaskError("--settlement is no address", { fix: "pass 0x and 40 hex digits" });
  }
  return {
    label: url.host.replaceAll(/[^\w.]+/g, "-"),
    parameters: {
      source: text,
      chainId: parseWholeNumber("--chain-id", chain),
      ...(settlementContract === undefined ? {} : { settlementContract }),
    },
  };
}

async function resolveRecording(name: string): Promise<{ label: string; parameters: Parameters }> {
  const shipped = await shippedRecordings();
  if (shipped.includes(name)) return { label: name, parameters: { source: name } };
  const recording = resolve(name);
  const stat = await Deno.stat(recording).catch(() => null);
  if (stat === null) {
    throw new TaskError(`There is no recording ${name}`, {
      fix: `pass a file, a folder, or one of ${shipped.join(", ")}`,
    });
  }
  return {
    label: basename(recording).replace(/\.ndjson(\.gz)?$/, ""),
    parameters: { source: recording },
  };
}

async function resolveDataset(name: string): Promise<{ label: string; parameters: Parameters }> {
  const shipped = shippedDatasets();
  if (shipped.includes(name)) {
    return { label: `dataset-${name}`, parameters: { source: `dataset://${name}` } };
  }
  const dataset = resolve(name);
  const stat = await Deno.stat(join(dataset, "manifest.json")).catch(() => null);
  if (stat === null) {
    throw new TaskError(`There is no dataset in ${name}`, {
      fix: `pass the folder of an export, or ${shipped.join(" or ")}`,
    });
  }
  return { label: `dataset-${basename(dataset)}`, parameters: { source: dataset } };
}

function parseWholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new TaskError(`${name} ${text} is no whole number above 0`, { fix: HELP });
}

/** Parses `name=value`; a value that is not JSON is a text. */
function parseAssignments(assignments: readonly string[]): Parameters {
  return Object.fromEntries(assignments.map((text) => {
    const [, name, value] = /^(\w+)=(.+)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw new TaskError(`--set ${text} gives no parameter a value`, {
        fix: "pass --set name=value",
      });
    }
    const option = OPTION_BY_PARAMETER[name];
    if (option !== undefined) {
      throw new TaskError(`--set does not take ${name}`, { fix: `use ${option}` });
    }
    return [name, parseJsonOrText(value)];
  }));
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
