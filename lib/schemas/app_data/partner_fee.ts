import { z } from "zod";
import { address } from "../codec/hex.ts";
import { integer } from "../codec/scalars.ts";

/** A partner fee on the volume. */
export interface VolumePartnerFee {
  /** Share of the volume, in basis points. */
  volumeBps: number;
  /** Who receives it. */
  recipient: string;
}

/** A partner fee on the volume, as in documents before 1.4.0. */
export interface LegacyPartnerFee {
  /** Share of the volume, in basis points. */
  bps: number;
  /** Who receives it. */
  recipient: string;
}

/** A partner fee on the surplus over the limit price. */
export interface SurplusPartnerFee {
  /** Share of the surplus, in basis points. */
  surplusBps: number;
  /** Cap, in basis points of the volume. */
  maxVolumeBps: number;
  /** Who receives it. */
  recipient: string;
}

/** A partner fee on the improvement over the quote. */
export interface PriceImprovementPartnerFee {
  /** Share of the improvement, in basis points. */
  priceImprovementBps: number;
  /** Cap, in basis points of the volume. */
  maxVolumeBps: number;
  /** Who receives it. */
  recipient: string;
}

/** A partner fee in any of its forms. */
export type PartnerFee =
  | VolumePartnerFee
  | LegacyPartnerFee
  | SurplusPartnerFee
  | PriceImprovementPartnerFee;

/** Schema of {@linkcode PartnerFee}. */
export const partnerFee: z.ZodType<PartnerFee> = z.union([
  z.looseObject({ volumeBps: integer, recipient: address }),
  z.looseObject({ surplusBps: integer, maxVolumeBps: integer, recipient: address }),
  z.looseObject({ priceImprovementBps: integer, maxVolumeBps: integer, recipient: address }),
  z.looseObject({ bps: integer, recipient: address }),
]);
