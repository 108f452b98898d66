import type { Nano } from '@mediagate/contracts';
import type { Statement } from '../../statement';

export interface KeyRow {
  id: string;
  accountId: string;
  name: string;
  secretHash: Buffer;
  lastFour: string;
  /** Null: unlimited. */
  quotaNano: Nano | null;
  families: string[];
  models: string[];
  submitPerMinute: number;
  queryPerMinute: number;
  maxConcurrent: number | null;
  createdAt: Date;
  revokedAt: Date | null;
}

/** Revoked keys, too; in no particular order. */
export const findKeys: Statement<[ids: readonly string[]], KeyRow> = {
  text: `
select id, account_id as "accountId", name, secret_hash as "secretHash", last_four as "lastFour", quota_nano as "quotaNano",
  families, models, submit_per_minute as "submitPerMinute", query_per_minute as "queryPerMinute",
  max_concurrent as "maxConcurrent", created_at as "createdAt", revoked_at as "revokedAt"
from api_keys where id = any($1::text[])`,
  values: (ids) => [ids],
};
