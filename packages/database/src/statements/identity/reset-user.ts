import { type NewInvitation, type UserPlace, userSnapshot } from './change-users';
import { change, noteOf, withNote } from './note';
import { nextGeneration } from './sessions';

/** The steps of one kind of reset, in SQL, beside the steps of all kinds. */
interface Reset {
  /** The user's columns, with their new values. */
  columns?: string[];
  /** CTEs over `old` and `made`. */
  further?: string;
  /** The condition for those of the user's links that end. */
  links?: string;
  /** JSON that the audit log gets beside the user. */
  after?: string;
}

/**
 * Changes a user as `columns` say, and ends their sessions and links. No row: there is no such user there. The lock leaves those alone
 * who make a link to the user meanwhile, and whom `make_user_link` waits for.
 */
const resetting = ({ columns = [], further = '', links = 'true', after = "'{}'" }: Reset): string =>
  withNote(`
old as materialized (
  select * from users u where u.id = $2 and ($3::text is null or u.account_id = $3) for no key update
),
made as (
  update users u set ${[...columns, nextGeneration('u')].join(', ')} from old o
  where u.id = o.id returning u.*
),
sessions as (
  delete from user_sessions s using old o where s.user_id = o.id
),
links as (
  delete from user_links l using old o where l.user_id = o.id and ${links}
),${further}
changed as (
  select m.id as subject, ${userSnapshot('o')} as before, ${userSnapshot('m')} || ${after} as after
  from made m join old o using (id)
)`);

const NO_TOTP = ['totp_secret = null', 'totp_confirmed_at = null', 'totp_last_step = null'];
const NO_CODES = `
codes as (
  delete from user_recovery_codes c using old o where c.user_id = o.id
),`;

/**
 * Takes away what a user proves themself by, and invites them to set a password anew, unless they are disabled. The token or key stays,
 * for nobody has seen it.
 */
export const resetUser = change<[UserPlace, NewInvitation]>({
  text: resetting({
    columns: ['password_hash = null', ...NO_TOTP],
    further: `${NO_CODES}
link as (
  select l.expires_at from made m cross join lateral make_user_link($4, m.id, 'invitation', $5) l
),`,
    // The function ends the invitations that were made until now, also after this statement began.
    links: "l.purpose <> 'invitation'",
    after: "coalesce((select jsonb_build_object('expires_at', l.expires_at) from link l), '{}')",
  }),
  values: ({ id, accountId }, { tokenHash, lifeSeconds }, request) => [
    noteOf('user.reset', request),
    id,
    accountId ?? null,
    tokenHash,
    lifeSeconds,
  ],
});

/** For a user who has lost telephone and recovery codes. */
export const resetSecondFactor = change<[UserPlace]>({
  text: resetting({ columns: NO_TOTP, further: NO_CODES }),
  values: ({ id, accountId }, request) => [noteOf('user.totp_reset', request), id, accountId ?? null],
});

/** The password stays; sessions and links end. No row: there is no such user there. */
export const endUserSessions = change<[UserPlace]>({
  text: resetting({}),
  values: ({ id, accountId }, request) => [noteOf('user.end_sessions', request), id, accountId ?? null],
});
