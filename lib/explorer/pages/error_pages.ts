import {
  HttpError,
  InputError,
  NotFoundError,
  NotRecordedError,
  OrderlensError,
  RateLimitedError,
  TimeoutError,
  UnavailableError,
} from "../../errors/mod.ts";
import { cell } from "../../reports/page/page_content.ts";
import { plainContent } from "../markup/plain_content.ts";
import { sitePage } from "../markup/site_page.ts";
import { pageReply, type Reply } from "./reply.ts";

/** What a page about a failure says. */
export interface Failure {
  /** HTTP status. */
  readonly status: number;
  /** What failed, as one sentence. */
  readonly what: string;
  /** Why, as far as it is known. */
  readonly why?: string;
  /** What to do. */
  readonly remedy: string;
}

/** Something that the explorer shows on purpose instead of a page. */
export class FailureError extends Error {
  /** What is shown. */
  readonly failure: Failure;

  /** @param failure What is shown. */
  constructor(failure: Failure) {
    super(failure.what);
    this.failure = failure;
  }
}

/** The page about a failure. */
export function failurePage(failure: Failure, name: string): Reply {
  const { status, what, why, remedy } = failure;
  const content = plainContent({
    title: String(status),
    sentence: what,
    tone: status < 500 ? "warning" : "bad",
    facts: [
      ...why === undefined ? [] : [{ name: "Why", value: cell(why) }],
      { name: "What to do", value: cell(remedy) },
    ],
    sections: [],
    data: failure,
  });
  return pageReply(sitePage(content, { name }), status);
}

/** What a failure of the source means for who looks at it. Its errors show no secrets. */
export function failureOf(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  if (!(error instanceof OrderlensError)) return OWN_FAULT;
  const [what = "", ...facts] = error.message.split("\nFix: ", 1)[0]!.split("\n");
  const why = facts.map((line) => line.trim()).join("; ");
  return { status: statusOf(error), what, ...why !== "" && { why }, remedy: error.remedy };
}

function statusOf(error: OrderlensError): number {
  if (error instanceof InputError) return 400;
  if (error instanceof NotFoundError || error instanceof NotRecordedError) return 404;
  const isBusy = error instanceof RateLimitedError || error instanceof UnavailableError ||
    error instanceof TimeoutError || error instanceof HttpError && error.status === 503;
  return isBusy ? 503 : 502;
}

const OWN_FAULT: Failure = {
  status: 500,
  what: "This page could not be made",
  why: "The explorer has a fault; it goes on",
  remedy: "Report the address of this page and the version of Orderlens",
};
