import { pluralize } from "../../units/format.ts";
import type { DatasetDrift } from "../layout/manifest.ts";

/** Fields of one kind that a line names; the card has all. */
const MAX_NAMED = 4;

/**
 * How the responses of a dataset differ from what this version knows, one line for each way; none
 * where they do not.
 */
export function formatDrift(drift: DatasetDrift): string[] {
  const { unknownFields, unknownValues, unreadableMembers, missingFields } = drift;
  return [
    formatLine(
      missingFields,
      "Responses lack fields that they had before, whose columns are null",
      ({ kind, path, since }) => `${kind} ${path}, sent since ${since}`,
    ),
    formatLine(
      unreadableMembers,
      "App data has members that cannot be read, whose columns are null",
      ({ kind, path }) => `${kind} ${path}`,
    ),
    formatLine(
      unknownFields,
      "Responses have fields that this version does not know, and that no table has",
      ({ kind, path }) => `${kind} ${path}`,
    ),
    formatLine(
      unknownValues,
      "Responses have values that this version does not know",
      ({ kind, path, value }) => `${kind} ${path} ${JSON.stringify(value)}`,
    ),
  ].flat();
}

/** What tables lack of every row, as warnings for those who query them. */
export function formatDriftWarnings({ missingFields }: DatasetDrift): string[] {
  return formatDrift({
    missingFields,
    unreadableMembers: [],
    unknownFields: [],
    unknownValues: [],
  });
}

function formatLine<Found extends { readonly count: number }>(
  found: readonly Found[],
  what: string,
  format: (field: Found) => string,
): string[] {
  if (found.length === 0) return [];
  const named = found.slice(0, MAX_NAMED)
    .map((field) => `${format(field)} (${pluralize(field.count, "time")})`);
  const rest = found.length - named.length;
  return [`${what}: ${named.join("; ")}${rest === 0 ? "" : `; and ${rest} more, in README.md`}`];
}
