// deno-lint-ignore-file no-console -- a task prints its result
/**
 * Serves a sandbox until it is stopped; `deno task sandbox [--port 8080] [--seed 7]`.
 *
 * @module
 */
import { InputError } from "orderlens";
import { openSandbox, type SandboxDescription } from "orderlens/sandbox";

const USAGE = `Usage: deno task sandbox [options]

Serves a whole order book with a market of its own, and says what is in it.

  --port <number>      where it listens (8080; 0 takes any free port)
  --seed <number>      what all chance in it follows from (7)
  --auctions <number>  auctions to hold before it opens (50)
  --virtual            hold no auctions by the clock on the wall`;

const DEFAULTS = { "--port": 8080, "--seed": 7, "--auctions": 50 };
type Name = keyof typeof DEFAULTS;

interface Settings {
  readonly numbers: Readonly<Record<Name, number>>;
  readonly isVirtual: boolean;
}

/** Parses the command line. @throws {InputError} If an argument is invalid. */
function settingsOf(args: readonly string[]): Settings {
  const numbers: Record<Name, number> = { ...DEFAULTS };
  let isVirtual = false;
  for (let at = 0; at < args.length; at++) {
    const [name = "", inline] = args[at]!.split("=");
    if (name === "--virtual") {
      isVirtual = true;
      continue;
    }
    if (!isName(name)) throw unclear(args[at]!);
    const word = inline ?? args[++at];
    if (word === undefined || !/^\d{1,15}$/.test(word)) throw unclear(`${name} ${word ?? ""}`);
    numbers[name] = Number(word);
  }
  return { numbers, isVirtual };
}

function isName(name: string): name is Name {
  return Object.hasOwn(DEFAULTS, name);
}

function unclear(words: string): InputError {
  return new InputError(`Cannot serve a sandbox with ${words.trimEnd()}`, {
    remedy: `Pass ${Object.keys(DEFAULTS).join(", ")} with a whole number, or --virtual`,
  });
}

/** Describes a sandbox for the user. */
function inWords(url: string, sandbox: SandboxDescription): string {
  const { chainId, settlementContract, accounts, tokens, orderUids } = sandbox;
  const listed = (token: SandboxDescription["tokens"][number]) =>
    `  ${token.symbol.padEnd(5)} ${token.address}  ${token.decimals} decimals`;
  return [
    `Sandbox with seed ${sandbox.seed} at ${url}`,
    `  chain ${chainId}, settlement contract ${settlementContract}`,
    `  auction ${sandbox.auctionId}, block ${sandbox.block}`,
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
  ].join("\n");
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

async function run(args: readonly string[]): Promise<void> {
  if (args.includes("--help") || args.includes("-h")) return console.log(USAGE);
  const { numbers, isVirtual } = settingsOf(args);
  const sandbox = await openSandbox({
    seed: numbers["--seed"],
    auctions: numbers["--auctions"],
    clock: isVirtual ? "virtual" : "wall",
  });
  const server = sandbox.listen({ port: numbers["--port"] });
  console.log(inWords(server.url, sandbox.description));
  endWith("SIGINT", () => server.close());
}

/** Shuts down gracefully on a signal; a second one exits immediately. */
function endWith(signal: Deno.Signal, close: () => Promise<void>): void {
  const end = () => {
    Deno.removeSignalListener(signal, end);
    void close();
  };
  Deno.addSignalListener(signal, end);
}

if (import.meta.main) {
  try {
    await run(Deno.args);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    console.error(error.message);
    Deno.exitCode = 2;
  }
}
