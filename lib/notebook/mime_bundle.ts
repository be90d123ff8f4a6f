/** One output of a value in several formats; the front end shows the richest one it supports. */
export interface MimeBundle {
  /** Content by media type, such as `text/plain` or `image/svg+xml`. */
  [mediaType: string]: string | object | undefined;
}

/** Whether `value` is a bundle: at least one entry, each under a media type. */
export function isMimeBundle(value: unknown): value is MimeBundle {
  if (typeof value !== "object" || value === null) return false;
  const mediaTypes = Object.keys(value);
  return mediaTypes.length > 0 && mediaTypes.every((type) => /^[\w.+-]+\/[\w.+-]+$/.test(type));
}
