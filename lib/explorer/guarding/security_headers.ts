/** What every answer says, so that a browser loads, runs and sends nothing else. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
  "cache-control": "no-cache",
};

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; " +
  "form-action 'self'";

/** The policy of a page in its head. `nonce` is that of its one script, if it has one. */
export function pagePolicy(nonce?: string): string {
  return nonce === undefined
    ? POLICY
    : `${POLICY}; script-src 'nonce-${nonce}'; connect-src 'self'`;
}

/** Headers of an answer. Frames can only be forbidden here, not in a page. */
export function securityHeaders(type: string, policy: string = pagePolicy()): Headers {
  return new Headers({
    ...SECURITY_HEADERS,
    "content-type": type,
    "content-security-policy": `${policy}; frame-ancestors 'none'`,
  });
}
