import type { SandboxDescription } from "../../sandbox/mod.ts";

/** Describes a sandbox that is served, and how to use it; `isStill` if it holds no more auctions. */
export function sandboxLines(
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
