import type { OrderBook } from "../../client/order_book.ts";
import {
  type ChainProof,
  type DatasetVerification,
  type Recomputed,
  type Refetched,
  verifyDataset,
} from "../../datasets/mod.ts";
import { type Args, RPC_VARIABLE } from "../arguments/command_line.ts";
import { openBook, readRpcUrl, requireTarget, targetOf } from "../deployment.ts";
import { aligned, counted, EXIT, type ExitCode, grouped } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";

/** Verifies a dataset, and tells what is wrong. */
export async function run(session: Session, args: Args): Promise<ExitCode> {
  const refetch = args.whole("--refetch", 1);
  const book = await bookOf(session, args, refetch);
  const chain = await nodeOf(session, args);
  const sample = args.whole("--sample", 1);
  const seed = args.whole("--seed");
  if (seed !== undefined && refetch === undefined && sample === undefined) {
    throw args.error(
      "with --seed and without --refetch or --sample",
      "Pass --refetch 20 or --sample 20 too, or leave --seed out",
    );
  }
  const { signal } = session;
  const recompute = args.has("--recompute");
  const options = { book, refetch, seed, recompute, chain, sample, signal };
  const found = await verifyDataset(args.word(0), options);
  if (session.isJson) session.printJson("verification", found);
  else session.print(linesOf(found));
  const agrees = found.isWhole && agreesThroughout(found.recomputed) && isProved(found.chain);
  if (!found.isWhole) {
    session.say("To repair it, run the same export again, or orderlens rebuild");
  }
  return agrees ? EXIT.done : EXIT.differs;
}

async function bookOf(
  session: Session,
  args: Args,
  refetch: number | undefined,
): Promise<OrderBook | undefined> {
  if (refetch !== undefined) return await openBook(session, args, requireTarget(args));
  if (targetOf(args) === null) return undefined;
  throw args.error(
    "with a deployment and without --refetch",
    "Pass --refetch 20 too, or leave the deployment out",
  );
}

/** The node to prove the dataset with, if it is to be proved. */
async function nodeOf(session: Session, args: Args): Promise<string | undefined> {
  if (args.has("--check-chain")) {
    const url = await readRpcUrl(session, args, { isLive: true });
    if (url !== undefined) return url;
    throw args.error(
      "with --check-chain and without a node",
      `Pass --rpc-url or --rpc-url-file, or set ${RPC_VARIABLE}`,
    );
  }
  const option = ["--sample", "--rpc-url", "--rpc-url-file"].find((one) => args.has(one));
  if (option === undefined) return undefined;
  throw args.error(
    `with ${option} and without --check-chain`,
    "Pass --check-chain too, which asks the node",
  );
}

function linesOf(found: DatasetVerification): string[] {
  const { problems, files, rows, refetched, seed, recomputed, chain, isWhole } = found;
  return [
    ...problems.map(({ file, problem }) => `${file}: ${problem}`),
    ...refetched === null ? [] : refetchedLines(refetched),
    ...recomputed === null ? [] : recomputedLines(recomputed),
    ...chain === null ? [] : chainLines(chain),
    ...seed === null ? [] : [`Drawn with --seed ${seed}`],
    `${counted(files, "file")}, ${counted(rows, "row")}: ` +
    (isWhole ? "whole" : counted(problems.length, "problem")),
  ];
}

function refetchedLines(refetched: Refetched): string[] {
  const { auctions, differing, orders, differingOrders, changed } = refetched;
  const { absent, differingAbsent } = refetched;
  const [same, sameOrders] = [auctions - differing.length, orders - differingOrders.length];
  return [
    "Asked again",
    ...aligned([
      ["auctions", partText({ agreeing: same, differing })],
      ["orders", partText({ agreeing: sameOrders, differing: differingOrders })],
      ...absent === 0 ? [] : [
        [
          "absent ids",
          partText({ agreeing: absent - differingAbsent.length, differing: differingAbsent }),
        ] as const,
      ],
    ]),
    ...changed.map((change) => `  changed since, as it may: ${change}`),
  ];
}

