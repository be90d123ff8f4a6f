import {
  cancellationsDigest,
  type computeOrderUid,
  hashAppData,
  orderDigest,
  orderDomain,
} from "../../lib/evm/mod.ts";
import { recoverSigner } from "../../lib/evm/orders/request_signature.ts";
import { signDigest } from "../../lib/evm/orders/sign_order.ts";
import { DEVELOPMENT_ACCOUNTS, type SandboxDescription } from "../../lib/sandbox/mod.ts";
import type { Exchange } from "../../lib/recordings/request_key.ts";
import { readRecording } from "../../lib/recordings/recording.ts";
import { type Answer, type AskedSandbox, OrderDesk } from "./order_desk.ts";

/** Deployment of the recording. */
const RECORDED = orderDomain({
  chainId: 1,
  settlementContract: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
});
/** Time of the first order of the recording, in unix seconds; its validity was 600 seconds. */
const RECORDED_NOW = 1795269268;

const NO_FUNDS = {
  address: "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
  privateKey: `0x${"1".padStart(64, "0")}`,
};

type Body = Record<string, unknown>;

/** Replaces accounts, tokens, UIDs, times and signatures of recorded requests by a sandbox's. */
export class EdgeMapping {
  readonly #sandbox: SandboxDescription;
  readonly #domain;
  readonly #accounts: ReadonlyMap<string, { address: string; privateKey: string }>;
  readonly #words: Map<string, string>;

  constructor(sandbox: SandboxDescription) {
    this.#sandbox = sandbox;
    this.#domain = orderDomain(sandbox);
    this.#accounts = new Map([
      ["0xd217e8a0924a6806c7616a4ab0c39df86e0bf889", DEVELOPMENT_ACCOUNTS[0]!],
      ["0x27e3adda06fa9a47c83ab55a1f4f6635fd0875b3", DEVELOPMENT_ACCOUNTS[1]!],
      ["0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a", NO_FUNDS],
    ]);
    const [weth, , dai, gno] = sandbox.tokens.map(({ address }) => address);
    this.#words = new Map([
      ["0x67d269191c92caf3cd7723f116c85e6e9bf55933", dai!],
      ["0xe6e340d132b5f46d1e472debcd681b2abc16e57e", gno!],
      ["0x5fbdb2315678afecb367f032d93f642f64180aa3", weth!],
      ...[...this.#accounts].map(([from, { address }]): [string, string] => [from, address]),
    ]);
  }

  /** Maps a recorded UID to a UID of the sandbox. */
  learn(recorded: string, here: string): void {
    this.#words.set(recorded.toLowerCase(), here);
  }

  path(edge: Exchange): string {
    return edge.path.replace(/0x[0-9a-fA-F]+/g, (hex) => this.#mapped(hex));
  }

  async body(edge: Exchange): Promise<string | undefined> {
    const parsed = objectIn(edge.requestBody);
    if (parsed === undefined) {
      return edge.requestBody?.replace(/0x[0-9a-fA-F]{112}/g, (hex) => this.#mapped(hex));
    }
    const body: Body = { ...parsed };
    for (const field of ["sellToken", "buyToken", "from", "receiver"]) {
      if (typeof body[field] === "string") body[field] = this.#mapped(body[field]);
    }
    if (typeof body.validTo === "number" && body.validTo > 0 && body.validTo < 2 ** 31) {
      body.validTo = body.validTo - RECORDED_NOW + this.#sandbox.now;
    }
    if (Array.isArray(body.orderUids)) {
      body.orderUids = body.orderUids.map((uid) => this.#mapped(String(uid)));
    }
    const isSigned = typeof parsed.signature === "string" && parsed.signature.length === 132;
    if (isSigned) body.signature = await this.#signed(parsed, body) ?? parsed.signature;
    return JSON.stringify(body);
  }

  #mapped(hex: string): string {
    return this.#words.get(hex.toLowerCase()) ?? hex;
  }

  /** Signs the mapped body as the signer of the recorded one. */
  async #signed(recorded: Body, mapped: Body): Promise<string | undefined> {
    const digestOf = Array.isArray(recorded.orderUids)
      ? (domain: typeof RECORDED, body: Body) =>
        cancellationsDigest(domain, body.orderUids as string[])
      : (domain: typeof RECORDED, body: Body) => orderDigest(domain, termsOf(body));
    for (const signingScheme of ["eip712", "ethsign"] as const) {
      try {
        const given = { signature: String(recorded.signature), signingScheme };
        const signer = await recoverSigner(digestOf(RECORDED, recorded), given);
        const account = this.#accounts.get(signer);
        if (account === undefined) continue;
        const { privateKey } = account;
        return await signDigest(digestOf(this.#domain, mapped), { signingScheme, privateKey });
      } catch {
        // Orders that cannot be signed keep the recorded signature.
      }
    }
    return undefined;
  }
}

function objectIn(text: string | undefined): Body | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as Body
      : undefined;
  } catch {
    return undefined;
  }
}

function termsOf(body: Body): Parameters<typeof computeOrderUid>[1] {
  const { appData, appDataHash } = body;
  return {
    ...body as unknown as Parameters<typeof computeOrderUid>[1],
    sellAmount: BigInt(String(body.sellAmount)),
    buyAmount: BigInt(String(body.buyAmount)),
    feeAmount: BigInt(String(body.feeAmount)),
    appData: String(appDataHash ?? hashAppData(String(appData))),
  };
}

const RECORDING = new URL("../../data/recorded/edges.ndjson.gz", import.meta.url);

/** Sends the recorded edge cases to a sandbox; returns each with the sandbox's answer. */
export async function askEdges(sandbox: AskedSandbox) {
  const desk = new OrderDesk(sandbox);
  const mapping = new EdgeMapping(sandbox.description);
  const answered: { edge: Exchange; answer: Answer }[] = [];
  for (const edge of await readRecording(RECORDING)) {
    const type = edge.status === 415 ? "text/plain" : "application/json";
    const body = edge.method === "GET" ? undefined : await mapping.body(edge) ?? "";
    const answer = await desk.ask(`${edge.method} ${mapping.path(edge)}`, body, type);
    if (edge.path === "/api/v1/orders" && edge.status === 201 && answer.status === 201) {
      mapping.learn(JSON.parse(edge.responseBody), JSON.parse(answer.text));
    }
    answered.push({ edge, answer });
  }
  return answered;
}
