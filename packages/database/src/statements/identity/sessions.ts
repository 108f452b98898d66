import type { Statement } from '../../statement';

/** A session idles for so long at most, and is no older than this, in hours. */
const IDLE = "interval '12 hours'";
const LIFE = "interval '7 days'";

/**
 * Ends all sessions of a user. To delete them is not enough: one that is being opened at that moment is in no snapshot of the
 * statement that deletes.
 */
export const nextGeneration = (user: string) => `session_generation = ${user}.session_generation + 1`;

/** Lets one session of `changed` go on that counted until now. */
export const keepSession = (token: string) => `
kept as (
  update user_sessions s set generation = c.session_generation from changed c
  where s.token_hash = ${token} and s.user_id = c.subject and s.generation = c.session_generation - 1
)`;

/** The proofs of a sign-in: none of them counts once it was changed or used. */
export interface SignIn {
  userId: string;
  tokenHash: Buffer;
  /** The token hash of the session that the same browser had before. */
  replaces: Buffer | null;
  /** The hash that the password was compared with; null: no password was asked for. */
  passwordHash: string | null;
  /** The 30 s of the code of the second factor. */
  totpStep: bigint | null;
  recoveryCodeHash: Buffer | null;
  /** The hash of a link that lets the user in without a password. */
  linkHash: Buffer | null;
}

/** Sessions of a user besides the one that is opened; several opened at once may exceed it until the next is opened. */
const OTHER_SESSIONS = 19;

/**
 * Opens a session. Also removes anybody's sessions that are too old, and those of the user's that were used longest ago. No row: the
 * user was disabled, the password changed or a second factor came meanwhile, or the code or link was used before.
 */
export const openSession: Statement<[signIn: SignIn], { userId: string; generation: number }> = {
  text: `
with code as (
  delete from user_recovery_codes where user_id = $1 and code_hash = $6 returning user_id
),
link as (
  delete from user_links where token_hash = $7 and user_id = $1 and purpose = 'sign_in' and expires_at > now()
  returning user_id
),
known as (
  update users u set last_signed_in_at = now(), totp_last_step = coalesce($5, u.totp_last_step)
  where u.id = $1 and u.disabled_at is null
    and ($4::text is null or u.password_hash = $4)
    and ($4 is null or u.totp_confirmed_at is null or $5::bigint is not null or $6::bytea is not null)
    and ($5::bigint is null or u.totp_last_step is null or u.totp_last_step < $5)
    and ($6::bytea is null or exists (select from code))
    and ($7::bytea is null or exists (select from link))
  returning u.id, u.session_generation
),
former as (
  delete from user_sessions s where s.token_hash = $3 or s.created_at < now() - ${LIFE}
),
displaced as (
  delete from user_sessions s using (
    select o.token_hash from known k join user_sessions o on o.user_id = k.id
    where o.token_hash is distinct from $3 and o.created_at >= now() - ${LIFE}
    order by o.seen_at desc, o.created_at desc offset ${OTHER_SESSIONS}
  ) most where s.token_hash = most.token_hash
)
insert into user_sessions (token_hash, user_id, generation)
select $2, k.id, k.session_generation from known k returning user_id as "userId", generation`,
  values: ({ userId, tokenHash, replaces, passwordHash, totpStep, recoveryCodeHash, linkHash }) => [
    userId,
    tokenHash,
    replaces,
    passwordHash,
    totpStep,
    recoveryCodeHash,
    linkHash,
  ],
};

export interface SessionRow {
  expiresAt: Date;
  userId: string;
  email: string;
  name: string;
  kind: string;
  role: string;
  accountId: string | null;
  accountName: string | null;
  totp: boolean;
  credentialId: string | null;
  credentialSecret: Buffer | null;
}

/** Finds the user of a session, which idles anew. It is written once a minute at most, so that a busy page costs a look-up. */
export const findSession: Statement<[tokenHash: Buffer], SessionRow> = {
  text: `
with found as (
  select * from user_sessions s
  where s.token_hash = $1 and s.seen_at > now() - ${IDLE} and s.created_at > now() - ${LIFE}
),
seen as (
  update user_sessions s set seen_at = now() from found f
  where s.token_hash = f.token_hash and f.seen_at < now() - interval '1 minute'
)
select least(now() + ${IDLE}, f.created_at + ${LIFE}) as "expiresAt", u.id as "userId", u.email, u.name, u.kind, u.role,
  u.account_id as "accountId", a.name as "accountName", u.totp_confirmed_at is not null as totp,
  u.credential_id as "credentialId", u.credential_secret as "credentialSecret"
from found f join users u on u.id = f.user_id and u.session_generation = f.generation left join accounts a on a.id = u.account_id
where u.disabled_at is null`,
  values: (tokenHash) => [tokenHash],
};

export const closeSession: Statement<[tokenHash: Buffer], object> = {
  text: `delete from user_sessions where token_hash = $1`,
  values: (tokenHash) => [tokenHash],
};

/** @param except one that stays, or null. */
export const closeSessionsOf: Statement<[userId: string, except: Buffer | null], { tokenHash: Buffer }> = {
  text: `
with changed as (
  update users u set ${nextGeneration('u')} where u.id = $1 returning u.id as subject, u.session_generation
),
${keepSession('$2')}
delete from user_sessions s using changed c
where s.user_id = c.subject and s.token_hash is distinct from $2 returning s.token_hash as "tokenHash"`,
  values: (userId, except) => [userId, except],
};

export interface ListedSession {
  createdAt: Date;
  seenAt: Date;
  isCurrent: boolean;
}

/** Lists the sessions that count, the last used first. */
export const listSessions: Statement<[userId: string, current: Buffer], ListedSession> = {
  text: `
select s.created_at as "createdAt", s.seen_at as "seenAt", s.token_hash = $2 as "isCurrent"
from user_sessions s join users u on u.id = s.user_id and u.session_generation = s.generation
where s.user_id = $1 and s.seen_at > now() - ${IDLE} and s.created_at > now() - ${LIFE}
order by s.seen_at desc limit 100`,
  values: (userId, current) => [userId, current],
};
