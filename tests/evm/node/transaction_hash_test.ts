import { assertEquals } from "@std/assert";
import { keccak256, type TransactionSerializable } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { parseTransaction } from "viem/utils";
import { transactionHash } from "../../../lib/evm/node/transaction_hash.ts";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const CALL = {
  to: `0x${"90".repeat(20)}`,
  data: "0x13d79a0b00",
  nonce: 5,
  gas: 21_000n,
  value: 0n,
} as const;
const ACCESS = [{
  address: `0x${"a1".repeat(20)}`,
  storageKeys: [`0x${"00".repeat(32)}`],
}] as const;
const FEES = { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };

const TRANSACTIONS: TransactionSerializable[] = [
  { ...CALL, type: "legacy", gasPrice: 7n },
  { ...CALL, type: "legacy", gasPrice: 7n, chainId: 100 },
  { ...CALL, type: "eip2930", gasPrice: 7n, chainId: 1, accessList: ACCESS },
  { ...CALL, type: "eip1559", chainId: 1, ...FEES },
  { ...CALL, type: "eip1559", chainId: 42161, ...FEES, accessList: ACCESS },
];

const TYPES: Record<string, string> = { legacy: "0x0", eip2930: "0x1", eip1559: "0x2" };

/** A signed transaction as a node writes it: quantities without leading zeros. */
async function answered(transaction: TransactionSerializable) {
  const serialized = await account.signTransaction(transaction);
  const { r, s, v, yParity, ...fields } = parseTransaction(serialized as `0x02${string}`);
  const quantity = (value: bigint | number | undefined) =>
    value === undefined ? undefined : `0x${value.toString(16)}`;
  const body = {
    type: TYPES[transaction.type!],
    to: fields.to,
    input: fields.data,
    nonce: quantity(fields.nonce ?? 0),
    gas: quantity(fields.gas),
    value: quantity(fields.value ?? 0n),
    gasPrice: quantity(Reflect.get(fields, "gasPrice")),
    maxFeePerGas: quantity(fields.maxFeePerGas),
    maxPriorityFeePerGas: quantity(fields.maxPriorityFeePerGas),
    chainId: quantity(fields.chainId),
    accessList: transaction.type === "legacy" ? undefined : fields.accessList ?? [],
    r: quantity(BigInt(r!)),
    s: quantity(BigInt(s!)),
    v: quantity(v ?? BigInt(yParity!)),
    yParity: quantity(yParity),
  };
  return { hash: keccak256(serialized), body };
}

Deno.test("transactionHash() is the hash of the signed bytes, of every common type", async () => {
  for (const transaction of TRANSACTIONS) {
    const { hash, body } = await answered(transaction);
    assertEquals(transactionHash(body), hash);
    const altered = { ...body, input: "0x13d79a0b01" };
    assertEquals(transactionHash(altered) === hash, false);
  }
});

Deno.test("transactionHash() is unknown without a signature, a field or a known type", async () => {
  const { body } = await answered(TRANSACTIONS[3]!);
  for (
    const lacking of [
      { r: "0x0" },
      { s: undefined },
      { yParity: undefined, v: undefined },
      { nonce: undefined },
      { chainId: undefined },
      { accessList: undefined },
      { maxFeePerGas: undefined },
      { type: "0x7e" },
      { to: null },
    ]
  ) {
    assertEquals(transactionHash({ ...body, ...lacking }), null);
  }
});
