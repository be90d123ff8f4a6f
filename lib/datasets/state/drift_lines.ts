import { pluralize } from "../../units/format.ts";
import type { DatasetDrift } from "../layout/manifest.ts";

/** Fields of one kind that a line names; the card has all. */
const MAX_NAMED = 4;

/**
 * Formats how the responses of a dataset differ from what this version knows, one line per kind of
 * difference.
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

/** Formats what tables lack in every row, as warnings for queries. */
export function formatDriftWarnings({ missingFields }: DatasetDrift): string[] {
  return formatDrift({
    missingFields,
    unreadableMembers: [],
    unknownFields: [],
    unknownValues: [],
  });
}

function formatLine<Found extends { readonly count: number }>(
  fields: readonly Found[],
  summary: string,
  format: (field: Found) => string,
): string[] {
  if (fields.length === 0) return [];
  const listed = fields.slice(0, MAX_NAMED)
    .map((field) => `${format(field)} (${pluralize(field.count, "time")})`);
  const more = fields.length - listed.length;
  return [
    `${summary}: ${listed.join("; ")}${more === 0 ? "" : `; and ${more} more, in README.md`}`,
  ];
}
