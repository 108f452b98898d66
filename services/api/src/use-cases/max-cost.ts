import { GatewayError, message, type Nano, nanoToNumber } from '@mediagate/contracts';

/**
 * Compares what callers see as the price with what they allow, so that the price they were shown is always enough.
 *
 * @param field names the limit as the caller does.
 * @throws GatewayError `insufficient_balance` with reason `max_cost_exceeded`.
 */
export function requireWithinMaxCost(reservedNano: Nano, maxCost: number | undefined, field = 'max_cost'): void {
  const required = nanoToNumber(reservedNano);
  if (maxCost === undefined || required <= maxCost) return;
  throw new GatewayError('insufficient_balance', message('max_cost_exceeded', { required, field }), {
    reason: 'max_cost_exceeded',
    param: field,
    figures: { required },
  });
}
