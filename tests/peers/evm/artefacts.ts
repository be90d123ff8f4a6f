import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashUtf8 } from "../../../lib/evm/hex.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";
import { ended, PIPES } from "../../line_process.ts";
import { installPeers, type PeerPackages } from "../install_peers.ts";

/** A contract as published or compiled. */
export interface Artefact {
  /** Its functions and events. */
  readonly abi: readonly unknown[];
  /** Code that deploys it. */
  readonly bytecode: `0x${string}`;
}

/** Names of the contracts that a test chain deploys. */
export type ContractName =
  | "GPv2Settlement"
  | "GPv2AllowListAuthentication"
  | "ERC20PresetMinterPauser"
  | "Wallet"
  | "Pool"
  | "HooksTrampoline"
  | "WrappedNative"
  | "Vault"
  | "Multicall3"
  | "OddWallet"
  | "EthFlow"
  | "ProgrammaticOrders"
  | "ProxyFactory";

const HERE = new URL("./", import.meta.url);
const PACKAGES: PeerPackages = {
  what: "the protocol's contracts and a node",
  configuration: new URL("evm.json", HERE),
};
const MODULES = new URL("node_modules/", HERE);
const PUBLISHED: readonly [ContractName, file: string][] = [
  ["GPv2Settlement", "@cowprotocol/contracts/lib/contracts/GPv2Settlement.json"],
  [
    "GPv2AllowListAuthentication",
    "@cowprotocol/contracts/lib/contracts/GPv2AllowListAuthentication.json",
  ],
  [
    "ERC20PresetMinterPauser",
    "@openzeppelin/contracts/build/contracts/ERC20PresetMinterPauser.json",
  ],
];

/** The node; the npm registry has it for this system only. */
export const ANVIL: string = fileURLToPath(
  new URL("@foundry-rs/anvil-linux-amd64/bin/anvil", MODULES),
);

/** Whether the node runs on this system. */
export const HAS_ANVIL: boolean = Deno.build.os === "linux" && Deno.build.arch === "x86_64";

/**
 * The contracts, by name: those of the protocol and the tokens as they are published, the others
 * compiled once. Installs what is missing.
 */
export async function readArtefacts(): Promise<ReadonlyMap<ContractName, Artefact>> {
  await installPeers(PACKAGES);
  const published = await Promise.all(PUBLISHED.map(async ([name, file]) => {
    const artefact: Artefact = JSON.parse(await Deno.readTextFile(new URL(file, MODULES)));
    return [name, artefact] as const;
  }));
  return new Map([...published, ...await compiledContracts()]);
}

async function compiledContracts(): Promise<[ContractName, Artefact][]> {
  const source = await Deno.readTextFile(new URL("contracts.sol", HERE));
  const program = await Deno.readTextFile(new URL("compile.mjs", HERE));
  const name = hashUtf8(source + program).slice(2, 18);
  const cached = join(PROJECT_ROOT, "build", "peers", `contracts_${name}.json`);
  try {
    return entriesOf(await Deno.readTextFile(cached));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const compiled = await compile(source);
  await Deno.mkdir(dirname(cached), { recursive: true });
  const temporary = await Deno.makeTempFile({ dir: dirname(cached) });
  await Deno.writeTextFile(temporary, compiled);
  await Deno.rename(temporary, cached);
  return entriesOf(compiled);
}

function entriesOf(json: string): [ContractName, Artefact][] {
  return Object.entries(JSON.parse(json)) as [ContractName, Artefact][];
}

async function compile(source: string): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--frozen", "--config", "evm.json", "compile.mjs"],
    cwd: fileURLToPath(HERE),
    ...PIPES,
  });
  const { code, out, err } = await ended(command, source);
  if (code === 0) return out;
  throw new TaskError(`Cannot compile contracts.sol (${err.slice(0, 2_000)})`);
}
