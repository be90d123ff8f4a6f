import type { ExplorerSource } from "../../explorer/mod.ts";
import { statPath } from "../../http/local_files.ts";
import type { PageContent } from "../../reports/page/page_content.ts";
import { adaptPage } from "../arguments/adapt_page.ts";
import type { Args } from "../arguments/command_line.ts";
import {
  isLive,
  openBook,
  readRpcUrl,
  readTarget,
  SANDBOX_AUCTIONS,
  type Target,
  TIMEOUTS,
} from "../deployment.ts";
import { EXIT, type ExitCode } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";
import type { SandboxDescription } from "../../sandbox/mod.ts";

const DEFAULT_RECORDING = "market_1";

/** Serves an explorer until the session ends. */
export async function serve(session: Session, args: Args): Promise<ExitCode> {
  const port = args.whole("--port");
  const hostname = args.text("--host");
  const hosts = args.text("--allow-hosts")?.split(",").map((name) => name.trim()) ?? [];
  const target = readTarget(args);
  if (target !== null && args.words.length > 0) {
    throw args.error("with a folder and a deployment", "Pass only one of them");
  }
  const isOnline = target !== null && isLive(target);
  const node = await readRpcUrl(session, args, { isLive: isOnline });
  const { serveExplorer } = await import("../../explorer/mod.ts");
  await using sandbox = target?.kind === "sandbox" ? await startSandbox(target.seed) : null;
  const source = sandbox !== null
    ? sandbox.source
    : target === null
    ? await openFolder(args.words[0] ?? DEFAULT_RECORDING)
    : await openBook(session, args, target, TIMEOUTS);
  const { signal } = session;
  if (signal.aborted) return EXIT.interrupted;
  const pageTarget: Target = target ??
    { kind: "recording", recording: args.words[0] ?? DEFAULT_RECORDING };
  const adapt = (page: PageContent) => adaptPage(page, { target: pageTarget });
  const options = { hosts, port, hostname, node, adaptPage: adapt };
  await using server = await serveExplorer(source, options);
  const { url } = server;
  if (session.isJson) session.printJson("serve", { url, port: server.port });
  else session.print(`Explorer at ${url}`, "Stop it with Ctrl+C");
  await session.ended();
  return EXIT.done;
}

async function openFolder(folder: string): Promise<ExplorerSource> {
  if (await statPath(`${folder}/manifest.json`) === null) {
    const { replay } = await import("../../recordings/mod.ts");
    return await replay(folder);
  }
  const { openDataset } = await import("../../datasets/mod.ts");
  return await openDataset(folder);
}

/** Opens a sandbox and makes it listen, because only then it holds auctions in real time. */
async function startSandbox(
  seed: number,
): Promise<AsyncDisposable & { readonly source: ExplorerSource }> {
  const { openSandbox } = await import("../../sandbox/mod.ts");
  const source = await openSandbox({ seed, auctions: SANDBOX_AUCTIONS, clock: "wall" });
  const listening = source.listen({ port: 0 });
  return { source, [Symbol.asyncDispose]: () => listening.close() };
}

/** Serves a sandbox until it is stopped, and prints how to use it. */
export async function serveSandbox(session: Session, args: Args): Promise<ExitCode> {
  const port = args.whole("--port") ?? 8080;
  const seed = args.whole("--seed") ?? 7;
  const auctions = args.whole("--auctions") ?? SANDBOX_AUCTIONS;
  const isVirtual = args.has("--virtual");
  const { openSandbox } = await import("../../sandbox/mod.ts");
  const sandbox = await openSandbox({ seed, auctions, clock: isVirtual ? "virtual" : "wall" });
  await using server = sandbox.listen({ port });
  if (session.isJson) session.printJson("sandbox", { url: server.url, ...sandbox.description });
  else session.print(formatSandbox(server.url, sandbox.description, isVirtual));
  await session.ended();
  return EXIT.done;
}

/** Formats the contents of a served sandbox, and how to use it. If `isVirtual`, it holds no auctions. */
function formatSandbox(url: string, sandbox: SandboxDescription, isVirtual: boolean): string[] {
  const { chainId, settlementContract, accounts, tokens, orderUids } = sandbox;
  const time = Temporal.Instant.fromEpochMilliseconds(sandbox.now * 1_000);
  const formatToken = (token: SandboxDescription["tokens"][number]) =>
    `  ${token.symbol.padEnd(5)} ${token.address}  ${token.decimals} decimals`;
  return [
    `Sandbox with seed ${sandbox.seed} at ${url}`,
    `  chain ${chainId}, settlement contract ${settlementContract}`,
    `  auction ${sandbox.auctionId}, block ${sandbox.block}`,
    `  its node, for times, symbols and notebooks 02 and 10: export ORDERLENS_RPC_URL=${url}/rpc`,
    ...isVirtual ? [`  its time stands still: run notebook 05 with --set now=${time}`] : [],
    "",
    "Accounts (mnemonic: test test test test test test test test test test test junk)",
    ...accounts.map((account) => `  ${account}`),
    "",
    "Tokens",
    ...tokens.map(formatToken),
    ...sandbox.unsupportedTokens.map((token) => `${formatToken(token)}, not supported`),
    "",
    "Orders",
    ...orderUids.slice(0, 3).map((uid) => `  ${uid}`),
    "",
    "Try",
    ...formatCommands(url, sandbox).map((line) => `  ${line}`),
    "",
    "Stop it with Ctrl+C",
  ];
}

function formatCommands(
  url: string,
  { accounts, tokens, orderUids, chainId, settlementContract }: SandboxDescription,
): string[] {
  const request = {
    from: accounts[0],
    sellToken: tokens[0]?.address,
    buyToken: tokens[1]?.address,
    kind: "sell",
    sellAmountBeforeFee: String(10n ** 18n),
  };
  const sample = orderUids[0];
  return [
    ...sample === undefined ? [] : [
      `orderlens inspect ${sample} --url ${url} --chain-id ${chainId} --settlement ${settlementContract}`,
    ],
    `curl ${url}/sandbox`,
    `curl ${url}/api/v2/solver_competition/latest`,
    `curl "${url}/api/v2/trades?owner=${accounts[1]}"`,
    ...(sample === undefined ? [] : [`curl ${url}/restricted/api/v1/debug/order/${sample}`]),
    `curl -H content-type:application/json -d '${JSON.stringify(request)}' ${url}/api/v1/quote`,
  ];
}
