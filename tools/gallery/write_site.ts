import { shippedDatasets } from "../../lib/datasets/mod.ts";
import { publishSite } from "../../lib/explorer/mod.ts";
import { adaptSitePage } from "../../lib/cli/arguments/adapt_page.ts";
import { removePath } from "../../lib/datasets/layout/folders.ts";
import { Progress, type Screen, STDERR } from "../terminal/progress.ts";

/** A site of a dataset in the gallery. */
export interface GallerySite {
  /** Path of its first page, from the gallery. */
  readonly page: string;
  /** Name of the dataset. */
  readonly name: string;
  /** Number of its pages. */
  readonly pages: number;
}

/** Folder of the site in the gallery. */
const FOLDER = "site";

/** Writes the site of the dataset that ships into the gallery, in the place of an older one. */
export async function writeSite(gallery: string, screen: Screen = STDERR): Promise<GallerySite> {
  const [name = ""] = shippedDatasets();
  using _progress = new Progress(`Writing the site of ${name}`, screen);
  const folder = `${gallery}/${FOLDER}`;
  await removePath(folder);
  const { pages } = await publishSite(name, folder, { adaptPage: adaptSitePage });
  return { page: `${FOLDER}/index.html`, name, pages };
}
