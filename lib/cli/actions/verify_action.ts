import { type DatasetVerification, type Refetched, verifyDataset } from "../../datasets/mod.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { openBook } from "../deployment/open_book.ts";
import { readRpcUrl } from "../deployment/read_secret.ts";
import { RPC_VARIABLE } from "../deployment/target_options.ts";
import { requireTarget, targetOf } from "../deployment/target.ts";
import { EXIT, type ExitCode } from "../terminal/exit_code.ts";
import { aligned, counted } from "../terminal/in_words.ts";
import type { Session } from "../terminal/session.ts";
import type { Given } from "../words/given.ts";
import { usageError } from "../words/usage_error.ts";
import { localFolder } from "./local_folder.ts";
import { chainLines, isProved } from "./chain_lines.ts";
import { agreesThroughout, partText, recomputedLines } from "./recomputed_lines.ts";

/** Verifies a dataset, and tells what is wrong. */
export async function verifyAction(session: Session, given: Given): Promise<ExitCode> {
  const refetch = given.whole("--refetch", 1);
  const book = await bookOf(session, given, refetch);
  const chain = await nodeOf(session, given);
  const sample = given.whole("--sample", 1);
  const { signal } = session;
  const recompute = given.has("--recompute");
  const folder = localFolder(given.word(0));
  const found = await verifyDataset(folder, { book, refetch, recompute, chain, sample, signal });
  if (session.isJson) session.printJson("verification", found);
  else session.print(...linesOf(found));
  const agrees = found.isWhole && agreesThroughout(found.recomputed) && isProved(found.chain);
  if (!found.isWhole) {
    session.say("To mend it: run the same export again, or orderlens rebuild");
  }
  return agrees ? EXIT.done : EXIT.differs;
}

async function bookOf(
  session: Session,
  given: Given,
  refetch: number | undefined,
): Promise<OrderBook | undefined> {
  if (refetch !== undefined) return await openBook(session, given, requireTarget(given));
  if (targetOf(given) === null) return undefined;
  throw usageError(
    `${given.cannot}: a deployment is asked only with --refetch`,
    "Pass --refetch 20 too, or leave the deployment out",
  );
}

/** The node to prove the dataset with, if it is to be proved. */
async function nodeOf(session: Session, given: Given): Promise<string | undefined> {
  if (given.has("--check-chain")) {
    const url = await readRpcUrl(session, given, { isLive: true });
    if (url !== undefined) return url;
    throw usageError(
      `${given.cannot} with --check-chain and without a node`,
      `Pass --rpc-url or --rpc-url-file, or set ${RPC_VARIABLE}`,
    );
  }
  const option = ["--sample", "--rpc-url", "--rpc-url-file"].find((one) => given.has(one));
  if (option === undefined) return undefined;
  throw usageError(
    `${given.cannot} with ${option} and without --check-chain`,
    "Pass --check-chain too, which asks the node",
  );
}

function linesOf(found: DatasetVerification): string[] {
  const { problems, files, rows, refetched, recomputed, chain, isWhole } = found;
  return [
    ...problems.map(({ file, problem }) => `${file}: ${problem}`),
    ...refetched === null ? [] : refetchedLines(refetched),
    ...recomputed === null ? [] : recomputedLines(recomputed),
    ...chain === null ? [] : chainLines(chain),
    `${counted(files, "file")}, ${counted(rows, "row")}: ` +
    (isWhole ? "whole" : counted(problems.length, "problem")),
  ];
}

function refetchedLines(refetched: Refetched): string[] {
  const { auctions, differing, orders, differingOrders, changed } = refetched;
  const [same, sameOrders] = [auctions - differing.length, orders - differingOrders.length];
  return [
    "Asked again",
    ...aligned([
      ["auctions", partText({ agreeing: same, differing })],
      ["orders", partText({ agreeing: sameOrders, differing: differingOrders })],
    ]),
    ...changed.map((change) => `  changed since, as it may: ${change}`),
  ];
}
