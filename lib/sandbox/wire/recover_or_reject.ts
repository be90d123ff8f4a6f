import { InputError } from "../../errors/mod.ts";
import { rejection } from "./reply.ts";

/**
 * The recoverOrReject signer.
 *
 * @param description Error description for a signature that recovers to no signer.
 * @throws {Rejection} 400 with a type, for such a signature.
 */
export async function recoverOrReject(
  recover: () => Promise<string>,
  description: string,
): Promise<string> {
  try {
    return await recover();
  } catch (error) {
    throw error instanceof InputError ? rejection(400, "InvalidSignature", description) : error;
  }
}
