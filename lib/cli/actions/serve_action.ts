import type { ExplorerSource } from "../../explorer/mod.ts";
import { type Args, usageError } from "../arguments/command_line.ts";
import {
  isLive,
  isMissingPath,
  openBook,
  PROMPT,
  readRpcUrl,
  SANDBOX_AUCTIONS,
  type Target,
  targetOf,
} from "../deployment.ts";
import { EXIT, type ExitCode } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";

/** What is shown if nothing is named. */
const DEFAULT = "market_1";

/** What is served, and what has to end with it. */
interface Served extends AsyncDisposable {
  readonly source: ExplorerSource;
}

/** Serves an explorer until the session ends. */
export async function serveAction(session: Session, args: Args): Promise<ExitCode> {
  const port = args.whole("--port");
  const hostname = args.text("--host");
  const hosts = args.text("--allow-hosts")?.split(",").map((name) => name.trim()) ?? [];
  const target = targetFor(args);
  const isAsked = target !== null && isLive(target);
  const node = await readRpcUrl(session, args, { isLive: isAsked });
  const { serveExplorer } = await import("../../explorer/mod.ts");
  await using served = await open(session, args, target);
  const { signal } = session;
  if (signal.aborted) return EXIT.interrupted;
  await using server = serveExplorer(served.source, {
    hosts,
    ...port !== undefined && { port },
    ...hostname !== undefined && { hostname },
    ...node !== undefined && { node },
  });
  const { url } = server;
  if (session.isJson) session.printJson("serve", { url, port: server.port });
  else session.print(`Explorer at ${url}`, "Stop it with Ctrl+C");
  if (!signal.aborted) {
    await new Promise((stop) => signal.addEventListener("abort", stop, { once: true }));
  }
  return EXIT.done;
}

function targetFor(args: Args): Target | null {
  const target = targetOf(args);
  if (target === null || args.words.length === 0) return target;
  throw usageError(
    `${args.cannot} of a folder and a deployment`,
    "Pass one of them",
  );
}

async function open(session: Session, args: Args, target: Target | null): Promise<Served> {
  if (target?.kind === "sandbox") return await sandboxOf(target.seed);
  const source = target === null
    ? await folderOf(args.words[0] ?? DEFAULT)
    : await openBook(session, args, target, PROMPT);
  return { source, [Symbol.asyncDispose]: () => Promise.resolve() };
}

async function folderOf(folder: string): Promise<ExplorerSource> {
  if (await isMissingPath(`${folder}/manifest.json`)) {
    const { replay } = await import("../../recordings/mod.ts");
    return await replay(folder);
  }
  const { openDataset } = await import("../../datasets/mod.ts");
  return await openDataset(folder);
}

/** A sandbox holds auctions in real time while it listens itself. */
async function sandboxOf(seed: number): Promise<Served> {
  const { openSandbox } = await import("../../sandbox/mod.ts");
  const source = await openSandbox({ seed, auctions: SANDBOX_AUCTIONS, clock: "wall" });
  const server = source.listen({ port: 0 });
  return { source, [Symbol.asyncDispose]: () => server.close() };
}
