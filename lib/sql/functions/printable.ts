/** A text with its control characters as `\\u0000`, so that C strings and terminals take all of it. */
export function printable(text: string): string {
  // deno-lint-ignore no-control-regex -- those are what it replaces
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
