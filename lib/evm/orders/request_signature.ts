import { InputError } from "../../errors/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { asHex, parseHex, toHex } from "../hex.ts";
import type { OrderDomain } from "./order_uid.ts";

/** Data to sign, in both forms. */
interface SignatureRequest {
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
): Promise<{ signature: string; from: string }> {
  const from = await resolveSigner(signer, request);
  const response = await sign(signer, from, request);
  const bytes = parseHex(response, SIGNATURE);
  const last = bytes[64];
  // Some devices return 0 or 1, which the settlement contract rejects.
  if (last === 0 || last === 1) bytes[64] = last + 27;
  const signature = toHex(bytes);
  const { signingScheme, digest, what: subject } = request;
  const recovered = await recoverSigner(digest, { signature, signingScheme });
  if (recovered === from) return { signature, from };
  throw new InputError(`Cannot sign ${subject}: the signature is not that of ${from}`, {
    facts: { recovered },
    remedy: "Check that the signer's address matches its key, and its network the order's",
  });
}

/**
 * Returns the address that a signer signs for, in lower case.
 *
 * @throws {InputError} If a wallet exposes no account, or the address is invalid.
 */
export async function resolveSigner(
  signer: OrderSigner,
  { from, what: subject }: Pick<SignatureRequest, "from" | "what">,
): Promise<string> {
  // Without type checks a private key may be passed, which no error may show.
  const isNone = signer === null || typeof signer !== "object" ||
    !("address" in signer || "request" in signer);
  if (isNone) {
    throw new InputError(`Cannot sign ${subject}: not a signer`, {
      remedy: "Pass a viem account, for example from `privateKeyToAccount`, a wallet with " +
        "`request`, or { address } for presign and eip1271 orders",
    });
  }
  const account = getAccount(signer);
  const ownAddress = account === undefined ? undefined : normalizeAddress(account.address);
  const address = from ?? ownAddress ??
    ("request" in signer ? await requestAccount(signer, subject) : "");
  const checked = normalizeAddress(address);
  if (ownAddress === undefined || ownAddress === checked) return checked;
  throw new InputError(`Cannot sign ${subject} from ${checked}: the signer is ${ownAddress}`, {
    remedy: "Omit `from`, or pass the signer of that account",
  });
}

function normalizeAddress(text: string): string {
  return toHex(parseHex(text, ADDRESS));
}

/** Returns the account itself, or the account of a wallet client. */
function getAccount(signer: OrderSigner): SigningAccount | AccountAddress | undefined {
  if ("address" in signer) return signer;
  return "account" in signer ? signer.account : undefined;
}

async function requestAccount(wallet: WalletProvider, subject: string): Promise<string> {
  for (const method of ["eth_accounts", "eth_requestAccounts"]) {
    const accounts = await callWallet(wallet, { method, params: [] }, { what: subject });
    const [first] = Array.isArray(accounts) ? accounts : [];
    if (typeof first === "string") return first;
  }
  throw new InputError(`Cannot sign ${subject}: the wallet exposes no account`, {
    remedy: "Unlock the wallet and connect an account, or pass `from`",
  });
}

async function sign(signer: OrderSigner, from: string, request: SignatureRequest): Promise<string> {
  const { data, digest, signingScheme, what: subject } = request;
  const account = getAccount(signer);
  if (account !== undefined && "signTypedData" in account) {
    try {
      return signingScheme === "eip712"
        ? await account.signTypedData(data)
        : await account.signMessage({ message: { raw: digest } });
    } catch {
      // An account's error may quote its key, so it is not passed on.
      throw new InputError(`Cannot sign ${subject}: signing with account ${from} failed`, {
        facts: { scheme: signingScheme },
        remedy: "Check that the account can sign a message",
      });
    }
  }
  if (!("request" in signer)) {
    throw new InputError(`Cannot sign ${subject}: the signer has no key`, {
      remedy: "Pass a viem account or a wallet with `request`; " +
        "owners without a key sign with presign or eip1271, and cancel on-chain",
    });
  }
  const replaceBigInt = (_: string, value: unknown) =>
    typeof value === "bigint" ? `${value}` : value;
  const call = signingScheme === "eip712"
    ? { method: "eth_signTypedData_v4", params: [from, JSON.stringify(data, replaceBigInt)] }
    : { method: "personal_sign", params: [digest, from] };
  return await callWallet(signer, call, { what: subject, chainId: data.domain.chainId }) as string;
}

const USER_REJECTED = 4001;