const MOST_DIFFERENCES = 3;

/**
 * Whether a node answered for all settlements, and nothing differs from the chain. A settlement after
 * its deadline is what its solver did: the dataset has both blocks as they are.
 */
function isProved(proof: ChainProof | null): boolean {
  return proof === null ||
    proof.changed.length === 0 && proof.differences.every(({ kind }) => kind === "late");
}

/** What a node proves of a dataset, for people: what it answers otherwise, and what differs. */
function chainLines(proof: ChainProof): string[] {
  const { settlements, kept, agreeing, changed, notAudited, trades, rows, differences } = proof;
  const { blocks, tokens } = proof.facts;
  const reasons = Object.entries(notAudited);
  return [
    "On the chain",
    ...aligned([
      ["settlements", `${grouped(settlements)} asked for, ${grouped(kept)} kept`],
      ["answers", `${grouped(agreeing)} equal to the kept ones, ${grouped(changed.length)} not`],
      [
        "compared",
        `${counted(trades, "trade")}, ${counted(rows, "row")} of tables, ` +
        `${counted(blocks, "block header")}, decimals of ${counted(tokens, "token")}`,
      ],
      ...reasons.map(([why, count]) => ["not audited", `${grouped(count)}: ${why}`] as const),
    ]),
    ...changed.map(({ txHash, what, detail }) => `  ${what}: ${txHash}: ${detail}`),
    ...differences.flatMap(({ kind, count, first }) => [
      `  ${kind}: ${counted(count, "difference")}`,
      ...first.slice(0, MOST_DIFFERENCES).flatMap(({ txHash, orderUid, onChain, reported }) => [
        `    ${txHash}${orderUid === null ? "" : `, order ${orderUid}`}`,
        `      chain ${onChain}, reported ${reported}`,
      ]),
    ]),
    ...differences.length === 0 && changed.length === 0 ? ["  nothing differs from the chain"] : [],
  ];
}

/** How much of one kind agrees with what was recomputed of it. */
interface Part {
  readonly agreeing: number;
  readonly differing: readonly (string | number)[];
  readonly notComputable?: Readonly<Record<string, number>>;
}

const MOST_RECOMPUTED = 10;

/** What was recomputed of a dataset, for people: auctions as a whole, and each kind that is counted. */
function recomputedLines(recomputed: Recomputed): string[] {
  return [
    "Recomputed",
    ...aligned(partsOf(recomputed).map(([name, part]) => [wordsOf(name), partText(part)])),
  ];
}

/** Whether everything that could be recomputed agrees. */
function agreesThroughout(recomputed: Recomputed | null): boolean {
  return recomputed === null ||
    partsOf(recomputed).every(([, part]) => part.differing.length === 0);
}

function partsOf(recomputed: Recomputed): (readonly [name: string, part: Part])[] {
  const kinds = Object.entries(recomputed)
    .flatMap(([name, value]) => isPart(value) ? [[name, value] as const] : []);
  return [["auctions", recomputed], ...kinds];
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && "agreeing" in value && "differing" in value;
}

/** `12 agree, none differs`, with what differs and how many cannot be recomputed. */
function partText({ agreeing, differing, notComputable = {} }: Part): string {
  const skipped = Object.entries(notComputable)
    .map(([reason, count]) => `${grouped(count)} ${wordsOf(reason)}`);
  const cannot = skipped.length === 0 ? "" : `; not computable: ${skipped.join(", ")}`;
  const agree = `${grouped(agreeing)} ${agreeing === 1 ? "agrees" : "agree"}`;
  if (differing.length === 0) return `${agree}, none differs${cannot}`;
  const more = differing.length > MOST_RECOMPUTED ? ", …" : "";
  const shown = differing.slice(0, MOST_RECOMPUTED).join(", ") + more;
  const differ = `${grouped(differing.length)} ${differing.length === 1 ? "differs" : "differ"}`;
  return `${agree}, ${differ}: ${shown}${cannot}`;
}

/** `referenceScores` and `terms_unknown` in words. */
function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("_", " ");
}
