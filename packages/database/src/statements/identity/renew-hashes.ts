import type { Statement } from '../../statement';

/** A key or token whose secret was hashed under a former pepper, as it stands and as it shall. */
export interface HashRenewal {
  id: string;
  from: Buffer;
  to: Buffer;
}

const renew = (table: string): Statement<[renewal: HashRenewal], object> => ({
  text: `update ${table} set secret_hash = $3 where id = $1 and secret_hash = $2`,
  values: ({ id, from, to }) => [id, from, to],
});

/** Changes nothing where the key has another secret by now. */
export const renewKeyHash = renew('api_keys');
export const renewTokenHash = renew('operator_tokens');
