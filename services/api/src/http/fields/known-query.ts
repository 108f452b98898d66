import type { ErrorShape, ServedOperation } from '@mediagate/api-contract';
import type { Call } from '../exchange';
import { Query } from './query';

/** `language` is of the record that is answered where the caller prefers to wait. */
const OWN_WORDS = ['dry_run', 'language'];

/** Google's parameters of every API, `alt` and `$alt` as its clients send them. Only `alt` has an effect here. */
const GOOGLE_WORDS = [
  'alt',
  '$alt',
  '$.xgafv',
  'access_token',
  'callback',
  'fields',
  'key',
  'oauth_token',
  'prettyPrint',
  'quotaUser',
  'uploadType',
  'upload_protocol',
];

/** Query parameters that a submission takes, by the API whose clients send it. */
const WORDS: Readonly<Record<ErrorShape, readonly string[]>> = {
  standard: OWN_WORDS,
  imgtool: OWN_WORDS,
  // Behind the speed that stood in the path.
  legacy: ['dry_run', 'speed'],
  native: ['dry_run', ...GOOGLE_WORDS],
  // OpenAI's client for Azure sends `api-version` in every request.
  openai: ['dry_run', 'api-version'],
};

/** Most requests have no query, and a parser would make one of it. */
function asksAnything({ url }: Call['request']): boolean {
  return url.includes('?');
}

/**
 * `?dry_run=true` behind a change that has no such thing would have it made.
 *
 * @throws GatewayError `invalid_request` naming every word that the operation does not describe.
 */
export function requireDescribedQuery({ request }: Pick<Call, 'request'>, { parameters = [] }: ServedOperation): void {
  if (!asksAnything(request)) return;
  const query = new Query(request);
  for (const parameter of parameters) if (parameter.in === 'query') query.text(parameter.name);
  query.end();
}

/**
 * Whoever misspells `dry_run` would pay for a task.
 *
 * @throws GatewayError `invalid_request` naming every word that a submission in this dialect does not take.
 */
export function requireKnownQuery({ request }: Pick<Call, 'request'>, dialect: ErrorShape): void {
  if (!asksAnything(request)) return;
  const query = new Query(request);
  for (const word of WORDS[dialect]) query.text(word);
  query.end();
}
