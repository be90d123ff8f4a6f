/** One picture of a value in several formats; the front end shows the richest it knows. */
export interface MimeBundle {
  /** Media type, as `text/plain` or `image/svg+xml`, to what stands in it. */
  [mediaType: string]: string | object | undefined;
}

/** Whether `value` is a bundle: at least one entry, each under a media type. */
export function isMimeBundle(value: unknown): value is MimeBundle {
  if (typeof value !== "object" || value === null) return false;
  const mediaTypes = Object.keys(value);
  return mediaTypes.length > 0 && mediaTypes.every((type) => /^[\w.+-]+\/[\w.+-]+$/.test(type));
}
