import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { LegendEntry } from "../looks.ts";
import { nameRows, readRows, type RowKind, type Rows } from "../rows.ts";
import { joinSentences, singularize } from "../texts/count_text.ts";
import type { Chart } from "./chart.ts";
import {
  convertToDollars,
  type Currency,
  DOLLAR_RATE,
  DOLLARS,
  type RatedRow,
} from "./currency.ts";
import { CHART_OPTIONS, type ChartOptions, resolveWidth, setWidth } from "./chart_options.ts";
import { requireColors } from "./chosen_colors.ts";
import { drawFigure } from "./figure.ts";
import type { Panel } from "./panel.ts";

/** Rows and options of a chart, declared once beside its options. */
interface ChartInput<Row, Options> extends RowKind<NoInfer<Row>> {
  /** Name of the function that draws. */
  readonly chart: string;
  /** Rules of its options, beside those of every chart. */
  readonly options: OptionRules<Omit<Options, keyof ChartOptions>>;
  /**
   * Columns that the options select. A frame must have all of them; other rows may lack those that are
   * declared in `columns`. @default {none}
   */
  readonly selectColumns?: (options: Options) => readonly string[];
  /** Column that names each row; the option `by` replaces it by another. @default {none} */
  readonly nameColumn?: keyof Row & string;
}

/** Unit of amounts where a caller does not name the native token. */
const NATIVE_TOKENS = "native tokens";

/** Options of a chart with its defaults. */
type ResolvedOptions<Options, Defaults> =
  & Options
  & { readonly [Name in keyof Defaults & keyof Options]-?: NonNullable<Options[Name]> }
  & { readonly width: number; readonly nativeSymbol: string };

export interface EmptyTexts {
  readonly title: string;
  /** Reason without rows, such as `No fills in this range`. */
  readonly noRows: string;
  /** Reason if no row can be drawn, such as `No fill in this range has a known size`. */
  readonly noValues: string;
}

/**
 * The declaration of a picture: what it selects from its rows, and what it draws and says of them.
 * Each part takes one object: the options with their defaults, what `select` returns, and, from
 * `panels` on, what `axes` returns.
 */
interface Picture<
  Row extends object,
  Options extends ChartOptions,
  Defaults extends Partial<Options>,
  Selection extends { readonly drawnRows: readonly Row[] },
  Axes,
> {
  readonly defaults?: Defaults;
  /**
   * Selects what is drawn. Without any `drawnRows`, the figure says why.
   */
  readonly select: (rows: readonly Row[], options: ResolvedOptions<Options, Defaults>) => Selection;
  readonly empty:
    | EmptyTexts
    | ((selection: Selection & ResolvedOptions<Options, Defaults>) => EmptyTexts);
  /** Lays out the axes. @default {none} */
  readonly axes?: (selection: Selection & ResolvedOptions<Options, Defaults>) => Axes;
  /** The panels with their marks, from top to bottom; those in a list stand side by side. */
  readonly panels: (
    selection: Selection & ResolvedOptions<Options, Defaults> & Axes,
  ) => readonly (Panel | readonly Panel[])[];
  /** Entries of the legend. @default {nothing} */
  readonly legend?: (
    selection: Selection & ResolvedOptions<Options, Defaults> & Axes,
  ) => readonly LegendEntry[];
  /** Everything that a caller may choose a colour for. @default {the legend} */
  readonly series?: (
    selection: Selection & ResolvedOptions<Options, Defaults> & Axes,
  ) => readonly LegendEntry[];
  /**
   * Finding: up to three sentences with the numbers that are drawn, without their full stops.
   * Where nothing is drawn, the finding is the reason from `empty`.
   */
  readonly finding: (
    selection: Selection & ResolvedOptions<Options, Defaults> & Axes,
  ) => readonly (string | null | undefined | false)[];
  readonly title: (selection: Selection & ResolvedOptions<Options, Defaults> & Axes) => string;
  /** Sentences of the caption. There are no axes where nothing is drawn. */
  readonly caption: (
    selection: Selection & ResolvedOptions<Options, Defaults> & Partial<Axes>,
  ) => readonly (string | null | undefined | false)[];
  /** Description for readers who cannot see it. @default {the title, then the caption} */
  readonly describe?: (
    selection: Selection & ResolvedOptions<Options, Defaults>,
    caption: string,
  ) => string;
}

/** A chart: the function that draws rows of one kind. */
export interface Draw<Row extends object, Options extends ChartOptions> {
  /**
   * Draws rows, or a frame with their columns.
   *
   * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
   */
  (rows: Rows<Row & RatedRow>, options?: Options): Chart<Row>;
}

