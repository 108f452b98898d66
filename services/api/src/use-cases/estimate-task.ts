import type { Shortage } from '@mediagate/billing';
import { expectedCost, type PricePart, priceParts } from '@mediagate/catalog';
import type { Message, Nano } from '@mediagate/contracts';
import type { AccountSummary } from '@mediagate/identity';
import { type Caller, requireActive } from './caller';
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
  /** As it is now, whatever the process remembers of the key. */
  readAccount(id: string): Promise<AccountSummary | undefined>;
}

/** The price of a submission by the code that books it, which is not called. */
export function createEstimateTask(deps: PrepareDeps & EstimateDeps): (request: PreparedRequest) => Promise<Estimate> {
  return async (request) => {
    const { price, ...prepared } = await prepare({ ...request, isEstimate: true }, deps);
    return describePrice(request.caller, { ...prepared, ...price }, deps);
  };
}

/**
 * @param priced what would be booked.
 * @throws GatewayError `permission` where the account is suspended or closed, as the submission would.
 */
export async function describePrice(
  caller: Caller,
  {
    entry,
    input,
    rates,
    reservedNano,
    leastNano = reservedNano,
    warnings,
  }: Pick<Prepared, 'entry' | 'input' | 'warnings'> & TaskPrice,
  { findShortage, readAccount }: EstimateDeps,
): Promise<Estimate> {
  const [shortage, account] = await Promise.all([findShortage(caller.id, leastNano), readAccount(caller.accountId)]);
  requireActive({ accountState: account?.state ?? caller.accountState });
  return {
    reservedNano,
    expectedNano: expectedCost(entry, input, rates),
    affordable: shortage === undefined,
    parts: priceParts(entry, input, rates),
    warnings,
  };
}
