import { OrderlensError } from "../errors/orderlens_error.ts";
import { failureText, visibleText } from "./leaf.ts";
import type { ErrorOutline } from "./outline.ts";

const MAX_CAUSES = 8;

/** Outlines an error: message, remedy and causes, without stack and file paths. */
export function outlineError(error: Error): ErrorOutline {
  const remedy = error instanceof OrderlensError ? visibleText(error.remedy) : undefined;
  const lines = visibleText(error.message).split("\n");
  return {
    kind: "error",
    name: error.name,
    ...(error instanceof OrderlensError ? { code: error.code } : {}),
    lines: remedy === undefined ? lines : lines.filter((line) => line !== `Fix: ${remedy}`),
    ...(remedy === undefined ? {} : { remedy }),
    causes: causesOf(error),
  };
}

function causesOf(error: Error): string[] {
  const causes: string[] = [];
  let cause = error.cause;
  while (cause !== undefined && causes.length < MAX_CAUSES) {
    causes.push(cause instanceof Error ? failureText(cause) : visibleText(String(cause)));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}