/** Defines a chart: a function that takes rows and options and draws. */
export function defineChart<
  Row extends object,
  Options extends ChartOptions,
  Selection extends { readonly drawnRows: readonly Row[] },
  Defaults extends Partial<Options> = Record<never, never>,
  Axes = Record<never, never>,
>(
  declared: ChartInput<Row, Options> & Picture<Row, Options, Defaults, Selection, Axes>,
): Draw<Row, Options> {
  const { chart, options: chartOptions, selectColumns, nameColumn } = declared;
  const action = `Cannot draw ${chart}`;
  const rules = { ...CHART_OPTIONS, ...chartOptions } as unknown as OptionRules<Options>;
  const draw: Draw<Row, Options> = (input, options = {} as Options) => {
    checkOptions(options, rules, action);
    const { by, currency } = options as { by?: string; currency?: Currency };
    const read = (kind: RowKind<Row>) =>
      nameColumn === undefined || by === undefined
        ? readRows<Row>(input, kind, { action, frameColumns: selectColumns?.(options) })
        : nameRows<Row>(input, kind, { action, nameColumn, by });
    if (currency !== "usd") return drawPicture(chart, read(declared), options, declared);
    const columns = { ...declared.columns, [DOLLAR_RATE]: "number?" };
    const ratedKind = { ...declared, columns } as unknown as RowKind<Row>;
    const { rows, note } = convertToDollars(read(ratedKind), action);
    const dollarOptions: Options = { ...options, nativeSymbol: DOLLARS };
    const dollarPicture: typeof declared = {
      ...declared,
      caption: (selection) => [...declared.caption(selection), note],
    };
    return drawPicture(chart, rows, dollarOptions, dollarPicture);
  };
  return Object.defineProperty(draw, "name", { value: chart });
}

/**
 * Draws a picture of rows and options that were checked already. Without the option `width`, it can be
 * drawn again in the widths of phones and pages.
 *
 * @throws {InputError} If a margin leaves no room, or a colour is invalid or for an unknown name.
 */
export function drawPicture<
  Row extends object,
  Options extends ChartOptions,
  Selection extends { readonly drawnRows: readonly Row[] },
  Defaults extends Partial<Options> = Record<never, never>,
  Axes = Record<never, never>,
>(
  chart: string,
  rows: readonly Row[],
  options: Options,
  declared: Picture<Row, Options, Defaults, Selection, Axes>,
): Chart<Row> {
  const { source, subtitle, colors } = options;
  const width = resolveWidth(options);
  const action = `Cannot draw ${chart}`;
  if (colors !== undefined) requireColors(colors, action);
  const redraw = options.width === undefined
    ? (width: number) => drawPicture(chart, rows, setWidth(options, width), declared).svg
    : undefined;
  const setOptions = Object.entries(options).filter(([, value]) => value !== undefined);
  const resolved = {
    nativeSymbol: NATIVE_TOKENS,
    ...declared.defaults,
    ...Object.fromEntries(setOptions),
    width,
  } as ResolvedOptions<Options, Defaults>;
  const selection = { ...resolved, ...declared.select(rows, resolved) };
  const { drawnRows }: Selection = selection;
  if (drawnRows.length === 0) {
    const { empty } = declared;
    const { title, noRows, noValues } = typeof empty === "function" ? empty(selection) : empty;
    const reason = rows.length === 0 ? noRows : noValues;
    return drawFigure<Row>({
      title: options.title ?? title,
      subtitle,
      description: `There is nothing to draw: ${reason}.`,
      panels: reason,
      caption: joinSentences(
        declared.caption(selection as typeof selection & Partial<Axes>),
        source,
      ),
      finding: formatFinding(options, () => [reason]),
      width,
      rows: [],
      redraw,
    });
  }
  const parts = { ...selection, ...declared.axes?.(selection) as Axes };
  const caption = joinSentences(declared.caption(parts), source);
  const title = options.title ?? singularize(declared.title(parts));
  const legend = declared.legend?.(parts) ?? [];
  const series = declared.series?.(parts) ?? legend;
  return drawFigure({
    title,
    subtitle,
    description: declared.describe?.(parts, caption) ?? `${title}. ${caption}`,
    legend,
    panels: declared.panels(parts),
    caption,
    finding: formatFinding(options, () => declared.finding(parts)),
    width,
    rows: drawnRows,
    chosen: colors && { colors, series, action },
    redraw,
  });
}

/** Returns the caller's finding, or that of the chart; empty if the caller wants none. */
function formatFinding(
  { finding }: ChartOptions,
  findSentences: () => readonly (string | null | undefined | false)[],
): string {
  if (finding !== undefined) return finding || "";
  const text = joinSentences(findSentences(), undefined);
  return text === "" ? "" : `${text}.`;
}
