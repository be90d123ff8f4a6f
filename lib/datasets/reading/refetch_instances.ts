import { getInstance, routeInstances } from "../../endpoints/instances.ts";
import { DecodeError, HttpError, MismatchError, NotFoundError } from "../../errors/mod.ts";
import type { CallOptions } from "../../endpoints/mod.ts";
import type { Transport } from "../../http/mod.ts";
import { encodeInstance, type Instance } from "../../schemas/mod.ts";
import type { DatasetRequest } from "../layout/manifest.ts";
import { listChangedFields } from "./changed_fields.ts";

/** Instances that were requested again. */
export interface RefetchedInstances {
  /** Number of instances. */
  readonly instances: number;
  /** Ids of the auctions of those in which something has changed: nothing of an instance can. */
  readonly differingInstances: readonly number[];
  /** Those that cannot be compared: a store keeps them for about a month, and may refuse them. */
  readonly changed: readonly string[];
}

/** Requests instances again from the store of a dataset, and compares all of their fields. */
export async function refetchInstances(
  stored: readonly Instance[],
  { instances }: Pick<DatasetRequest, "instances">,
  { transport, signal }: CallOptions & { readonly transport: Transport },
): Promise<RefetchedInstances> {
  const differingInstances: number[] = [];
  const changeTexts: string[] = [];
  if (instances === undefined) return { instances: 0, differingInstances, changed: changeTexts };
  const store = routeInstances(transport, instances);
  for (const then of stored) {
    const id = then.id!;
    try {
      const now = { ...await getInstance(store, id, { signal }), id };
      const fields = listChangedFields(encodeInstance(then), encodeInstance(now));
      if (fields.length > 0) differingInstances.push(id);
    } catch (error) {
      if (error instanceof DecodeError || error instanceof MismatchError) {
        differingInstances.push(id);
      } else if (error instanceof NotFoundError) {
        changeTexts.push(`instance of auction ${id}: its store has it no longer`);
      } else if (error instanceof HttpError) {
        changeTexts.push(
          `instance of auction ${id}: its store refuses it, with status ${error.status}`,
        );
      } else throw error;
    }
  }
  differingInstances.sort((a, b) => a - b);
  return { instances: stored.length, differingInstances, changed: changeTexts };
}
