import type { DatasetManifest } from "../layout/manifest.ts";

/** A section on what is in no table, where there is any. */
export function driftLines({ drift: { unknownFields, unknownValues } }: DatasetManifest): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const lines = [
    ...unknownFields.map(({ kind, path, count }) => `| ${kind} | \`${cell(path)}\` | | ${count} |`),
    ...unknownValues.map(({ kind, path, value, count }) =>
      `| ${kind} | \`${cell(path)}\` | ${cell(JSON.stringify(value))} | ${count} |`
    ),
  ];
  if (lines.length === 0) return "";
  return `## Not known to this version

The answers hold fields and values that this version of Orderlens does not know. Fields are in \`raw/\`
alone, values also in the tables. A rebuild with a newer version may know them.

| kind | field | value | times |
| --- | --- | --- | --- |
${lines.join("\n")}

`;
}
