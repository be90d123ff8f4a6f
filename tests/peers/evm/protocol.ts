import {
  type Abi,
  concatHex,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type OrderDomain, orderDomain } from "../../../lib/evm/mod.ts";
import { DEVELOPMENT_ACCOUNTS } from "../../../lib/sandbox/mod.ts";
import { Anvil, type AnvilOptions, type Receipt, type SentCall } from "./anvil.ts";
import { type ContractName, HAS_ANVIL, readArtefacts } from "./artefacts.ts";
import { locateAtCaller } from "../../../tools/testing/test_example.ts";

/** Chain id of the node. */
export const CHAIN_ID = 31337;
/** Address that stands for the native token in orders. */
export const NATIVE = `0x${"ee".repeat(20)}`;

const [ADMIN, SOLVER, ...TRADERS] = DEVELOPMENT_ACCOUNTS;
const PLENTY = 10n ** 24n;
const UNLIMITED = 2n ** 256n - 1n;
const ETHER = 10n ** 18n;

/** Contracts of a deployment, by what they are. */
const DEPLOYED = {
  authenticator: "GPv2AllowListAuthentication",
  settlement: "GPv2Settlement",
  gold: "ERC20PresetMinterPauser",
  silver: "ERC20PresetMinterPauser",
  wrapped: "WrappedNative",
  pool: "Pool",
  trampoline: "HooksTrampoline",
  wallet: "Wallet",
  vault: "Vault",
  multicall: "Multicall3",
  oddWallet: "OddWallet",
  ethFlow: "EthFlow",
  composableCow: "ProgrammaticOrders",
  proxies: "ProxyFactory",
} as const satisfies Record<string, ContractName>;

/** A contract of the deployment. */
export type Deployed = keyof typeof DEPLOYED;

/** The protocol's contracts on a node, with tokens, traders and a pool that have them. */
export class Protocol implements AsyncDisposable {
  /** The node. */
  readonly node: Anvil;
  /** Addresses of the contracts, in lower case. */
  readonly at: Readonly<Record<Deployed, string>>;
  /** What orders are signed for. */
  readonly domain: OrderDomain;
  /** Account that may settle. */
  readonly solver: string = SOLVER!.address;
  /** Traders that hold every token and have approved the vault relayer. */
  readonly traders: readonly ReturnType<typeof privateKeyToAccount>[] = TRADERS.slice(0, 4).map(
    ({ privateKey }) => privateKeyToAccount(privateKey as Hex),
  );
  /** What the wallet contract's owner signs with. */
  readonly walletOwner = privateKeyToAccount(TRADERS[4]!.privateKey as Hex);
  readonly #abis: Readonly<Record<Deployed, Abi>>;

  private constructor(node: Anvil, abis: Record<Deployed, Abi>, at: Record<Deployed, string>) {
    this.node = node;
    this.#abis = abis;
    this.at = at;
    this.domain = orderDomain({ chainId: CHAIN_ID, settlementContract: at.settlement });
  }

  /** Starts a node and deploys everything. */
  static async deploy(options: AnvilOptions = {}): Promise<Protocol> {
    const artefacts = await readArtefacts();
    const node = await Anvil.start(options);
    const names = Object.keys(DEPLOYED) as Deployed[];
    const from = ADMIN!.address;
    const at = Object.fromEntries(names.map((name, nonce) => [
      name,
      getContractAddress({ from: from as Hex, nonce: BigInt(nonce) }).toLowerCase(),
    ])) as Record<Deployed, string>;
    const inputs: Partial<Record<Deployed, readonly unknown[]>> = {
      settlement: [at.authenticator, at.vault],
      gold: ["Gold", "AU"],
      silver: ["Silver", "AG"],
      wallet: [TRADERS[4]!.address],
      oddWallet: [at.settlement],
      ethFlow: [at.settlement, at.wrapped],
    };
    await succeeded(
      node,
      names.map((name) => {
        const { abi, bytecode } = artefacts.get(DEPLOYED[name])!;
        const data = encodeDeployData({ abi: abi as Abi, bytecode, args: inputs[name] ?? [] });
        return { from, data };
      }),
    );
    const abis = Object.fromEntries(names.map((name) => {
      return [name, artefacts.get(DEPLOYED[name])!.abi as Abi];
    })) as Record<Deployed, Abi>;
    const protocol = new Protocol(node, abis, at);
    await protocol.#fund();
    return protocol;
  }

