import type { Database } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import { createKeyFinder, KeyUses } from '@mediagate/identity';
import type { ApiConfig } from './config';
import { type Authenticator, createAuthenticator } from './http/authenticate';

/** Interval of writes of which keys were used. */
const KEY_USES_MS = 60_000;

interface KeyOptions {
  config: ApiConfig;
  database: Database;
  usesMs: number | undefined;
}

/** Lets keys in, and notes their use: written a minute later, and at the end of the process. */
export function openKeys(scope: Scope, { config, database, usesMs = KEY_USES_MS }: KeyOptions): Authenticator {
  const uses = new KeyUses(database);
  const write = () => uses.write().catch((error: unknown) => scope.logger.warn('key.uses_not_written', { error }));
  const timer = setInterval(() => void write(), usesMs);
  scope.defer('uses of keys', () => {
    clearInterval(timer);
    return write();
  });
  const { MEDIAGATE_KEY_PEPPER: pepper } = config;
  return createAuthenticator({ findKey: createKeyFinder(database), pepper, noteUse: (keyId) => uses.note(keyId) });
}
