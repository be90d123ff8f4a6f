import type { PageContent } from "../../reports/page/page_content.ts";

/** The parts of a page that is about the explorer itself, with what such a page needs not say. */
export type PlainContent =
  & Pick<PageContent, "title" | "sentence" | "sections" | "data">
  & Partial<PageContent>;

/** A page that is no report. */
export function plainContent(content: PlainContent): PageContent {
  return {
    subject: { auction: 0 },
    tone: "neutral",
    facts: [],
    network: null,
    command: "orderlens serve",
    ...content,
  };
}
