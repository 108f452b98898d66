import type { Call } from './exchange';
import { Query } from './query';

/** `language` is of the record that is answered where the caller prefers to wait. */
const WORDS = ['dry_run', 'language'];

/**
 * Whoever misspells `dry_run` would pay for a task.
 *
 * @throws GatewayError `invalid_request` naming every word that a submission does not take.
 */
export function requireKnownQuery({ request }: Pick<Call, 'request'>): void {
  const query = new Query(request);
  for (const word of WORDS) query.text(word);
  query.end();
}
