import type { Rates } from '@mediagate/catalog';
import { GatewayError, type JsonObject, message, type Nano, nanoToNumber } from '@mediagate/contracts';
import type { OfferedModel } from '../offered-models';

/** The amounts that a task is booked at, and the rates that it is settled by. */
export interface TaskPrice {
  rates: Rates;
  /** The most that it can cost. */
  reservedNano: Nano;
  /** Enough where there is less than that; absent: nothing less will do. */
  leastNano?: Nano;
}

/**
 * The price of the moment. It is asked for twice: to judge the submission, and again when it is booked, since fetching files, a
 * review or a wait for a slot may lie between.
 *
 * @throws GatewayError `unavailable` (the prices are not known), `insufficient_balance` (it can cost more than its caller allows).
 */
export function priceTask(
  { entry, ratesOf }: Pick<OfferedModel, 'entry' | 'ratesOf'>,
  input: JsonObject,
  maxCost: MaxCost | undefined,
): TaskPrice {
  const rates = ratesOf(input);
  const reservedNano = entry.reserve(input, rates);
  requireWithinMaxCost(reservedNano, maxCost);
  const leastNano = entry.least(input, rates);
  return { rates, reservedNano, ...(leastNano === undefined ? {} : { leastNano }) };
}

/** The highest cost that the caller allows. */
export interface MaxCost {
  /** Currency units. */
  amount: number;
  /** The field or header that names it. */
  field: string;
}

/**
 * Compares what callers see as the price with what they allow, so that the price they were shown is always enough.
 *
 * @throws GatewayError `insufficient_balance` with reason `max_cost_exceeded`.
 */
function requireWithinMaxCost(reservedNano: Nano, maxCost: MaxCost | undefined): void {
  const required = nanoToNumber(reservedNano);
  if (maxCost === undefined || required <= maxCost.amount) return;
  const { field } = maxCost;
  throw new GatewayError('insufficient_balance', message('max_cost_exceeded', { required, field }), {
    reason: 'max_cost_exceeded',
    param: field,
    figures: { required },
  });
}
