import { findShortage } from '@mediagate/billing';
import type { Api } from '../../api';
import { insufficient } from '../book-task';
import { type GenerateRequest, priceText, refuseRepetition } from './generate';

/**
 * Judges a text before the files that it names are fetched. The body has the smallest of files in their places, so the price is the
 * least that the text can cost: a text that passes may still be refused once the files are there.
 *
 * @throws GatewayError as `generate` does before it reserves; `idempotency_conflict`, `insufficient_balance`.
 */
export async function refuseEarly(
  text: Pick<GenerateRequest, 'caller' | 'offered' | 'body' | 'headers' | 'idempotency' | 'writer'>,
  { database, findEarlier, settlements }: Pick<Api, 'database' | 'findEarlier' | 'settlements'>,
): Promise<void> {
  const { caller, idempotency, writer } = text;
  const earlier = idempotency && (await findEarlier({ keyId: caller.id, ...idempotency }));
  if (earlier) refuseRepetition(earlier, writer);
  const { reservedNano, leastNano: requiredNano = reservedNano } = priceText(text);
  const shortage = await settlements.onceSettled(caller.accountId, {
    decide: () => findShortage(database, caller.id, requiredNano),
    lacksMoney: (found) => found !== undefined,
  });
  if (shortage) throw insufficient({ ...shortage, requiredNano }, caller);
}