  /** Calldata of a function of a contract. */
  encode(contract: Deployed, functionName: string, args: readonly unknown[]): Hex {
    return encodeFunctionData({ abi: this.#abis[contract], functionName, args });
  }

  /** What a function of a contract returns now. */
  async read<Value>(contract: Deployed, functionName: string, ...args: unknown[]): Promise<Value> {
    const data = this.encode(contract, functionName, args);
    const answer = await this.node.call({ from: this.solver, to: this.at[contract], data });
    if ("reverted" in answer) throw new Error(answer.reverted);
    return decodeFunctionResult({
      abi: this.#abis[contract],
      functionName,
      data: answer.result as Hex,
    }) as Value;
  }

  /** Sends transactions that must succeed; returns their hashes. */
  async transact(sent: readonly SentCall[]): Promise<string[]> {
    return await succeeded(this.node, sent);
  }

  /** Mines a call of a contract in a block of its own, which must succeed; by the first trader. */
  async act(
    contract: Deployed,
    name: string,
    args: readonly unknown[],
    { from = this.traders[0]!.address as string, to = this.at[contract], value = 0n } = {},
  ): Promise<Receipt> {
    const [receipt] = await this.node.send([{
      from,
      to,
      data: this.encode(contract, name, args),
      value,
    }]);
    if (receipt!.status !== "0x1") throw new Error(`${name} failed`);
    return receipt!;
  }

  /** Signs an order on the chain as its owner, or revokes that. */
  async preSign({ uid, from }: { uid: string; from: string }, isSigned = true): Promise<void> {
    await this.act("settlement", "setPreSignature", [uid, isSigned], { from });
  }

  /** Cancels an order on the chain, as its owner. */
  async invalidate({ uid, from }: { uid: string; from: string }): Promise<void> {
    await this.act("settlement", "invalidateOrder", [uid], { from });
  }

  /** Settles, as the solver; returns the hash of the transaction. */
  async settle(calldata: string): Promise<string> {
    const { solver: from, at: { settlement: to } } = this;
    const [hash] = await succeeded(this.node, [{ from, to, data: calldata }]);
    return hash!;
  }

  /** Settles with a transaction that the solver signed; returns its hash. */
  async settleSigned(calldata: string): Promise<string> {
    const [count] = await this.node.ask([{
      method: "eth_getTransactionCount",
      params: [this.solver, "latest"],
    }]);
    const serialized = await privateKeyToAccount(SOLVER!.privateKey as Hex).signTransaction({
      type: "eip1559",
      chainId: CHAIN_ID,
      nonce: Number(count),
      to: this.at.settlement as Hex,
      data: calldata as Hex,
      gas: 5_000_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
    });
    const [hash] = await this.node.ask([
      { method: "eth_sendRawTransaction", params: [serialized] },
    ]);
    await this.node.mine();
    return hash as string;
  }

  /** Why the contract would not settle now; `null` if it would. */
  async refusal(calldata: string): Promise<string | null> {
    const { solver: from, at: { settlement: to } } = this;
    const answer = await this.node.call({ from, to, data: calldata });
    return "reverted" in answer ? answer.reverted : null;
  }

  /** What an account holds now, in atoms; of the native token too. */
  async balanceOf(token: string, owner: string): Promise<bigint> {
    if (token === NATIVE) {
      const [wei] = await this.node.ask([{ method: "eth_getBalance", params: [owner, "latest"] }]);
      return BigInt(wei as string);
    }
    const name = (["gold", "silver", "wrapped"] as const).find((one) => this.at[one] === token)!;
    return await this.read<bigint>(name, "balanceOf", owner);
  }

  /** Ends the node. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.node[Symbol.asyncDispose]();
  }

  async #fund(): Promise<void> {
    const { at, solver } = this;
    const relayer = await this.read<string>("settlement", "vaultRelayer");
    const from = ADMIN!.address;
    const traders = this.traders.map(({ address }) => address.toLowerCase());
    const owners = [...traders, at.wallet, at.oddWallet];
    // The contract's own are its buffers: single orders are settled against them.
    const holders = [...owners, at.pool, at.settlement];
    const call = (from: string, to: Deployed, name: string, ...args: unknown[]): SentCall => {
      return { from, to: at[to], data: this.encode(to, name, args) };
    };
    const mint = (token: Deployed) => holders.map((one) => call(from, token, "mint", one, PLENTY));
    const approve = owners.flatMap((owner) =>
      (["gold", "silver", "wrapped"] as const).map((token) =>
        call(owner, token, "approve", relayer, UNLIMITED)
      )
    );
    const wrap = [...this.traders.map(({ address }) => address), from].map((holder) => ({
      ...call(holder, "wrapped", "deposit"),
      value: 100n * ETHER,
    }));
    await this.node.ask([at.wallet, at.oddWallet].map((wallet) => ({
      method: "anvil_setBalance",
      params: [wallet, `0x${ETHER.toString(16)}`],
    })));
    await this.transact([
      call(from, "authenticator", "initializeManager", from),
      call(from, "authenticator", "addSolver", solver),
      ...mint("gold"),
      ...mint("silver"),
      ...wrap,
      call(from, "wrapped", "transfer", at.pool, 50n * ETHER),
      ...approve,
    ]);
  }
}

async function succeeded(node: Anvil, sent: readonly SentCall[]): Promise<string[]> {
  const receipts = await node.send(sent);
  const failed = receipts.findIndex(({ status }) => status !== "0x1");
  if (failed >= 0) throw new Error(`Transaction ${failed} failed: ${sent[failed]!.data}`);
  return receipts.map(({ transactionHash }) => transactionHash);
}

/** A test on a chain of its own. */
export function testOnChain(
  name: string,
  play: (protocol: Protocol, test: Deno.TestContext) => Promise<void>,
  options: AnvilOptions = {},
): void {
  Deno.test({
    name: `${name}, on a real EVM`,
    ignore: !HAS_ANVIL,
    fn: locateAtCaller(async (test: Deno.TestContext) => {
      await using protocol = await Protocol.deploy(options);
      await play(protocol, test);
    }),
  });
}

/** Scenes of a test on one chain, in order, which are added by what it returns. */
export function scenesOnChain(
  name: string,
): (name: string, play: (protocol: Protocol) => Promise<void>) => void {
  const scenes: Parameters<ReturnType<typeof scenesOnChain>>[] = [];
  testOnChain(name, async (protocol, test) => {
    for (const [name, play] of scenes) await test.step(name, () => play(protocol));
  });
  return (...scene) => void scenes.push(scene);
}

/** The signature of a trade as the contract reads it. */
export function settledSignature(
  { signature, signingScheme, from }: { signature: string; signingScheme: string; from: string },
): string {
  if (signingScheme === "presign") return from;
  if (signingScheme === "eip1271") return concatHex([from as Hex, signature as Hex]);
  return signature;
}
