import type { UserRights } from '@mediagate/contracts';
import { change, noteOf, withNote } from './note';

/** A user's row for the audit log: without what lets anybody in. */
export function userSnapshot(alias: string): string {
  const columns = ['id', 'email', 'name', 'kind', 'role', 'account_id', 'credential_id', 'disabled_at'];
  const pairs = columns.map((column) => `'${column}', ${alias}.${column}`);
  return `jsonb_build_object(${pairs.join(', ')}, 'totp', ${alias}.totp_confirmed_at is not null)`;
}

export interface UserToCreate {
  id: string;
  /** The address in lower case. */
  email: string;
  name: string;
  rights: UserRights;
  /** The identity at the provider that signs the user in, or null. */
  identity: string | null;
  /** The invitation made by the same statement; null: they sign in elsewhere, or are invited later. */
  invitation: NewInvitation | null;
}

export interface NewInvitation {
  tokenHash: Buffer;
  lifeSeconds: number;
}

/**
 * No row: there is no such account, it is closed, or it has so many users already. Those that are being made at that moment are not
 * counted.
 */
export const createUser = change<[user: UserToCreate, maxUsers: number]>({
  text: withNote(`
made as (
  insert into users as u (id, email, name, kind, role, account_id, identity)
  select $2, $3, $4, $5, $6, $7::text, $8
  where $7::text is null or exists (select from accounts a where a.id = $7 and a.state <> 'closed')
    and (select count(*) from users o where o.account_id = $7) < $9
  returning u.id, ${userSnapshot('u')} as after
),
link as (
  insert into user_links (token_hash, user_id, purpose, expires_at)
  select $10::bytea, m.id, 'invitation', now() + make_interval(secs => $11) from made m where $10 is not null
  returning expires_at
),
changed as (
  select m.id as subject, null::jsonb as before,
    m.after || coalesce((select jsonb_build_object('expires_at', l.expires_at) from link l), '{}') as after
  from made m
)`),
  values: ({ id, email, name, rights, identity, invitation }, maxUsers, request) => [
    noteOf('user.create', request),
    id,
    email,
    name,
    rights.kind,
    rights.role,
    rights.kind === 'account' ? rights.accountId : null,
    identity,
    maxUsers,
    invitation?.tokenHash ?? null,
    invitation?.lifeSeconds ?? null,
  ],
});

/** Settings to change; undefined ones stay as they are. */
export interface UserSettings {
  name?: string | undefined;
  role?: string | undefined;
  disabled?: boolean | undefined;
}

/** Names a user: one of this account alone; undefined: of any account, or an operator. */
export interface UserPlace {
  id: string;
  accountId?: string | undefined;
}

/**
 * The token of the operator `o` becomes what is selected. Another console may have made it while this statement waited for the user:
 * only the conflict of an insertion finds a row that is newer than the statement.
 */
const tokenAs = (nameRoleAndEnd: string) => `
token as (
  insert into operator_tokens as t (id, secret_hash, name, role, revoked_at)
  select o.credential_id, '', ${nameRoleAndEnd}
  where o.kind = 'operator' and o.credential_id is not null
  on conflict (id) do update set name = excluded.name, role = excluded.role, revoked_at = excluded.revoked_at
    where t.revoked_at is null
)`;

const LOSES_CREDENTIAL = "coalesce($6, false) or u.kind = 'account' and u.role <> coalesce($5, u.role)";

/**
 * The token or key that stands for a user follows in the same statement: a token gets the new role; a key, whose rights are not all
 * to be changed once it was used, is revoked with the old one, and the user gets another later. Both are revoked with a user who is
 * disabled. `key` is counted because what nobody reads is not run.
 *
 * The role must be one of the user's kind. No row: there is no such user there.
 */
export const changeUser = change<[user: UserPlace, settings: UserSettings]>({
  text: withNote(`
old as materialized (
  select * from users u where u.id = $2 and ($3::text is null or u.account_id = $3) for update
),
made as (
  update users u set
    name = coalesce($4, u.name),
    role = coalesce($5, u.role),
    session_generation = u.session_generation + case when $6 then 1 else 0 end,
    disabled_at = case when $6 then coalesce(u.disabled_at, now()) when not $6 then null else u.disabled_at end,
    credential_id = case when ${LOSES_CREDENTIAL} then null else u.credential_id end,
    credential_secret = case when ${LOSES_CREDENTIAL} then null else u.credential_secret end
  from old o where u.id = o.id
  returning u.*
),
${tokenAs(`m.name, m.role, case when m.disabled_at is not null then now() end
  from made m join old o using (id)`)},
key as materialized (
  select k.* from made m join old o using (id)
  cross join lateral change_key(o.credential_id, '{"revoked": true}') k
  where m.kind = 'account' and o.credential_id is not null and m.credential_id is null
),
sessions as (
  delete from user_sessions s using old o where s.user_id = o.id and $6
),
links as (
  delete from user_links l using old o where l.user_id = o.id and $6
),
changed as (
  select m.id as subject, ${userSnapshot('o')} as before, ${userSnapshot('m')} as after
  from made m join old o using (id) where (select count(*) from key) >= 0
)`),
  values: ({ id, accountId }, { name, role, disabled }, request) => [
    noteOf(actionOf(disabled), request),
    id,
    accountId ?? null,
    name ?? null,
    role ?? null,
    disabled ?? null,
  ],
});

function actionOf(disabled: boolean | undefined): string {
  if (disabled === undefined) return 'user.update';
  return disabled ? 'user.disable' : 'user.enable';
}

/** Deletes a user for good, with the token or key that stands for them. No row: there is no such user there. */
export const deleteUser = change<[user: UserPlace]>({
  text: withNote(`
old as materialized (
  delete from users u where u.id = $2 and ($3::text is null or u.account_id = $3) returning u.*
),
${tokenAs('o.name, o.role, now() from old o')},
key as materialized (
  select k.* from old o cross join lateral change_key(o.credential_id, '{"revoked": true}') k
  where o.kind = 'account' and o.credential_id is not null
),
changed as (
  select o.id as subject, ${userSnapshot('o')} as before, ${userSnapshot('o')} || '{"deleted": true}' as after
  from old o where (select count(*) from key) >= 0
)`),
  values: ({ id, accountId }, request) => [noteOf('user.delete', request), id, accountId ?? null],
});
