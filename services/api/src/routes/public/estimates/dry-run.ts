import { nanoToNumber } from '@mediagate/contracts';
import { type Call, sendJson } from '../../../http/exchange';
import type { Estimate } from '../../../use-cases/estimate-task';
import { invalid } from '../../../use-cases/invalid';
import { wordsOf } from '../acknowledge';

/**
 * Only the price of the submission is asked for.
 *
 * @throws GatewayError `invalid_request`, naming `dry_run`.
 */
export function isDryRun({ request, given }: Pick<Call, 'request' | 'given'>): boolean {
  if (given) return true;
  const { dry_run: asked = 'false' } = request.query;
  if (asked !== 'true' && asked !== 'false') throw invalid('dry_run', 'must_be_one_of', { values: 'true, false' });
  return asked === 'true';
}

export function sendEstimate({ response, outcome }: Pick<Call, 'response' | 'outcome'>, estimate: Estimate): void {
  outcome.isUnpaid = true;
  const { reservedNano, expectedNano, affordable, parts, warnings } = estimate;
  const data = {
    reserved: nanoToNumber(reservedNano),
    expected: nanoToNumber(expectedNano),
    ...(affordable === undefined ? {} : { affordable }),
    unit_prices: parts.map(({ unit, rateNano, amountNano }) => ({
      unit,
      price: nanoToNumber(rateNano),
      quantity: Number(amountNano) / Number(rateNano),
    })),
    warnings: wordsOf(warnings, response),
  };
  sendJson(response, 200, { code: 200, data });
}
