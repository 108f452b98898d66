import type { Shortage } from '@mediagate/billing';
import { expectedCost, type PricePart, priceParts } from '@mediagate/catalog';
import type { Message, Nano } from '@mediagate/contracts';
import type { Caller } from './caller';
import { type PrepareDeps, type Prepared, type PreparedRequest, prepare } from './prepare-submission';
import type { TaskPrice } from './price-task';

/** What a submission would cost. */
export interface Estimate {
  /** Exactly what would be held. */
  reservedNano: Nano;
  expectedNano: Nano;
  /** Account and key have the money now. */
  affordable: boolean;
  parts: readonly PricePart[];
  warnings: readonly Message[];
}

export interface EstimateDeps {
  /** Whose money would not do; undefined: it looks as if it would. */
  findShortage(keyId: string, amountNano: bigint): Promise<Shortage | undefined>;
}

/** The price of a submission by the code that books it, which is not called. */
export function createEstimateTask(deps: PrepareDeps & EstimateDeps): (request: PreparedRequest) => Promise<Estimate> {
  return async (request) => {
    const { price, ...prepared } = await prepare(request, deps);
    return describePrice(request.caller, { ...prepared, ...price }, deps);
  };
}

/** @param priced what would be booked. */
export async function describePrice(
  caller: Caller,
  { entry, input, rates, reservedNano, warnings }: Pick<Prepared, 'entry' | 'input' | 'warnings'> & TaskPrice,
  { findShortage }: EstimateDeps,
): Promise<Estimate> {
  return {
    reservedNano,
    expectedNano: expectedCost(entry, input, rates),
    affordable: (await findShortage(caller.id, reservedNano)) === undefined,
    parts: priceParts(entry, input, rates),
    warnings,
  };
}
