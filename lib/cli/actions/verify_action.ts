import type { OrderBook } from "../../client/order_book.ts";
import {
  type ChainProof,
  type DatasetVerification,
  type RecomputeResult,
  type RefetchResult,
  verifyDataset,
} from "../../datasets/mod.ts";
import { parseSigner } from "../../datasets/layout/signature.ts";
import { isMissing, localFiles } from "../../http/local_files.ts";
import { type Args, RPC_VARIABLE } from "../arguments/command_line.ts";
import { openBook, readRpcUrl, readTarget, requireTarget } from "../deployment.ts";
import { align, EXIT, type ExitCode, formatCount, pluralize } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";

/** Verifies a dataset, and prints its problems. */
export async function run(session: Session, args: Args): Promise<ExitCode> {
  const refetch = args.whole("--refetch", 1);
  const book = await openRefetchBook(session, args, refetch);
  const chain = await readNode(session, args);
  const sample = args.whole("--sample", 1);
  const seed = args.whole("--seed");
  if (seed !== undefined && refetch === undefined && sample === undefined) {
    throw args.error(
      "with --seed but without --refetch or --sample",
      "Pass --refetch 20 or --sample 20 too, or leave --seed out",
    );
  }
  const { signal } = session;
  const recompute = args.has("--recompute");
  const signer = await readSigner(args);
  const options = { book, refetch, seed, recompute, chain, sample, signer, signal };
  const result = await verifyDataset(args.word(0), options);
  if (session.isJson) session.printJson("verification", result);
  else session.print([...formatResult(result), ...formatSigner(result, signer)]);
  const agrees = result.isWhole && hasNoDifferences(result.recomputed) &&
    isProved(result.chain);
  if (!result.isWhole) {
    session.say("To repair it, run the same export again, or run orderlens rebuild");
  }
  return agrees ? EXIT.done : EXIT.differs;
}

/** Reads the public key of `--signer`, or the file that has it. */
async function readSigner(args: Args): Promise<string | undefined> {
  const text = args.text("--signer");
  if (text === undefined || parseSigner(text) !== null) return text;
  const content = await localFiles().readFile(text, "utf8").catch((error) => {
    if (isMissing(error)) return "";
    throw error;
  });
  if (parseSigner(content) !== null) return content;
  throw args.error(
    `with --signer ${text}: it is neither a public key of Ed25519 nor a file of one`,
    "Pass a file such as ~/.ssh/id_ed25519.pub, or of minisign, or the key itself",
  );
}

function formatSigner({ problems }: DatasetVerification, signer: string | undefined): string[] {
  const key = signer === undefined ? null : parseSigner(signer);
  if (key === null || problems.some(({ file }) => file === key.file)) return [];
  return [`manifest.json: signed by the signer, in ${key.file}`];
}

async function openRefetchBook(
  session: Session,
  args: Args,
  refetch: number | undefined,
): Promise<OrderBook | undefined> {
  if (refetch !== undefined) return await openBook(session, args, requireTarget(args));
  if (readTarget(args) === null) return undefined;
  throw args.error(
    "with a deployment but without --refetch",
    "Pass --refetch 20 too, or leave the deployment out",
  );
}

/** Reads the URL of the node for `--check-chain`; `undefined` without that option. */
async function readNode(session: Session, args: Args): Promise<string | undefined> {
  if (args.has("--check-chain")) {
    const url = await readRpcUrl(session, args, { isLive: true });
    if (url !== undefined) return url;
    throw args.error(
      "with --check-chain but without a node",
      `Pass --rpc-url or --rpc-url-file, or set ${RPC_VARIABLE}`,
    );
  }
  const option = ["--sample", "--rpc-url", "--rpc-url-file"].find((name) => args.has(name));
  if (option === undefined) return undefined;
  throw args.error(
    `with ${option} but without --check-chain`,
    "Pass --check-chain too, which queries the node",
  );
}

function formatResult(result: DatasetVerification): string[] {
  const { problems, files, rows, refetched, seed, recomputed, chain, isWhole } = result;
  return [
    ...problems.map(({ file, problem }) => `${file}: ${problem}`),
    ...refetched === null ? [] : formatRefetch(refetched),
    ...recomputed === null ? [] : formatRecomputed(recomputed),
    ...chain === null ? [] : formatChainProof(chain),
    ...seed === null ? [] : [`Sampled with --seed ${seed}`],
    `${pluralize(files, "file")}, ${pluralize(rows, "row")}: ` +
    (isWhole ? "whole" : pluralize(problems.length, "problem")),
  ];
}

