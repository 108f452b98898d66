import type { Balance, Shortage } from '@mediagate/billing';
import { expectedCost, type PricePart, priceParts } from '@mediagate/catalog';
import type { Message, Nano } from '@mediagate/contracts';
import type { AccountSummary } from '@mediagate/identity';
import { type Caller, requireActive } from './caller';
import { type PrepareDeps, type Prepared, type PreparedRequest, prepare } from './prepare-submission';
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

export interface EstimateDeps {
  /** Finds whose money is short, the key's or the account's; undefined: both seem to have enough. */
  findShortage(keyId: string, amountNano: bigint): Promise<Shortage | undefined>;
  readKeyBalance(key: Caller): Promise<Balance | undefined>;
  /** Reads the account as it is now, whatever the process remembers of the key. */
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
  deps: EstimateDeps,
): Promise<Estimate> {
  const [affordable, account] = await Promise.all([
    isAffordable(caller, leastNano, deps),
    deps.readAccount(caller.accountId),
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

async function isAffordable(
  caller: Caller,
  amountNano: Nano,
  { findShortage, readKeyBalance }: EstimateDeps,
): Promise<boolean | undefined> {
  if (caller.ownKeyId === null) return (await findShortage(caller.id, amountNano)) === undefined;
  const left = (await readKeyBalance(caller))?.remainNano;
  return left === undefined ? undefined : left >= amountNano;
}
