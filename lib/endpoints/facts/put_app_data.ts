import { checkOptions } from "../../errors/option_rules.ts";
import { jsonOf, requestLine, type Transport } from "../../http/mod.ts";
import { decodeAppDataHash, encodeAppDataRegistration } from "../../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "../call/call_options.ts";
import { jsonText } from "../call/json_text.ts";
import { sendFor, withSignal } from "../call/send_for.ts";

/** Result of {@linkcode putAppData}. */
export interface RegisteredAppData {
  /** Hash of the document: the `appData` that orders sign. */
  readonly hash: string;
  /** Whether the document is new to the service. */
  readonly created: boolean;
}

/**
 * Registers an app data document, so that orders may refer to it by its hash. The answer is not
 * verified here; the client's `putAppData` compares it with the document's own hash.
 *
 * Calls `PUT /api/v1/app_data`. Registering a document again changes nothing.
 *
 * @throws {ServiceError} If the service rejects it, for example with `AppDataInvalid`.
 * @throws {HttpStatusError} With status 413 if it is too large.
 * @throws {DecodeError} If the answer is not a hash.
 */
export async function putAppData(
  transport: Transport,
  fullAppData: string,
  options: CallOptions = {},
): Promise<RegisteredAppData> {
  checkOptions(options, CALL_OPTIONS, "Cannot register app data");
  const request = withSignal({
    method: "PUT",
    path: "/api/v1/app_data",
    body: jsonText(encodeAppDataRegistration({ fullAppData })),
  }, options);
  const response = await sendFor({ wanted: "register app data" }, transport, request);
  const hash = decodeAppDataHash(jsonOf(response, request), { source: requestLine(request) });
  return { hash, created: response.status === 201 };
}
