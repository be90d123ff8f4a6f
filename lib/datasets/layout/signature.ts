/** Signatures of a manifest: of `ssh-keygen -Y sign`, and of minisign. */
export const SIGNATURES = ["manifest.json.sig", "manifest.json.minisig"] as const;

/** Namespace that `ssh-keygen -Y sign -n` is called with. */
const NAMESPACE = "file";
const MAGIC = "SSHSIG";
/** Version 1, as 4 bytes. */
const SSH_VERSION = Uint8Array.of(0, 0, 0, 1);
const ED25519 = "ssh-ed25519";
/** Head of an Ed25519 public key in DER (RFC 8410), before its 32 bytes. */
const DER_HEAD = "302a300506032b6570032100";

/** A public key for Ed25519. */
export type SignerKey =
  | { readonly file: "manifest.json.sig"; readonly key: Uint8Array }
  | { readonly file: "manifest.json.minisig"; readonly key: Uint8Array; readonly id: Uint8Array };

/**
 * Parses a public key for Ed25519: `ssh-ed25519 AAAA…` as in a `.pub` file, or `RW…` as in one of
 * minisign, with or without its comment. Returns `null` for other texts and other kinds of keys.
 */
export function parseSigner(text: string): SignerKey | null {
  const line = text.trim().split(/\r?\n/).at(-1) ?? "";
  const [, ssh] = /^ssh-ed25519 ([A-Za-z0-9+/=]+)(?: .*)?$/.exec(line) ?? [];
  if (ssh !== undefined) {
    const [kind, key] = readStrings(toBytes(ssh, "base64"));
    const isKey = kind !== undefined && decodeText(kind) === ED25519 && key?.length === 32;
    return isKey ? { file: "manifest.json.sig", key } : null;
  }
  const bytes = toBytes(line, "base64");
  return bytes.length === 42 && decodeText(bytes.subarray(0, 2)) === "Ed"
    ? { file: "manifest.json.minisig", id: bytes.subarray(2, 10), key: bytes.subarray(10) }
    : null;
}

/**
 * Finds why a signature is not one of a message by a key; `null` if it is.
 *
 * Sources: PROTOCOL.sshsig of OpenSSH; the format of signatures in the documentation of minisign.
 */
export function findSignatureFault(
  message: Uint8Array,
  signature: string,
  signer: SignerKey,
): string | null {
  return signer.file === "manifest.json.sig"
    ? findSshFault(message, signature, signer.key)
    : findMinisignFault(message, signature, signer);
}

function findSshFault(message: Uint8Array, text: string, key: Uint8Array): string | null {
  const [, body = ""] =
    /-----BEGIN SSH SIGNATURE-----([^-]*)-----END SSH SIGNATURE-----/.exec(text) ?? [];
  const bytes = toBytes(body.replaceAll(/\s/g, ""), "base64");
  const head = concatBytes([toBytes(MAGIC), SSH_VERSION]);
  if (!isEqual(bytes.subarray(0, head.length), head)) return "it is no signature of ssh-keygen";
  const [publicKey, namespace, reserved, algorithm, signature] = readStrings(
    bytes.subarray(head.length),
  );
  if (signature === undefined) return "it is no signature of ssh-keygen";
  const signerKey = concatBytes([toBytes(ED25519), key].map(writeString));
  if (!isEqual(publicKey, signerKey)) return "it is by another key";
  const hash = decodeText(algorithm!);
  if (hash !== "sha512" && hash !== "sha256") return "its hash is neither SHA-256 nor SHA-512";
  if (decodeText(namespace!) !== NAMESPACE) return `its namespace is not ${NAMESPACE}`;
  const signedBytes = concatBytes([
    toBytes(MAGIC),
    ...[namespace!, reserved!, algorithm!, digest(hash, message)].map(writeString),
  ]);
  const [kind, raw] = readStrings(signature);
  const isValid = kind !== undefined && decodeText(kind) === ED25519 &&
    isSigned(signedBytes, key, raw);
  return isValid ? null : "it is not of this file";
}

function findMinisignFault(
  message: Uint8Array,
  text: string,
  { key, id }: Extract<SignerKey, { id: Uint8Array }>,
): string | null {
  const [, line = "", trusted, global = ""] = text.split(/\r?\n/);
  const bytes = toBytes(line, "base64");
  const algorithm = decodeText(bytes.subarray(0, 2));
  const comment = trusted?.replace(/^trusted comment: /, "");
  const isHashed = algorithm === "ED";
  if (bytes.length !== 74 || comment === trusted || !isHashed && algorithm !== "Ed") {
    return "it is no signature of minisign";
  }
  if (!isEqual(bytes.subarray(2, 10), id)) return "it is by another key";
  const signature = bytes.subarray(10);
  const signedBytes = isHashed ? digest("blake2b512", message) : message;
  if (!isSigned(signedBytes, key, signature)) return "it is not of this file";
  const commented = concatBytes([signature, toBytes(comment!)]);
  return isSigned(commented, key, toBytes(global, "base64"))
    ? null
    : "its trusted comment was changed";
}

function isSigned(message: Uint8Array, key: Uint8Array, signature: Uint8Array | undefined) {
  if (signature?.length !== 64) return false;
  const { createPublicKey, verify } = process.getBuiltinModule("node:crypto");
  const der = concatBytes([toBytes(DER_HEAD, "hex"), key]);
  const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify(null, message, publicKey, signature);
}

function digest(algorithm: string, message: Uint8Array): Uint8Array {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash(algorithm).update(message).digest();
}

/** Reads strings of the wire format of SSH: a length of 4 bytes before each; stops where one is cut. */
function readStrings(bytes: Uint8Array): Uint8Array[] {
  const strings: Uint8Array[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start + 4 <= bytes.length;) {
    const end = start + 4 + view.getUint32(start);
    if (end > bytes.length) break;
    strings.push(bytes.subarray(start + 4, end));
    start = end;
  }
  return strings;
}

function writeString(bytes: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return concatBytes([length, bytes]);
}

function concatBytes(parts: readonly Uint8Array[]) {
  return process.getBuiltinModule("node:buffer").Buffer.concat(parts);
}

function isEqual(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a?.length === b.length && b.every((byte, index) => byte === a[index]);
}

/** Converts a text to bytes; characters that are no base64 are left out, as Node does. */
function toBytes(text: string, encoding: "utf8" | "hex" | "base64" = "utf8"): Uint8Array {
  return process.getBuiltinModule("node:buffer").Buffer.from(text, encoding);
}

function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
