import {
  type HttpError,
  HttpStatusError,
  NotFoundError,
  RateLimitedError,
  ServiceError,
  UnauthorizedError,
  UnavailableError,
} from "../../errors/mod.ts";
import { type HttpRequest, type HttpResponse, requestLine, retryAfterMs } from "../../http/mod.ts";
import { explanationOf, withoutBacktrace } from "./explanation_of.ts";
import type { Purpose } from "./purpose.ts";
import { remedyOf } from "./service_remedies.ts";

/**
 * The typed error for an unsuccessful answer. The only place that interprets a status:
 *
 * - 429: {@linkcode RateLimitedError};
 * - 401 and 403: {@linkcode UnauthorizedError}, unless the service explains what is wrong with the
 *   request (the signature of a cancellation, a deny-listed trader);
 * - 404 that says "not found", or has no explanation: {@linkcode NotFoundError}, or
 *   {@linkcode UnavailableError} if the request had a body, since then the route is missing;
 * - any other explanation of the service: {@linkcode ServiceError};
 * - anything else: {@linkcode HttpStatusError}.
 */
export function refusalOf(
  response: HttpResponse,
  request: HttpRequest,
  purpose: Purpose,
): HttpError {
  const { status } = response;
  const cannot = `Cannot ${purpose.wanted}`;
  const about = {
    request: requestLine(request),
    status,
    body: withoutBacktrace(response.body),
  };
  const explanation = explanationOf(response);

  if (status === 429) {
    return new RateLimitedError(`${cannot}: too many requests`, {
      ...about,
      retryAfterMs: retryAfterMs(response.headers),
      remedy: "Wait before retrying, and lower the option `rateLimit`",
    });
  }
  const isExplained = explanation !== undefined && request.method !== "GET";
  if ((status === 401 || status === 403) && !isExplained) {
    return new UnauthorizedError(
      `${cannot}: the service ${status === 401 ? "requires credentials" : "denies access"}`,
      {
        ...about,
        remedy: purpose.unauthorized ??
          "Pass a partner's key in the option `headers`, or check the key that was passed",
      },
    );
  }
  if (status === 404 && (explanation === undefined || explanation.errorType === "NotFound")) {
    if (explanation === undefined && request.method !== "GET") {
      return new UnavailableError(`${cannot}: this deployment has no such operation`, {
        ...about,
        remedy:
          "Check the address of the deployment; an older deployment may not offer the operation yet",
      });
    }
    return new NotFoundError(`${cannot}: the service does not have it`, {
      ...about,
      remedy: purpose.notFound ?? "Check the input, the network and the environment",
    });
  }
  if (explanation !== undefined) {
    const { errorType, description, data } = explanation;
    return new ServiceError(`${cannot}: ${errorType}`, {
      ...about,
      errorType,
      description,
      data,
      remedy: remedyOf(errorType),
    });
  }
  return new HttpStatusError(`${cannot}: the answer has status ${status}`, {
    ...about,
    remedy: remedyOfStatus(response),
  });
}

function remedyOfStatus({ status, body }: HttpResponse): string {
  if (status >= 500) return "Retry later; the service or a proxy failed";
  if (status === 413) return "Send less: the body exceeds the size limit of the service";
  if (status >= 400 && body === "") {
    return "Check the input: the service rejects it without an explanation";
  }
  if (status >= 400) return "Correct the input as described in the body of the answer";
  return "Check the address of the deployment: an order book does not answer like this";
}
