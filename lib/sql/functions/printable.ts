/** A text with its control characters as `\u0000`, so that C strings and terminals take all of it. */
export function printable(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
