/**
 * Enforces the language of the house in `lib/` and `tools/`, as `docs/architecture.md` says it:
 * functions begin with a verb, types are things, variables are nouns, docs are statements.
 *
 * `language/functions` rejects names ending in `Of` or `In`, `language/types` types of one participle,
 * `language/limits` limits named `MOST_…` or `LEAST_…`, `language/variables` bare participles,
 * pronouns and prepositions, `language/docs` docs that begin with a question word.
 *
 * @module
 */
import { type Declaration, visitDeclarations } from "./declarations.ts";
import {
  ALLOWED_FUNCTIONS,
  beginsWithQuestion,
  isHalfSentence,
  isOldLimit,
  isParticipleType,
  isRefusedWord,
} from "./words.ts";

const CHECKED = /^(?!.*\/tests\/).*\/(?:lib|tools)\//;

/** A rule that rejects declarations of one kind. */
function reject(
  kind: Declaration["kind"],
  isRejected: (text: string) => boolean,
  explain: (text: string) => { readonly message: string; readonly hint: string },
): Deno.lint.Rule {
  return {
    create(context) {
      if (!CHECKED.test(context.filename)) return {};
      return visitDeclarations(context, (declaration) => {
        if (declaration.kind !== kind || !isRejected(declaration.text)) return;
        // A property has its name where it is declared.
        if (declaration.isShorthand) return;
        context.report({ range: declaration.range, ...explain(declaration.text) });
      });
    },
  };
}

const plugin: Deno.lint.Plugin = {
  name: "language",
  rules: {
    functions: reject(
      "function",
      (name) => isHalfSentence(name) && !(name in ALLOWED_FUNCTIONS),
      (name) => ({
        message: `${name} is half a sentence`,
        hint: "Begin with a verb that says what it does, such as formatReason or requireNode.",
      }),
    ),
    types: reject("type", isParticipleType, (name) => ({
      message: `${name} says what happens, not what it is`,
      hint: "Name the thing, such as ExportContext or RequestOutcome.",
    })),
    limits: reject("variable", isOldLimit, (name) => ({
      message: `${name} is a limit`,
      hint: `Name it ${name.replace(/^MOST/, "MAX").replace(/^LEAST/, "MIN")}.`,
    })),
    variables: reject("variable", isRefusedWord, (name) => ({
      message: `${name} leaves open which thing it is`,
      hint: "Name the thing, such as order, index or olderFills.",
    })),
    docs: reject("doc", beginsWithQuestion, (doc) => ({
      message: `A doc begins with ${doc.split(" ", 1)[0]}`,
      hint: "Write a statement that can be read alone, such as `Limits of one request.`",
    })),
  },
};

export default plugin;
