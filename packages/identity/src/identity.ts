import type { Database } from '@mediagate/database';
import type { Sealer } from './sealing/sealer';

/** The domain of users and their sessions, opened once in a process. Each function takes the part of it that it uses. */
export interface Identity {
  database: Database;
  /** Key of the hash of tokens and keys. */
  pepper: string;
  /** Seals users' credentials and the secrets of their second factors. */
  sealer: Sealer;
}
