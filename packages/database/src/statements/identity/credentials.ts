import type { Statement } from '../../statement';
import type { KeySecret } from './change-keys';
import { type ChangedRow, type ChangeRequest, noteOf, withNote } from './note';

/** The token or key that stands for a user, and its complete text, sealed. */
export interface UserCredential {
  id: string;
  sealed: Uint8Array;
}

/** The user, and the credential that is to be replaced: where another has done so meanwhile nothing is made. */
export interface CredentialOwner {
  userId: string;
  replaces: string | null;
}

const OWNER = (kind: string) => `
owner as materialized (
  select * from users u
  where u.id = $2 and u.kind = '${kind}' and u.disabled_at is null and u.credential_id is not distinct from $3 for update
)`;

const KEPT = `
kept as (
  update users u set credential_id = m.id, credential_secret = $5 from made m where u.id = $2 returning u.id
),
changed as (
  select k.id as subject, null::jsonb as before, jsonb_build_object('credential_id', $4::text) as after
  from kept k where (select count(*) from former) >= 0
)`;

/** No row: the user is disabled, or has another credential by now. */
export const issueUserToken: Statement<
  [owner: CredentialOwner, credential: UserCredential & { secretHash: Buffer }, request: ChangeRequest],
  ChangedRow
> = {
  text: withNote(`
${OWNER('operator')},
made as (
  insert into operator_tokens (id, name, role, secret_hash) select $4, o.name, o.role, $6 from owner o returning id
),
former as (
  update operator_tokens t set revoked_at = now() from owner o
  where t.id = o.credential_id and t.revoked_at is null returning t.id
),
${KEPT}`),
  values: ({ userId, replaces }, { id, sealed, secretHash }, request) => [
    noteOf('user.credential', request),
    userId,
    replaces,
    id,
    sealed,
    secretHash,
  ],
};

/** No row: also when the account is closed, or has as many keys as it may. A viewer's key has nothing to spend. */
export const issueUserKey: Statement<
  [owner: CredentialOwner, credential: UserCredential & KeySecret, maxKeys: number, request: ChangeRequest],
  ChangedRow
> = {
  text: withNote(`
${OWNER('account')},
made as materialized (
  select k.id from owner o cross join lateral make_key($6::jsonb || jsonb_build_object(
    'account_id', o.account_id, 'name', 'console: ' || o.email, 'can_manage', o.role = 'owner',
    'quota_nano', case when o.role = 'viewer' then 0 end
  ), $7::int) k
),
former as materialized (
  select k.* from owner o cross join lateral change_key(o.credential_id, '{"revoked": true}') k
  where o.credential_id is not null
),
${KEPT}`),
  values: ({ userId, replaces }, { id, sealed, secretHash, lastFour }, maxKeys, request) => [
    noteOf('user.credential', request),
    userId,
    replaces,
    id,
    sealed,
    JSON.stringify({
      id,
      secret_hash: `\\x${secretHash.toString('hex')}`,
      last_four: lastFour,
      is_test: false,
      families: [],
      models: [],
      submit_per_minute: 300,
      query_per_minute: 3000,
    }),
    maxKeys,
  ],
};

/** Whether the token or key still counts. */
export const isUserCredentialInForce: Statement<[id: string], { inForce: boolean }> = {
  text: `
select exists (select from operator_tokens t where t.id = $1 and t.revoked_at is null)
  or exists (select from api_keys k where k.id = $1 and k.revoked_at is null and (k.expires_at > now()) is not false) as "inForce"`,
  values: (id) => [id],
};
