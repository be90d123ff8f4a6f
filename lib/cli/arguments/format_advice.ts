/** Phrases of the library's advice that name its options, with those for the command line. */
const COMMAND_WORDS: readonly (readonly [library: string, command: string])[] = [
  ["Pass a partner's key in the option `headers`", "Set ORDERLENS_API_KEY to a partner's key"],
  ["Pass a solver's key in the option `headers`", "Set ORDERLENS_API_KEY to a solver's key"],
  ["pass keys in the option `headers`", "set ORDERLENS_API_KEY"],
  [" or in the option `headers`", ""],
  [", or lower the options `rateLimit` and `concurrency`", ", or pass another node"],
  ["the option `rateLimit`", "--rate"],
  ["Retry later, or pass a larger `timeoutMs`", "Retry later, when the address answers in time"],
  ["ass credentials in the base URL or in `headers`", "ass credentials in the base URL"],
  ["Request less at a time, or pass a larger `maxBodyBytes`", "Request less at a time"],
  ["Pass `last`, or `auctions` or `dates` with `from` alone", "Pass a selection without an end"],
  ["Pass `blocks`, or `dates` with an end", "Pass --blocks, or --from and --to"],
  ["Pass `to`, or `follow: true` to keep exporting", "Pass the end, or --follow to keep exporting"],
  ["Pass `node`, such as the URL of a JSON-RPC endpoint", "Pass --rpc-url with the URL of a node"],
  ["as `node` to `openMarket`", "as --rpc-url"],
  [", or omit `isRestricted` and wait", ", or wait"],
  ["Pass `instances`, the URL of their store", "Pass --instances with the URL of their store"],
  ["`follow`", "--follow"],
  ["`walk`", "--discover-by"],
  ["Run it in Deno", "Run it with `npx -y deno run -A npm:@orderlens/orderlens`"],
  [", or connect to the sandbox directly, which answers in-process", ""],
  [", and run it with `--allow-read --allow-write`", ""],
];

/**
 * Rewords advice of the library for the command line.
 *
 * @param options.hasRate Whether the command has the option `--rate`. @default {false}
 */
export function formatAdvice(text: string, { hasRate = false } = {}): string {
  const withoutRate = [", and lower the option `rateLimit`", ""] as const;
  const words = hasRate ? COMMAND_WORDS : [withoutRate, ...COMMAND_WORDS];
  return words.reduce((advice, [library, command]) => advice.replaceAll(library, command), text);
}
