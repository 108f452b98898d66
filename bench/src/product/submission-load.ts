import { hashSecret, parseApiKey } from '@mediagate/identity';
import type { RunningProgram } from '../machine/processes';
import type { Stage } from '../stage';
import { type Account, type Books, PEPPER } from './books';
import type { Load } from './http-contender';
import { SUBMISSION } from './tasks';

/** The first account of the books submits images. */
export function submissionTo(url: string, books: Books, connections: number): Load {
  return {
    url: `${url}/v1/images/generations`,
    method: 'POST',
    headers: { ...authorization(books), 'Content-Type': 'application/json' },
    body: JSON.stringify(SUBMISSION),
    connections,
  };
}

export function authorization(books: Books): Record<string, string> {
  return { Authorization: `Bearer ${hot(books).key.key}` };
}

/** @param options.redis the number of the Redis database that the program has to itself */
export function startReferenceApi(
  stage: Stage,
  { path, books, redis }: { path: string; books: Books; redis: number },
): Promise<RunningProgram> {
  return stage.startProgram(path, {
    DATABASE_URL: books.url,
    REDIS_URL: stage.servers.redisUrl(redis),
    PEPPER,
    ...keyFacts(books),
  });
}

/** The hot account and its key, for programs that keep them as a cache would. */
function keyFacts(books: Books): Record<'ACCOUNT_ID' | 'KEY_ID' | 'KEY_HASH', string> {
  const { id, key } = hot(books);
  const { secret = '' } = parseApiKey(key.key) ?? {};
  return { ACCOUNT_ID: id, KEY_ID: key.id, KEY_HASH: hashSecret(PEPPER, secret).toString('hex') };
}

function hot(books: Books): Account {
  return books.accounts[0] as Account;
}
