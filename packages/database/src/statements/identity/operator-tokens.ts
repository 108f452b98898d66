import type { OperatorRole } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { type ChangedRow, type ChangeRequest, noteOf, withNote } from './note';

export interface OperatorToken {
  id: string;
  name: string;
  role: OperatorRole;
  secretHash: Buffer;
}

export const createOperatorToken: Statement<[token: OperatorToken, request: ChangeRequest], ChangedRow> = {
  text: withNote(`
made as (
  insert into operator_tokens (id, name, role, secret_hash) values ($2, $3, $4, $5) returning id, name, role
),
changed as (
  select id as subject, null::jsonb as before, to_jsonb(made) as after from made
)`),
  values: ({ id, name, role, secretHash }, request) => [noteOf('operator.create', request), id, name, role, secretHash],
};

/** No row: there is no such token, or it was revoked before. */
export const revokeOperatorToken: Statement<[id: string, request: ChangeRequest], ChangedRow> = {
  text: withNote(`
revoked as (
  update operator_tokens set revoked_at = now() where id = $2 and revoked_at is null returning id, name, role
),
changed as (
  select id as subject, to_jsonb(revoked) as before, to_jsonb(revoked) || '{"revoked": true}' as after from revoked
)`),
  values: (id, request) => [noteOf('operator.revoke', request), id],
};

/** Finds tokens that are not revoked, in no particular order. */
export const findOperatorTokens: Statement<[ids: readonly string[]], OperatorToken> = {
  text: `
select id, name, role, secret_hash as "secretHash" from operator_tokens where id = any($1::text[]) and revoked_at is null`,
  values: (ids) => [ids],
};

/** Exact to a minute, so that a busy operator does not write at each request. */
export const noteOperatorUse: Statement<[id: string], { id: string }> = {
  text: `
update operator_tokens set last_used_at = now()
where id = $1 and (last_used_at > now() - interval '1 minute') is not true
returning id`,
  values: (id) => [id],
};
