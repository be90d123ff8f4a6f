import type { CommandSpec, Permission } from "../arguments/command_line.ts";
import { KEY_VARIABLE, RPC_VARIABLE, WEBHOOK_VARIABLE } from "../arguments/options.ts";

/** Where the folder is in which the processes of a machine share one limit. */
const CACHE_VARIABLES = ["HOME", "LOCALAPPDATA", "XDG_CACHE_HOME"];

const VARIABLES = [KEY_VARIABLE, RPC_VARIABLE, ...CACHE_VARIABLES];

/** What each permission is to Deno. The launcher sets the variables by the words that it is given. */
const FLAGS: Readonly<Record<Permission | "net or loopback", string>> = {
  read: "--allow-read",
  write: "--allow-write",
  net: "$net",
  live: "$live",
  loopback: "--allow-net=127.0.0.1",
  "net or loopback": "${net:---allow-net=127.0.0.1}",
  ffi: "--allow-ffi",
  sys: "--allow-sys",
  output: "$output",
  page: "$page",
  native: "$native",
  env: `--allow-env=${VARIABLES.join(",")}`,
  "webhook env": `--allow-env=${[WEBHOOK_VARIABLE, ...VARIABLES].join(",")}`,
  run: "--allow-run",
  engine: "$engine",
};

/** The lines of `bin/orderlens` that give each command its permissions, in the shell's language. */
export function permissionCases(commands: readonly CommandSpec[]): string {
  const byWord = new Map<string, Set<keyof typeof FLAGS>>();
  for (const { name, permissions } of commands) {
    const word = name.split(" ")[0] ?? name;
    const all = byWord.get(word) ?? byWord.set(word, new Set()).get(word);
    for (const permission of permissions) all?.add(permission);
  }
  for (const all of byWord.values()) {
    // Deno takes the narrower of two.
    if (!all.has("net") || !all.delete("loopback")) continue;
    all.delete("net");
    all.add("net or loopback");
  }
  return [...byWord].filter(([, permissions]) => permissions.size > 0)
    .map(([word, permissions]) =>
      `  ${word}) allow="${[...permissions].map((each) => FLAGS[each]).join(" ")}" ;;\n`
    )
    .join("");
}
