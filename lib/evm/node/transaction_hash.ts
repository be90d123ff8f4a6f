import { keccak256, serializeTransaction } from "viem/utils";

/** The fields of a transaction as returned by a node. */
export type TransactionFields = Readonly<Record<string, unknown>>;

type TransactionSerializable = Parameters<typeof serializeTransaction>[0];

const QUANTITY = /^0x[0-9a-f]{1,64}$/i;

/**
 * The hash of a transaction's own bytes: of its fields and its signature.
 *
 * @returns `null` if the node does not report all of them, or if the transaction is of another type
 * than 0, 1 and 2.
 */
export function transactionHash(fields: TransactionFields): string | null {
  const { r, s, v, yParity, type } = fields;
  if (![r, s].every((one) => isQuantity(one) && BigInt(one) > 0n)) return null;
  const serializable = serializableOf(fields);
  const parity = type === "0x0" || type === undefined ? v : yParity ?? v;
  if (serializable === null || !isQuantity(parity)) return null;
  const signature = { r: word(r as string), s: word(s as string) };
  try {
    return keccak256(
      serializeTransaction(serializable, {
        ...signature,
        ...serializable.type === "legacy"
          ? { v: BigInt(parity) }
          : { yParity: Number(parity), v: BigInt(parity) },
      }),
    );
  } catch {
    // Fields that no transaction has, such as a fee above the maximum: its bytes are unknown.
    return null;
  }
}

function serializableOf(fields: TransactionFields): TransactionSerializable | null {
  const { to, input, type = "0x0" } = fields;
  const [nonce, gas, value] = ["nonce", "gas", "value"].map((name) => bigintOf(fields, name));
  if (typeof to !== "string" || typeof input !== "string") return null;
  if (nonce === null || gas === null || value === null) return null;
  const common = {
    to: hex(to),
    data: hex(input),
    nonce: Number(nonce),
    gas: gas!,
    value: value!,
  };
  const gasPrice = bigintOf(fields, "gasPrice");
  if (type === "0x0") {
    return gasPrice === null ? null : { ...common, type: "legacy", gasPrice };
  }
  const chainId = bigintOf(fields, "chainId");
  const accessList = accessListOf(fields.accessList);
  if (chainId === null || accessList === null) return null;
  const typed = { ...common, chainId: Number(chainId), accessList };
  if (type === "0x1") return gasPrice === null ? null : { ...typed, type: "eip2930", gasPrice };
  const maxFeePerGas = bigintOf(fields, "maxFeePerGas");
  const maxPriorityFeePerGas = bigintOf(fields, "maxPriorityFeePerGas");
  if (type !== "0x2" || maxFeePerGas === null || maxPriorityFeePerGas === null) return null;
  return { ...typed, type: "eip1559", maxFeePerGas, maxPriorityFeePerGas };
}

function accessListOf(value: unknown) {
  if (!Array.isArray(value)) return null;
  const entries = value.map((entry) => {
    const { address, storageKeys } = Object(entry);
    return { address: hex(String(address)), storageKeys: Array.from(storageKeys ?? [], hex) };
  });
  return entries;
}

function bigintOf(fields: TransactionFields, name: string): bigint | null {
  const value = fields[name];
  return isQuantity(value) ? BigInt(value) : null;
}

function isQuantity(value: unknown): value is string {
  return typeof value === "string" && QUANTITY.test(value);
}

function word(quantity: string): `0x${string}` {
  return `0x${quantity.slice(2).padStart(64, "0")}`;
}

function hex(text: unknown): `0x${string}` {
  return `0x${String(text).slice(2)}`;
}
