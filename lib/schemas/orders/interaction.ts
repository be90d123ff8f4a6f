import { z } from "zod";
import { atoms } from "../codec/atoms.ts";
import { address, bytes } from "../codec/hex.ts";
import { leaf, leafOf, REFUSED } from "../codec/leaf.ts";

/** A contract call that is executed before or after an order's trade. */
export interface Interaction {
  /** Contract that is called. */
  target: string;
  /** Native atoms sent along; a hex quantity of an old deployment stays text. */
  value: bigint | string;
  /** Calldata as hex; one old deployment sent a list of byte values. */
  callData: string | readonly number[];
}

const readAtoms = leafOf(atoms)!.read;
const writeAtoms = leafOf(atoms)!.write!;
const readBytes = leafOf(bytes)!.read as (value: unknown) => string | typeof REFUSED;

const interactionValue = leaf<bigint | string>({
  expected: "native atoms: decimal digits as text, or a hex quantity",
  read: (value) =>
    typeof value === "string" && /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/.test(value)
      ? value
      : readAtoms(value) as bigint | typeof REFUSED,
  write: (value) => typeof value === "string" ? value : writeAtoms(value),
});

const interactionCallData = leaf<string | readonly number[]>({
  expected: "calldata: 0x and an even number of hex digits",
  read(value): string | readonly number[] | typeof REFUSED {
    if (!Array.isArray(value)) return readBytes(value);
    return value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
      ? value as readonly number[]
      : REFUSED;
  },
});

/** Schema of {@linkcode Interaction}. */
export const interaction: z.ZodType<Interaction> = z.looseObject({
  target: address,
  value: interactionValue,
  callData: interactionCallData,
});
