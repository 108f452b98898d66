import type { EarlierSubmission, KeyedRequest, Shortage } from '@mediagate/billing';
import type { Nano } from '@mediagate/contracts';
import { insufficient } from '../book-task';
import { type GenerateRequest, priceText, refuseRepetition } from './generate';

export interface RefuseEarlyDeps {
  findEarlier(request: KeyedRequest): Promise<EarlierSubmission | undefined>;
  /** Finds whose money is short, the key's or the account's; undefined: both seem to have enough. */
  findShortage(keyId: string, amountNano: Nano): Promise<Shortage | undefined>;
}

/**
 * Judges a text before the files that it names are fetched. The body has the smallest of files in their places, so the price is the
 * least that the text can cost: a text that passes may still be refused once the files are there.
 *
 * @throws GatewayError as `generate` does before it reserves; `idempotency_conflict`, `insufficient_balance`.
 */
export async function refuseEarly(
  text: Pick<GenerateRequest, 'caller' | 'offered' | 'body' | 'headers' | 'idempotency' | 'writer'>,
  { findEarlier, findShortage }: RefuseEarlyDeps,
): Promise<void> {
  const { caller, idempotency, writer } = text;
  const earlier = idempotency && (await findEarlier({ keyId: caller.id, ...idempotency }));
  if (earlier) refuseRepetition(earlier, writer);
  const { reservedNano, leastNano: requiredNano = reservedNano } = priceText(text);
  const shortage = await findShortage(caller.id, requiredNano);
  if (shortage) throw insufficient({ ...shortage, requiredNano }, caller);
}
