import { InputError } from "../../errors/mod.ts";
import { refuse } from "./reply.ts";

/**
 * The signer that `recover` finds.
 *
 * @param words What is said of a signature that no key can have made.
 * @throws {Rejection} 400 with a type, for such a signature.
 */
export async function recovered(recover: () => Promise<string>, words: string): Promise<string> {
  try {
    return await recover();
  } catch (error) {
    throw error instanceof InputError ? refuse(400, "InvalidSignature", words) : error;
  }
}
