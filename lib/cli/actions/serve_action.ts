import type { ExplorerSource } from "../../explorer/mod.ts";
import type { Args } from "../arguments/command_line.ts";
import {
  isLive,
  isMissingPath,
  openBook,
  PROMPT,
  readRpcUrl,
  SANDBOX_AUCTIONS,
  targetOf,
} from "../deployment.ts";
import { EXIT, type ExitCode } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";

/** What is shown if nothing is named. */
const DEFAULT = "market_1";

/** Serves an explorer until the session ends. */
export async function run(session: Session, args: Args): Promise<ExitCode> {
  const port = args.whole("--port");
  const hostname = args.text("--host");
  const hosts = args.text("--allow-hosts")?.split(",").map((name) => name.trim()) ?? [];
  const target = targetOf(args);
  if (target !== null && args.words.length > 0) {
    throw args.error("of a folder and a deployment", "Pass one of them");
  }
  const isAsked = target !== null && isLive(target);
  const node = await readRpcUrl(session, args, { isLive: isAsked });
  const { serveExplorer } = await import("../../explorer/mod.ts");
  await using sandbox = target?.kind === "sandbox" ? await sandboxOf(target.seed) : null;
  const source = sandbox !== null
    ? sandbox.source
    : target === null
    ? await folderOf(args.words[0] ?? DEFAULT)
    : await openBook(session, args, target, PROMPT);
  const { signal } = session;
  if (signal.aborted) return EXIT.interrupted;
  await using server = await serveExplorer(source, { hosts, port, hostname, node });
  const { url } = server;
  if (session.isJson) session.printJson("serve", { url, port: server.port });
  else session.print(`Explorer at ${url}`, "Stop it with Ctrl+C");
  await session.ended();
  return EXIT.done;
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
async function sandboxOf(
  seed: number,
): Promise<AsyncDisposable & { readonly source: ExplorerSource }> {
  const { openSandbox } = await import("../../sandbox/mod.ts");
  const source = await openSandbox({ seed, auctions: SANDBOX_AUCTIONS, clock: "wall" });
  const listening = source.listen({ port: 0 });
  return { source, [Symbol.asyncDispose]: () => listening.close() };
}
