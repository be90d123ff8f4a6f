// deno-lint-ignore-file no-console -- a task speaks on the console
/**
 * Serves a sandbox until it is stopped; `deno task sandbox [--port 8080] [--seed 7]`.
 *
 * @module
 */
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

/** The settings of a command line; `null` where it asks for something else. */
function settingsOf(args: readonly string[]): Settings | null {
  const numbers: Record<Name, number> = { ...DEFAULTS };
  let isVirtual = false;
  for (let at = 0; at < args.length; at++) {
    const [name = "", inline] = args[at]!.split("=");
    if (name === "--virtual") {
      isVirtual = true;
      continue;
    }
    const value = Number(inline ?? args[++at] ?? NaN);
    if (!isName(name) || !Number.isSafeInteger(value) || value < 0) return null;
    numbers[name] = value;
  }
  return { numbers, isVirtual };
}

function isName(name: string): name is Name {
  return Object.hasOwn(DEFAULTS, name);
}

/** What is in a sandbox, for a person. */
function inWords(url: string, sandbox: SandboxDescription): string {
  const { chainId, settlementContract, accounts, tokens, orderUids } = sandbox;
  const sample = orderUids[0];
  return [
    `Sandbox of seed ${sandbox.seed} at ${url}`,
    `  chain ${chainId}, settlement contract ${settlementContract}`,
    `  auction ${sandbox.auctionId}, block ${sandbox.block}`,
    "",
    "Accounts (mnemonic: test test test test test test test test test test test junk)",
    ...accounts.map((account) => `  ${account}`),
    "",
    "Tokens",
    ...tokens.map(({ address, symbol, decimals }) =>
      `  ${symbol.padEnd(5)} ${address}  ${decimals} decimals`
    ),
    "",
    "Orders",
    ...orderUids.slice(0, 3).map((uid) => `  ${uid}`),
    "",
    "Try",
    `  curl ${url}/sandbox`,
    `  curl ${url}/api/v2/solver_competition/latest`,
    `  curl "${url}/api/v2/trades?owner=${accounts[1]}"`,
    ...(sample === undefined ? [] : [`  curl ${url}/restricted/api/v1/debug/order/${sample}`]),
    "",
    "Stop it with Ctrl+C",
  ].join("\n");
}

if (import.meta.main) {
  const isHelp = Deno.args.includes("--help") || Deno.args.includes("-h");
  const settings = isHelp ? null : settingsOf(Deno.args);
  if (settings === null) {
    console.log(USAGE);
    Deno.exit(isHelp ? 0 : 2);
  }
  const { numbers, isVirtual } = settings;
  const sandbox = await openSandbox({
    seed: numbers["--seed"],
    auctions: numbers["--auctions"],
    clock: isVirtual ? "virtual" : "wall",
  });
  try {
    const server = sandbox.listen({ port: numbers["--port"] });
    console.log(inWords(server.url, sandbox.description));
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    console.error(`Cannot listen at port ${numbers["--port"]}: something else does`);
    Deno.exit(1);
  }
}
