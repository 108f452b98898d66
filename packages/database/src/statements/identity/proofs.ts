import type { Statement } from '../../statement';
import { userSnapshot } from './change-users';
import { type ChangedRow, type ChangeRequest, noteOf, withNote } from './note';
import { keepSession, nextGeneration } from './sessions';

/** How a user proves who they are: password and second factor. */

export interface PasswordChange {
  userId: string;
  /** The hash that was compared; if the user has another by now, nothing is changed. */
  formerHash: string | null;
  passwordHash: string;
  /** The token hash of the session that asks; the others end. */
  keptSession: Buffer | null;
}

/** Links to the user end too: whoever had one could sign in without the new password, or set another. */
export const changePassword: Statement<[change: PasswordChange, request: ChangeRequest], ChangedRow> = {
  text: withNote(`
changed as (
  update users u set password_hash = $4, ${nextGeneration('u')} from users o
  where u.id = $2 and o.id = u.id and u.password_hash is not distinct from $3 and u.disabled_at is null
  returning u.id as subject, u.session_generation, ${userSnapshot('o')} as before, ${userSnapshot('u')} as after
),
${keepSession('$5')},
ended as (
  delete from user_sessions s using changed c where s.user_id = c.subject and s.token_hash is distinct from $5
),
links as (
  delete from user_links l using changed c where l.user_id = c.subject
)`),
  values: ({ userId, formerHash, passwordHash, keptSession }, request) => [
    noteOf('user.password', request),
    userId,
    formerHash,
    passwordHash,
    keptSession,
  ],
};

/** Begins anew; counts once it is confirmed. No row: one counts already. */
export const enrolTotp: Statement<[userId: string, sealed: Uint8Array], { id: string }> = {
  text: `
update users set totp_secret = $2, totp_last_step = null where id = $1 and totp_confirmed_at is null and disabled_at is null
returning id`,
  values: (userId, sealed) => [userId, sealed],
};

export interface TotpConfirmation {
  userId: string;
  /** The secret that the code was made with. */
  sealed: Uint8Array;
  step: bigint;
  recoveryCodeHashes: readonly Buffer[];
}

export const confirmTotp: Statement<[confirmation: TotpConfirmation, request: ChangeRequest], ChangedRow> = {
  text: withNote(`
changed as (
  update users u set totp_confirmed_at = now(), totp_last_step = $4 from users o
  where u.id = $2 and o.id = u.id and u.totp_secret = $3 and u.totp_confirmed_at is null and u.disabled_at is null
  returning u.id as subject, ${userSnapshot('o')} as before, ${userSnapshot('u')} as after
),
codes as (
  insert into user_recovery_codes (user_id, code_hash) select c.subject, h from changed c, unnest($5::bytea[]) h
)`),
  values: ({ userId, sealed, step, recoveryCodeHashes }, request) => [
    noteOf('user.totp_enable', request),
    userId,
    sealed,
    step,
    recoveryCodeHashes,
  ],
};

/** @param passwordHash that was compared; another by now: nothing is changed. */
export const removeTotp: Statement<
  [user: { userId: string; passwordHash: string | null }, request: ChangeRequest],
  ChangedRow
> = {
  text: withNote(`
changed as (
  update users u set totp_secret = null, totp_confirmed_at = null, totp_last_step = null from users o
  where u.id = $2 and o.id = u.id and u.password_hash is not distinct from $3 and u.totp_confirmed_at is not null
  returning u.id as subject, ${userSnapshot('o')} as before, ${userSnapshot('u')} as after
),
codes as (
  delete from user_recovery_codes r using changed c where r.user_id = c.subject
)`),
  values: ({ userId, passwordHash }, request) => [noteOf('user.totp_disable', request), userId, passwordHash],
};

export interface IdentityToKeep {
  userId: string;
  identity: string;
  /** The one that was compared, or null of who has none; another by now: nothing is changed. */
  passwordHash: string | null;
}

/**
 * Ties a user to who they are at a provider, once, and ends links to the user, whose holders could set a password. No row: they are tied
 * to another, or another of their account is tied to it.
 */
export const keepIdentity: Statement<[kept: IdentityToKeep, request: ChangeRequest], ChangedRow> = {
  text: withNote(`
changed as (
  update users u set identity = $3 from users o
  where u.id = $2 and o.id = u.id and u.identity is null and u.password_hash is not distinct from $4 and u.disabled_at is null
    and not exists (select from users t where t.identity = $3 and t.account_id is not distinct from u.account_id)
  returning u.id as subject, ${userSnapshot('o')} as before, ${userSnapshot('u')} || jsonb_build_object('identity', $3::text) as after
),
links as (
  delete from user_links l using changed c where l.user_id = c.subject
)`),
  values: ({ userId, identity, passwordHash }, request) => [
    noteOf('user.identity', request),
    userId,
    identity,
    passwordHash,
  ],
};
