import { GatewayError, message, type Nano, nanoToNumber } from '@mediagate/contracts';

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
export function requireWithinMaxCost(reservedNano: Nano, maxCost: MaxCost | undefined): void {
  const required = nanoToNumber(reservedNano);
  if (maxCost === undefined || required <= maxCost.amount) return;
  const { field } = maxCost;
  throw new GatewayError('insufficient_balance', message('max_cost_exceeded', { required, field }), {
    reason: 'max_cost_exceeded',
    param: field,
    figures: { required },
  });
}
