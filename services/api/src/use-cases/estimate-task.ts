import { findShortage, readKeyBalance } from '@mediagate/billing';
import { expectedCost, type PricePart, priceParts } from '@mediagate/catalog';
import type { Message, Nano } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { readAccount } from '@mediagate/identity';
import type { Api } from '../api';
import { type Caller, requireActive } from './caller';
import { type Prepared, type PreparedRequest, type Preparing, prepare } from './prepare-submission';
import type { TaskPrice } from './price-task';

/** The cost that a submission would have. */
export interface Estimate {
  /** Exactly what would be held. */
  reservedNano: Nano;
  expectedNano: Nano;
  /** Account and key have the money now; for a key of the scope `own`, its quota alone. Undefined: such a key has no quota. */
  affordable: boolean | undefined;
  parts: readonly PricePart[];
  warnings: readonly Message[];
}

/** The price of a submission by the code that books it, which is not called. */
export async function estimateTask(api: Preparing, request: PreparedRequest): Promise<Estimate> {
  const { price, ...prepared } = await prepare({ ...request, isEstimate: true }, api);
  return describePrice(request.caller, { ...prepared, ...price }, api);
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
  { database }: Pick<Api, 'database'>,
): Promise<Estimate> {
  const [affordable, account] = await Promise.all([
    isAffordable(caller, leastNano, database),
    readAccount(database, caller.accountId),
  ]);
  requireActive({ accountState: account?.state ?? caller.accountState });
  return {
    reservedNano,
    expectedNano: expectedCost(entry, input, rates),
    affordable,
    parts: priceParts(entry, input, rates),
    warnings,
  };
}

async function isAffordable(caller: Caller, amountNano: Nano, database: Database): Promise<boolean | undefined> {
  if (caller.ownKeyId === null) return (await findShortage(database, caller.id, amountNano)) === undefined;
  const left = (await readKeyBalance(database, caller))?.remainNano;
  return left === undefined ? undefined : left >= amountNano;
}