/** Calls a wallet. Its errors are not quoted, since they may contain a key. */
async function callWallet(
  wallet: WalletProvider,
  call: { method: string; params: unknown[] },
  { what, chainId }: { what: string; chainId?: number },
): Promise<unknown> {
  try {
    return await wallet.request(call);
  } catch (error) {
    const code = (error as { code?: unknown } | null)?.code;
    const facts = { method: call.method, ...(typeof code === "number" ? { code } : {}) };
    if (code === USER_REJECTED) {
      throw new InputError(`Cannot sign ${what}: the request was rejected in the wallet`, {
        facts,
        remedy: "Retry, and approve the request in the wallet",
      });
    }
    const walletChain = chainId === undefined ? null : await fetchChainId(wallet);
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

/** Fetches the chain that a wallet is on; `null` if it does not report one. */
async function fetchChainId(wallet: WalletProvider): Promise<number | null> {
  try {
    const chain = Number(await wallet.request({ method: "eth_chainId", params: [] }));
    return Number.isSafeInteger(chain) ? chain : null;
  } catch {
    return null;
  }
}

/** Structured data to sign (EIP-712). */
export interface TypedDataToSign {
  /** Chain and settlement contract. */
  readonly domain: OrderDomain;
  /** Fields of every struct by its name, the domain's included. */
  readonly types: Readonly<
    Record<string, readonly { readonly name: string; readonly type: string }[]>
  >;
  /** Struct that is signed. */
  readonly primaryType: string;
  /** Its fields; amounts as integers. */
  readonly message: Readonly<Record<string, unknown>>;
}

/** An account that signs by itself, such as any local account of viem. */
export interface SigningAccount {
  /** Its address. */
  readonly address: string;
  /** Signs structured data; gives 65 bytes of hex. */
  signTypedData(data: TypedDataToSign): Promise<string>;
  /** Signs bytes as a personal message (EIP-191); gives 65 bytes of hex. */
  signMessage(message: { readonly message: { readonly raw: string } }): Promise<string>;
}

/** A wallet from a browser or a wallet kit (EIP-1193), or a wallet client of viem. */
export interface WalletProvider {
  /**
   * Account of a wallet client; a local account signs by itself, without a request to the wallet.
   *
   * @default {the first account that the wallet exposes}
   */
  readonly account?: SigningAccount | AccountAddress | undefined;
  /**
   * Sends `eth_accounts`, `eth_signTypedData_v4` or `personal_sign` to the wallet, and
   * `eth_chainId` if it rejects.
   */
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
}

/** An account that signs on-chain, so that only its address is needed. */
export interface AccountAddress {
  /** Its address. */
  readonly address: string;
}

/** A signer: an account, a wallet, or for `presign` and `eip1271` just an address. */
export type OrderSigner = SigningAccount | WalletProvider | AccountAddress;

/** A signature and its scheme, under their wire names. */
export interface SignatureFields {
  /** The signature as hex; its form depends on the scheme. */
  signature: string;
  /** `"eip712"`, `"ethsign"`, `"presign"` or `"eip1271"`. */
  signingScheme: string;
}

const ECDSA = { what: "an ECDSA signature", bytes: 65 };

/**
 * The last byte of a signature: 27 or 28 as the settlement contract requires, or 0 or 1 from some
 * signers.
 */
const RECOVERY_BYTES = [0, 1, 27, 28];

/** Signers by digest and signature: the same order is placed, reported, filled and settled. */
const recoveredSigners = new Map<string, string>();
/** Maximum number of cached signers. */
const MAX_RECOVERED = 4_000;

/**
 * Recovers the signer of an `eip712` or `ethsign` signature of a digest.
 *
 * @throws {InputError} If the scheme is another, or the signature is invalid.
 */
export async function recoverSigner(digest: string, fields: SignatureFields): Promise<string> {
  const { signature, signingScheme } = fields;
  // Loaded on demand: whoever only reads does not need it.
  const { hashMessage, recoverAddress } = await import("viem/utils");
  const hash = computeSignedHash(digest, signingScheme, hashMessage);
  const bytes = parseHex(signature, ECDSA);
  const last = bytes[64];
  if (last === undefined || !RECOVERY_BYTES.includes(last)) {
    throw new InputError(`Cannot recover the signer: the signature ends in ${last}`, {
      facts: { signature },
      remedy: "Pass r, s and v in this order; the last byte, v, is 27 or 28, or 0 or 1",
    });
  }
  const key = `${hash} ${toHex(bytes)}`;
  try {
    const signer = recoveredSigners.get(key) ??
      (await recoverAddress({ hash, signature: toHex(bytes) })).toLowerCase();
    if (recoveredSigners.size >= MAX_RECOVERED) recoveredSigners.clear();
    recoveredSigners.set(key, signer);
    return signer;
  } catch (cause) {
    throw new InputError("Cannot recover the signer: the signature is not valid", {
      facts: { signature },
      remedy: "Pass the 65 bytes exactly as the signer returned them",
      cause,
    });
  }
}

function computeSignedHash(
  digest: string,
  signingScheme: string,
  hashMessage: (message: { raw: `0x${string}` }) => `0x${string}`,
): `0x${string}` {
  const raw = asHex(digest);
  if (signingScheme === "eip712") return raw;
  if (signingScheme === "ethsign") return hashMessage({ raw });
  throw new InputError(
    `Cannot recover the signer of a signature of scheme ${JSON.stringify(signingScheme)}`,
    { remedy: "Use an eip712 or ethsign signature; signers of other schemes cannot be recovered" },
  );
}

/** 32 bytes of hex on their own, the form of a private key. */
const KEY_LIKE = /(?<![0-9a-z])(?:0x)?([0-9a-f]{64})(?![0-9a-z])/gi;

/** Whether a text contains the private key of an account, as hex. */
export async function holdsKey(text: string, address: string): Promise<boolean> {
  const candidates = Array.from(text.matchAll(KEY_LIKE), ([, digits]) => digits);
  if (candidates.length === 0) return false;
  // Loaded on demand, since hardly any text needs this part of viem.
  const { privateKeyToAddress } = await import("viem/accounts");
  return candidates.some((digits) => {
    try {
      return sameHex(privateKeyToAddress(`0x${digits}`), address);
    } catch {
      return false;
    }
  });
}
