import type { HttpRequest, HttpResponse } from "../../http/mod.ts";

/**
 * Whether a proxy in front of the service blocks the sender: 403 with an HTML page. Where a route is
 * closed to the public, as those of debug reports are, such a page is no block.
 */
export function isBlock({ path }: HttpRequest, { status, contentType, body }: HttpResponse) {
  if (status !== 403 || path.startsWith("/restricted/")) return false;
  return /\bhtml\b/i.test(contentType ?? "") || /^\s*<(?:!doctype\s+html|html|head)\b/i.test(body);
}
