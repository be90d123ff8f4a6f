import { report } from "../../tools/terminal/say.ts";
import type { LineProgram } from "../line_process.ts";

/** How many orders the account of the benchmarks has. */
export const ACCOUNT_ORDERS = 10_000;

/** The latest auction of the benchmarks. */
export const AUCTIONS = 10_000;

/** The account of the benchmarks. */
export const ACCOUNT: string = `0x${"12".repeat(20)}`;

/** UID of the order of number `index`. */
export function uidOf(index: number): string {
  return `0x${index.toString(16).padStart(112, "0")}`;
}

/** A TypeScript program beside this file, run by the Deno that runs this one. */
export function benchmarkProgram(
  file: string,
  { args = [], v8Flags = [] }: {
    readonly args?: readonly string[];
    readonly v8Flags?: readonly string[];
  } = {},
): LineProgram {
  const path = new URL(file, import.meta.url).href;
  const flags = v8Flags.length === 0 ? [] : [`--v8-flags=${v8Flags.join(",")}`];
  return { program: Deno.execPath(), args: ["run", "-A", ...flags, path, ...args] };
}

/** Serves on loopback until the input of this process ends; its first line of output is the address. */
export async function serveUntilClosed(
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const onListen = ({ port }: Deno.NetAddr) => report(`http://127.0.0.1:${port}`);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, answer);
  for await (const _ of Deno.stdin.readable) { /* Until whoever started this closes the input. */ }
  await server.shutdown();
}

/** The largest resident memory of this process so far, in bytes. */
export async function peakBytes(): Promise<number> {
  const status = await Deno.readTextFile("/proc/self/status");
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1]) * 1_024;
}
