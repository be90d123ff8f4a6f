import { readLines } from "../../../tools/terminal/run_quietly.ts";
import type { RpcAnswer, RpcCall } from "../../../lib/evm/mod.ts";
import { ANVIL } from "./artefacts.ts";

/** A transaction to send; `from` may be any account. */
export interface SentCall {
  /** Sender. */
  readonly from: string;
  /** Contract; absent to deploy one. */
  readonly to?: string;
  /** Calldata, or the code that deploys. */
  readonly data: string;
  /** Native atoms. */
  readonly value?: bigint;
}

/** The fields of a receipt that tests read. */
export interface Receipt {
  /** The transaction. */
  readonly transactionHash: string;
  /** Its block, as hex. */
  readonly blockNumber: string;
  /** Contract that was deployed. */
  readonly contractAddress: string;
  /** `0x1` if it succeeded. */
  readonly status: string;
}

/** How a node differs from the usual one. */
export interface AnvilOptions {
  /** Number of blocks whose state it keeps; the others are pruned. @default {all} */
  readonly keptStates?: number;
}

/** More gas than any transaction of the tests takes: with it, failing ones are mined as well. */
const GAS = "0x989680";

/** A development node on loopback; it ends when disposed. */
export class Anvil implements AsyncDisposable {
  /** Its address. */
  readonly url: string;
  readonly #child: Deno.ChildProcess;
  readonly #ended: Promise<void>;

  private constructor(url: string, child: Deno.ChildProcess, lines: AsyncGenerator<string>) {
    this.url = url;
    this.#child = child;
    this.#ended = readToEnd(lines);
  }

  /** Starts it, on a free port. */
  static async start({ keptStates }: AnvilOptions = {}): Promise<Anvil> {
    const child = new Deno.Command(ANVIL, {
      args: [
        ...["--host", "127.0.0.1", "--port", "0", "--auto-impersonate", "--no-mining"],
        ...keptStates === undefined ? [] : ["--prune-history", String(keptStates)],
      ],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const lines = readLines(child.stdout);
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      const [, address] = /^Listening on (\S+)/.exec(next.value) ?? [];
      if (address !== undefined) return new Anvil(`http://${address}`, child, lines);
    }
    throw new Error("anvil ended before it listened");
  }

  /** Sends calls in one request; throws the node's error for any. */
  async ask(calls: readonly RpcCall[]): Promise<unknown[]> {
    const answers = await this.answers(calls);
    return answers.map((answer) => {
      if ("result" in answer) return answer.result;
      throw new Error(answer.error.message);
    });
  }

  /** Sends calls in one request. */
  async answers(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const response = await fetch(this.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call }))),
    });
    return await response.json();
  }

  /** Sends transactions, mines them in one block, and returns their receipts. */
  async send(sent: readonly SentCall[]): Promise<Receipt[]> {
    const nonces = await this.#noncesOf(sent);
    const hashes = await this.ask(sent.map(({ value = 0n, ...call }, place) => ({
      method: "eth_sendTransaction",
      params: [{ ...call, gas: GAS, nonce: nonces[place], value: `0x${value.toString(16)}` }],
    })));
    await this.mine();
    return await this.ask(hashes.map((hash) => ({
      method: "eth_getTransactionReceipt",
      params: [hash],
    }))) as Receipt[];
  }

  /** A block that it has, the latest one if none is named. */
  async block(number?: number): Promise<{ number: number; seconds: number; hash: string }> {
    const params = [number === undefined ? "latest" : `0x${number.toString(16)}`, false];
    const [block] = await this.ask([{ method: "eth_getBlockByNumber", params }]);
    const { number: found, timestamp, hash } = block as Readonly<Record<string, string>>;
    return { number: Number(found), seconds: Number(timestamp), hash: hash! };
  }

  /** Mines a block, at a time if one is named. */
  async mine(seconds?: number): Promise<void> {
    if (seconds !== undefined) await this.nextAt(seconds);
    await this.ask([{ method: "evm_mine", params: [] }]);
  }

  /** Sets the time of the next block. */
  async nextAt(seconds: number): Promise<void> {
    await this.ask([{ method: "evm_setNextBlockTimestamp", params: [seconds] }]);
  }

  /** The code of a contract. */
  async codeOf(address: string): Promise<string> {
    const [code] = await this.ask([{ method: "eth_getCode", params: [address, "latest"] }]);
    return code as string;
  }

  /** The calls of one request are taken in any order, so that each names its own. */
  async #noncesOf(sent: readonly SentCall[]): Promise<string[]> {
    const senders = [...new Set(sent.map(({ from }) => from.toLowerCase()))];
    const counts = await this.ask(senders.map((sender) => ({
      method: "eth_getTransactionCount",
      params: [sender, "latest"],
    })));
    const next = new Map(senders.map((sender, place) => [sender, Number(counts[place])]));
    return sent.map(({ from }) => {
      const nonce = next.get(from.toLowerCase())!;
      next.set(from.toLowerCase(), nonce + 1);
      return `0x${nonce.toString(16)}`;
    });
  }

  /** Calls a contract at the latest block; why it reverts, where it does. */
  async call({ from, to, data }: SentCall): Promise<{ result: string } | { reverted: string }> {
    const [answer] = await this.answers([{
      method: "eth_call",
      params: [{ from, to, data, gas: GAS }, "latest"],
    }]);
    return "error" in answer!
      ? { reverted: answer.error.message }
      : { result: String(answer!.result) };
  }

  /** Ends it, and waits until it has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#ended;
    await this.#child.status;
  }
}

/** It names every call that it gets, and would wait for a reader. */
async function readToEnd(lines: AsyncGenerator<string>): Promise<void> {
  for await (const _ of lines) { /* Nobody reads it. */ }
}