function formatRefetch(refetched: RefetchResult): string[] {
  const parts = [
    ["auctions", refetched.auctions, refetched.differing],
    ["orders", refetched.orders, refetched.differingOrders],
    ["instances", refetched.instances, refetched.differingInstances],
    ["absent ids", refetched.absent, refetched.differingAbsent],
  ] as const;
  // Every dataset has auctions and orders.
  const asked = parts.filter(([, count], index) => index < 2 || count > 0);
  return [
    "Refetched",
    ...align(asked.map(([name, count, differing]) => [
      name,
      formatPart({ agreeing: count - differing.length, differing }),
    ])),
    ...refetched.changed.map((change) => `  changed since, as allowed: ${change}`),
  ];
}

const MAX_DIFFERENCES = 3;

/**
 * Whether a node has all settlements, and nothing differs from the chain. A settlement after its
 * deadline is no difference: the dataset has both blocks as they are.
 */
function isProved(proof: ChainProof | null): boolean {
  return proof === null ||
    proof.changed.length === 0 && proof.differences.every(({ kind }) => kind === "late");
}

/** Formats the comparison with a node: changed responses, and differences from the chain. */
function formatChainProof(proof: ChainProof): string[] {
  const { settlements, agreeing, changed: changes, notAudited, trades, rows, differences } = proof;
  const { blocks, tokens } = proof.facts;
  const reasons = Object.entries(notAudited);
  return [
    "On the chain",
    ...align([
      ["settlements", `${formatCount(settlements)} requested, ${formatCount(proof.kept)} stored`],
      [
        "responses",
        `${formatCount(agreeing)} equal to the stored ones, ${formatCount(changes.length)} not`,
      ],
      [
        "compared",
        `${pluralize(trades, "trade")}, ${pluralize(rows, "row")} of tables, ` +
        `${pluralize(blocks, "block header")}, decimals of ${pluralize(tokens, "token")}`,
      ],
      ...reasons.map(([name, count]) => ["not audited", `${formatCount(count)}: ${name}`] as const),
    ]),
    ...changes.map(({ txHash, what: subject, detail }) => `  ${subject}: ${txHash}: ${detail}`),
    ...differences.flatMap(({ kind, count, first }) => [
      `  ${kind}: ${pluralize(count, "difference")}`,
      ...first.slice(0, MAX_DIFFERENCES).flatMap((row) => [
        `    ${row.txHash}${row.orderUid === null ? "" : `, order ${row.orderUid}`}`,
        `      chain ${row.onChain}, reported ${row.reported}`,
      ]),
    ]),
    ...differences.length === 0 && changes.length === 0 ? ["  nothing differs from the chain"] : [],
  ];
}

/** Agreement of one kind of values with the recomputed ones. */
interface Part {
  readonly agreeing: number;
  readonly differing: readonly (string | number)[];
  readonly notComputable?: Readonly<Record<string, number>>;
}

const MAX_RECOMPUTED = 10;

/** Formats the recomputed parts: auctions as a whole, and each kind of values. */
function formatRecomputed(recomputed: RecomputeResult): string[] {
  return [
    "Recomputed",
    ...align(listParts(recomputed).map(([name, part]) => [toWords(name), formatPart(part)])),
  ];
}

/** Whether everything that could be recomputed agrees. */
function hasNoDifferences(recomputed: RecomputeResult | null): boolean {
  return recomputed === null ||
    listParts(recomputed).every(([, part]) => part.differing.length === 0);
}

function listParts(recomputed: RecomputeResult): (readonly [name: string, part: Part])[] {
  const kinds = Object.entries(recomputed)
    .flatMap(([name, value]) => isPart(value) ? [[name, value] as const] : []);
  return [["auctions", recomputed], ...kinds];
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && "agreeing" in value && "differing" in value;
}

/** Formats `12 agree, none differs`, with differing values and the number not computable. */
function formatPart({ agreeing, differing, notComputable = {} }: Part): string {
  const skipped = Object.entries(notComputable)
    .map(([reason, count]) => `${formatCount(count)} ${toWords(reason)}`);
  const cannot = skipped.length === 0 ? "" : `; not computable: ${skipped.join(", ")}`;
  const agree = `${formatCount(agreeing)} ${agreeing === 1 ? "agrees" : "agree"}`;
  if (differing.length === 0) return `${agree}, none differs${cannot}`;
  const more = differing.length > MAX_RECOMPUTED ? ", …" : "";
  const values = differing.slice(0, MAX_RECOMPUTED).join(", ") + more;
  const differ = `${formatCount(differing.length)} ${
    differing.length === 1 ? "differs" : "differ"
  }`;
  return `${agree}, ${differ}: ${values}${cannot}`;
}

/** Converts `referenceScores` or `terms_unknown` to words. */
function toWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("_", " ");
}
