/** Whether a URL points to this machine: `localhost` and names under it, 127.0.0.0/8, `::1`. */
export function isLoopback(url: URL): boolean {
  const { hostname } = url;
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
