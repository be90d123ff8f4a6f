import { dirname, join } from "node:path";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { report } from "../../tools/terminal/say.ts";
import { TaskError } from "../../tools/terminal/task_error.ts";
import type { HttpResponse } from "orderlens/http";
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

/** The launcher of the command line. */
export const LAUNCHER: string = join(PROJECT_ROOT, "bin", "orderlens");

/** Runs a program to its end, and shows what it says of a failure. */
export async function runWhole(program: string, args: readonly string[]): Promise<void> {
  const { success } = await new Deno.Command(program, {
    args: [...args],
    cwd: PROJECT_ROOT,
    env: { PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH") ?? ""}` },
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).output();
  if (!success) throw new TaskError(`Cannot run ${program} ${args.join(" ")}`);
}

/** Bytes of answers that a server keeps, so that serving them takes little of the machine. */
const KEPT_BYTES = 200e6;

const ROUND_TRIP_MS = 20;

/** What a server answers, and whether it makes that anew for each request. */
type Answer = Pick<HttpResponse, "status" | "body"> & { readonly isNew?: boolean };

/**
 * Serves on loopback until the input of this process ends; its first line of output is the address,
 * and below `/slow` every answer takes a round trip of 20 ms.
 *
 * @param answer The answer to a path with its query, and to a body if it is a POST.
 */
export async function serveUntilClosed(
  answer: (path: string, body?: string) => Promise<Answer>,
): Promise<void> {
  const kept = new Map<string, { status: number; bytes: Uint8Array<ArrayBuffer> }>();
  let keptBytes = 0;
  const answerTo = async (path: string, body?: string) => {
    const key = `${path} ${body}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const { status, body: text, isNew = false } = await answer(path, body);
    const made = { status, bytes: new TextEncoder().encode(text) };
    keptBytes += made.bytes.length;
    if (!isNew && keptBytes < KEPT_BYTES) kept.set(key, made);
    return made;
  };
  const headers = { "content-type": "application/json" };
  const onListen = ({ port }: Deno.NetAddr) => report(`http://127.0.0.1:${port}`);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, async (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname.startsWith("/slow/")) {
      await new Promise((resolve) => setTimeout(resolve, ROUND_TRIP_MS));
    }
    const body = request.method === "POST" ? await request.text() : undefined;
    const { status, bytes } = await answerTo(`${pathname}${search}`, body);
    return new Response(bytes, { status, headers });
  });
  for await (const _ of Deno.stdin.readable) { /* Until whoever started this closes the input. */ }
  await server.shutdown();
}

/** The largest resident memory of this process so far, in bytes. */
export async function peakBytes(): Promise<number> {
  const status = await Deno.readTextFile("/proc/self/status");
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1]) * 1_024;
}
