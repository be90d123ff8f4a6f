import { InputError } from "../../errors/mod.ts";
import { hexBytes, hexOf } from "../hex/hex_bytes.ts";
import type {
  AccountAddress,
  OrderSigner,
  SigningAccount,
  TypedDataToSign,
  WalletProvider,
} from "./order_signer.ts";
import { recoverSigner } from "./recover_signer.ts";

/** Data to sign, in both forms. */
export interface SignatureRequest {
  /** Name in errors, such as `the order`. */
  readonly what: string;
  /** Structured data, for `eip712`. */
  readonly data: TypedDataToSign;
  /** Its digest, for `ethsign` and for checking the result. */
  readonly digest: string;
  /** Signing scheme. */
  readonly signingScheme: "eip712" | "ethsign";
  /** Account of the wallet. @default {the first one} */
  readonly from?: string | undefined;
}

/** A verified signature. */
export interface CheckedSignature {
  /** 65 bytes of hex, the last of them 27 or 28. */
  readonly signature: string;
  /** Its signer, in lower case. */
  readonly from: string;
}

const ADDRESS = { what: "the address of a signer", bytes: 20, isUnquoted: true };
const SIGNATURE = {
  what: "the signature that the signer made",
  bytes: 65,
  remedy: "Sign with a private key; contract wallets sign with the scheme eip1271 or presign",
  isUnquoted: true,
};

/**
 * Requests a signature and recovers its signer: a signature of another account or of other data is
 * never returned.
 *
 * @throws {InputError} If the signer cannot or does not sign, or signs something else.
 */
export async function requestSignature(
  signer: OrderSigner,
  request: SignatureRequest,
): Promise<CheckedSignature> {
  const from = await signerAddress(signer, request);
  const made = await ask(signer, from, request);
  const bytes = hexBytes(made, SIGNATURE);
  const last = bytes[64];
  // Some devices return 0 or 1, which the settlement contract rejects.
  if (last === 0 || last === 1) bytes[64] = last + 27;
  const signature = hexOf(bytes);
  const { signingScheme, digest, what } = request;
  const recovered = await recoverSigner(digest, { signature, signingScheme });
  if (recovered === from) return { signature, from };
  throw new InputError(`Cannot sign ${what}: the signature is not that of ${from}`, {
    facts: { recovered },
    remedy: "Check that the signer's address matches its key, and its network the order's",
  });
}

/**
 * Returns the address that a signer signs for, in lower case.
 *
 * @throws {InputError} If a wallet exposes no account, or the address is invalid.
 */
export async function signerAddress(
  signer: OrderSigner,
  { from, what }: Pick<SignatureRequest, "from" | "what">,
): Promise<string> {
  // Without type checks a private key may be passed, which no error may show.
  const isNone = signer === null || typeof signer !== "object" ||
    !("address" in signer || "request" in signer);
  if (isNone) {
    throw new InputError(`Cannot sign ${what}: not a signer`, {
      remedy: "Pass a viem account, for example from `privateKeyToAccount`, a wallet with " +
        "`request`, or { address } for presign and eip1271 orders",
    });
  }
  const account = accountOf(signer);
  const own = account === undefined ? undefined : addressOf(account.address);
  const address = from ?? own ?? ("request" in signer ? await firstAccount(signer, what) : "");
  const checked = addressOf(address);
  if (own === undefined || own === checked) return checked;
  throw new InputError(`Cannot sign ${what} from ${checked}: the signer is ${own}`, {
    remedy: "Omit `from`, or pass the signer of that account",
  });
}

function addressOf(text: string): string {
  return hexOf(hexBytes(text, ADDRESS));
}

/** The account itself, or the account of a wallet client. */
function accountOf(signer: OrderSigner): SigningAccount | AccountAddress | undefined {
  if ("address" in signer) return signer;
  return "account" in signer ? signer.account : undefined;
}

async function firstAccount(wallet: WalletProvider, what: string): Promise<string> {
  for (const method of ["eth_accounts", "eth_requestAccounts"]) {
    const accounts = await fromWallet(wallet, { method, params: [] }, { what });
    const [first] = Array.isArray(accounts) ? accounts : [];
    if (typeof first === "string") return first;
  }
  throw new InputError(`Cannot sign ${what}: the wallet exposes no account`, {
    remedy: "Unlock the wallet and connect an account, or pass `from`",
  });
}

async function ask(signer: OrderSigner, from: string, request: SignatureRequest): Promise<string> {
  const { data, digest, signingScheme, what } = request;
  const account = accountOf(signer);
  if (account !== undefined && "signTypedData" in account) {
    try {
      return signingScheme === "eip712"
        ? await account.signTypedData(data)
        : await account.signMessage({ message: { raw: digest } });
    } catch {
      // An account's error may quote its key, so it is not passed on.
      throw new InputError(`Cannot sign ${what}: signing with account ${from} failed`, {
        facts: { scheme: signingScheme },
        remedy: "Check that the account can sign a message",
      });
    }
  }
  if (!("request" in signer)) {
    throw new InputError(`Cannot sign ${what}: the signer has no key`, {
      remedy: "Pass a viem account or a wallet with `request`; " +
        "owners without a key sign with presign or eip1271, and cancel on-chain",
    });
  }
  const call = signingScheme === "eip712"
    ? { method: "eth_signTypedData_v4", params: [from, JSON.stringify(data, amountAsText)] }
    : { method: "personal_sign", params: [digest, from] };
  return await fromWallet(signer, call, { what, chainId: data.domain.chainId }) as string;
}

const TOLD_NOT_TO = 4001;

/** The answer of a wallet. Its errors are not quoted, since they may contain a key. */
async function fromWallet(
  wallet: WalletProvider,
  call: { method: string; params: unknown[] },
  { what, chainId }: { what: string; chainId?: number },
): Promise<unknown> {
  try {
    return await wallet.request(call);
  } catch (error) {
    const code = (error as { code?: unknown } | null)?.code;
    const facts = { method: call.method, ...(typeof code === "number" ? { code } : {}) };
    if (code === TOLD_NOT_TO) {
      throw new InputError(`Cannot sign ${what}: the request was rejected in the wallet`, {
        facts,
        remedy: "Retry, and approve the request in the wallet",
      });
    }
    const walletChain = chainId === undefined ? null : await chainOf(wallet);
    if (walletChain !== null && walletChain !== chainId) {
      throw new InputError(`Cannot sign ${what}: the wallet is on another chain`, {
        facts: { ...facts, "wallet's chain": walletChain, "order's chain": `${chainId}` },
        remedy: "Switch the wallet to the order's chain",
      });
    }
    throw new InputError(`Cannot sign ${what}: the wallet returned an error`, {
      facts,
      remedy:
        "Approve the request in the wallet, which must support this network and hold the account",
    });
  }
}

/** The chain that a wallet is on; `null` if it does not say. */
async function chainOf(wallet: WalletProvider): Promise<number | null> {
  try {
    const chain = Number(await wallet.request({ method: "eth_chainId", params: [] }));
    return Number.isSafeInteger(chain) ? chain : null;
  } catch {
    return null;
  }
}

function amountAsText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}
