import { openOwnDatabase } from '@mediagate/database';
import type { Config, Scope } from '@mediagate/host';
import {
  closeOtherSessions,
  closeSession,
  createSealer,
  findSession,
  isKnownUser,
  renewCredential,
  signIn,
  signInByLink,
} from '@mediagate/identity';
import type { AppDeps } from '../app';
import type { consoleSettings } from '../config';

type UserDeps = Pick<
  AppDeps,
  | 'database'
  | 'sealer'
  | 'signIn'
  | 'isKnownUser'
  | 'signInByLink'
  | 'findSession'
  | 'closeSession'
  | 'closeOtherSessions'
> & { renewCredential(token: string): Promise<void> };

const STATEMENT_TIMEOUT_MS = 10_000;

/** Users and their sessions, in the database. */
export async function openUsers(scope: Scope, config: Config<typeof consoleSettings>): Promise<UserDeps> {
  const { DATABASE_POOL_SIZE: poolSize } = config;
  const statementTimeoutMs = STATEMENT_TIMEOUT_MS;
  const database = await openOwnDatabase(scope, { service: 'console', config, poolSize, statementTimeoutMs });
  const { CONSOLE_SECRET: secret, CONSOLE_PREVIOUS_SECRET: former } = config;
  const sealer = createSealer(former === undefined ? [secret] : [secret, former]);
  const credentials = { database, sealer, pepper: config.MEDIAGATE_KEY_PEPPER };
  return {
    database,
    sealer,
    async signIn(given) {
      const outcome = await signIn({ database, sealer }, given);
      if ('token' in outcome) await renewCredential(credentials, outcome.token);
      return outcome;
    },
    isKnownUser: (user, place) => isKnownUser(database, user, place),
    async signInByLink(given) {
      const opened = await signInByLink(database, given);
      if (opened) await renewCredential(credentials, opened.token);
      return opened;
    },
    renewCredential: (token) => renewCredential(credentials, token),
    findSession: (token) => findSession(credentials, token),
    closeSession: (token) => closeSession(database, token),
    closeOtherSessions: (userId, token) => closeOtherSessions(database, userId, token),
  };
}
