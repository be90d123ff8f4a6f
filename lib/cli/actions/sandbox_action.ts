import { openSandbox, type SandboxDescription } from "../../sandbox/mod.ts";
import type { Args } from "../arguments/command_line.ts";
import { SANDBOX_AUCTIONS } from "../deployment.ts";
import { EXIT, type ExitCode } from "../terminal/io.ts";
import type { Session } from "../terminal/session.ts";

/** Serves a sandbox until it is stopped, and tells how to use it. */
export async function run(session: Session, args: Args): Promise<ExitCode> {
  const port = args.whole("--port") ?? 8080;
  const seed = args.whole("--seed") ?? 7;
  const auctions = args.whole("--auctions") ?? SANDBOX_AUCTIONS;
  const isStill = args.has("--virtual");
  const sandbox = await openSandbox({ seed, auctions, clock: isStill ? "virtual" : "wall" });
  await using server = sandbox.listen({ port });
  if (session.isJson) session.printJson("sandbox", { url: server.url, ...sandbox.description });
  else session.print(...sandboxLines(server.url, sandbox.description, isStill));
  await session.ended();
  return EXIT.done;
}

/** Describes a sandbox that is served, and how to use it; `isStill` if it holds no more auctions. */
function sandboxLines(
  url: string,
  sandbox: SandboxDescription,
  isStill: boolean,
): string[] {
  const { chainId, settlementContract, accounts, tokens, orderUids } = sandbox;
  const at = Temporal.Instant.fromEpochMilliseconds(sandbox.now * 1_000);
  const listed = (token: SandboxDescription["tokens"][number]) =>
    `  ${token.symbol.padEnd(5)} ${token.address}  ${token.decimals} decimals`;
  return [
    `Sandbox with seed ${sandbox.seed} at ${url}`,
    `  chain ${chainId}, settlement contract ${settlementContract}`,
    `  auction ${sandbox.auctionId}, block ${sandbox.block}`,
    `  its node, for times, symbols and notebooks 02 and 10: export ORDERLENS_RPC_URL=${url}/rpc`,
    ...isStill ? [`  its time stands still: run notebook 05 with --set now=${at}`] : [],
    "",
    "Accounts (mnemonic: test test test test test test test test test test test junk)",
    ...accounts.map((account) => `  ${account}`),
    "",
    "Tokens",
    ...tokens.map(listed),
    ...sandbox.unsupportedTokens.map((token) => `${listed(token)}, not supported`),
    "",
    "Orders",
    ...orderUids.slice(0, 3).map((uid) => `  ${uid}`),
    "",
    "Try",
    ...curlLines(url, sandbox).map((line) => `  ${line}`),
    "",
    "Stop it with Ctrl+C",
  ];
}

function curlLines(url: string, { accounts, tokens, orderUids }: SandboxDescription): string[] {
  const request = {
    from: accounts[0],
    sellToken: tokens[0]?.address,
    buyToken: tokens[1]?.address,
    kind: "sell",
    sellAmountBeforeFee: String(10n ** 18n),
  };
  const sample = orderUids[0];
  return [
    `curl ${url}/sandbox`,
    `curl ${url}/api/v2/solver_competition/latest`,
    `curl "${url}/api/v2/trades?owner=${accounts[1]}"`,
    ...(sample === undefined ? [] : [`curl ${url}/restricted/api/v1/debug/order/${sample}`]),
    `curl -H content-type:application/json -d '${JSON.stringify(request)}' ${url}/api/v1/quote`,
  ];
}
