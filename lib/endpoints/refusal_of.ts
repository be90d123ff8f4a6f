import {
  type HttpError,
  HttpStatusError,
  NotFoundError,
  RateLimitedError,
  ServiceError,
  UnauthorizedError,
  UnavailableError,
} from "../errors/mod.ts";
import { type HttpRequest, type HttpResponse, requestLine, retryAfterMs } from "../http/mod.ts";
import { explanationOf, withoutBacktrace } from "./explanation_of.ts";
import type { Purpose } from "./purpose.ts";
import { remedyOf } from "./service_remedies.ts";

/**
 * The typed error for an answer that is no success. The one place where a status gets its meaning:
 *
 * - 429: {@linkcode RateLimitedError};
 * - 401 and 403: {@linkcode UnauthorizedError}, unless the service explains what was wrong with
 *   something that was sent (the signature of a cancellation, a deny-listed trader);
 * - 404 that says "not found", or does not explain itself: {@linkcode NotFoundError}, and
 *   {@linkcode UnavailableError} where something was sent, since then it is the route that is missing;
 * - explained by the service in any other words: {@linkcode ServiceError};
 * - everything else: {@linkcode HttpStatusError}.
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
    return new RateLimitedError(`${cannot}: the service had too many requests`, {
      ...about,
      retryAfterMs: retryAfterMs(response.headers),
      remedy: "Wait before asking again, and lower the option `rateLimit`",
    });
  }
  const isExplained = explanation !== undefined && request.method !== "GET";
  if ((status === 401 || status === 403) && !isExplained) {
    return new UnauthorizedError(
      `${cannot}: the service ${status === 401 ? "asks for credentials" : "does not allow it"}`,
      {
        ...about,
        remedy: purpose.unauthorized ??
          "Pass the key of a partner in the option `headers`, or check the one that was passed",
      },
    );
  }
  if (status === 404 && (explanation === undefined || explanation.errorType === "NotFound")) {
    if (explanation === undefined && request.method !== "GET") {
      return new UnavailableError(`${cannot}: this deployment has no such operation`, {
        ...about,
        remedy: "Check the address of the deployment; an older one may not offer it yet",
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
  if (status >= 500) return "Try again later; the fault is the service's or of something before it";
  if (status === 413) return "Send less: the service takes no body of this size";
  if (status >= 400 && body === "") {
    return "Check the input: the service refuses it and says no more";
  }
  if (status >= 400) return "Correct the input as the body of the answer says";
  return "Check the address of the deployment: an order book does not answer like this";
}
