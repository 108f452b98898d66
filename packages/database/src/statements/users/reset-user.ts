import type { Statement } from '../../statement';
import { type ChangedRow, type ChangeRequest, noteOf, withNote } from '../operators/note';
import type { UserPlace } from './change-users';
import { nextGeneration } from './sessions';
import { userSnapshot } from './user-row';

/** Changes a user as `columns` say, and ends their sessions and links. No row: there is no such user there. */
const resetting = (
  action: string,
  columns: string,
  further = '',
): Statement<[UserPlace, ChangeRequest], ChangedRow> => ({
  text: withNote(`
old as materialized (
  select * from users u where u.id = $2 and ($3::text is null or u.account_id = $3) for update
),
made as (
  update users u set ${[...(columns === '' ? [] : [columns]), nextGeneration('u')].join(', ')} from old o
  where u.id = o.id returning u.*
),
sessions as (
  delete from user_sessions s using old o where s.user_id = o.id
),
links as (
  delete from user_links l using old o where l.user_id = o.id
),${further}
changed as (
  select m.id as subject, ${userSnapshot('o')} as before, ${userSnapshot('m')} as after from made m join old o using (id)
)`),
  values: ({ id, accountId }, request) => [noteOf(action, request), id, accountId ?? null],
});

const NO_TOTP = 'totp_secret = null, totp_confirmed_at = null, totp_last_step = null';
const NO_CODES = `
codes as (
  delete from user_recovery_codes c using old o where c.user_id = o.id
),`;

/** Takes away what a user proves themself by: an invitation lets them set a password anew. The token or key stays, for nobody has seen it. */
export const resetUser = resetting('user.reset', `password_hash = null, ${NO_TOTP}`, NO_CODES);

/** For who has lost telephone and recovery codes. */
export const resetSecondFactor = resetting('user.totp_reset', NO_TOTP, NO_CODES);

export const endUserSessions = resetting('user.end_sessions', '');
