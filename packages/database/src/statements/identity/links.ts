import type { Statement } from '../../statement';
import { userSnapshot } from './change-users';
import { type ChangedRow, type ChangeRequest, change, noteOf, withNote } from './note';
import { nextGeneration } from './sessions';

export interface UserLinkToMake {
  tokenHash: Buffer;
  userId: string;
  purpose: 'invitation' | 'sign_in';
  lifeSeconds: number;
}

const ACTIONS = { invitation: 'user.invite', sign_in: 'user.sign_in_link' } as const;

/** Takes the place of the user's earlier ones of that purpose. No row: there is no such user, or a disabled one. */
export const makeUserLink = change<[link: UserLinkToMake]>({
  text: withNote(`
changed as (
  select l.user_id as subject, null::jsonb as before, jsonb_build_object('expires_at', l.expires_at) as after
  from make_user_link($2, $3, $4, $5) l
)`),
  values: ({ tokenHash, userId, purpose, lifeSeconds }, request) => [
    noteOf(ACTIONS[purpose], request),
    tokenHash,
    userId,
    purpose,
    lifeSeconds,
  ],
});

/** The user whom a link is for. */
export interface LinkedUser {
  userId: string;
  email: string;
  name: string;
  kind: string;
  role: string;
  /** Null: an operator's. */
  accountId: string | null;
  accountName: string | null;
}

export const findUserLink: Statement<[tokenHash: Buffer, purpose: UserLinkToMake['purpose']], LinkedUser> = {
  text: `
select u.id as "userId", u.email, u.name, u.kind, u.role, u.account_id as "accountId", a.name as "accountName"
from user_links l join users u on u.id = l.user_id left join accounts a on a.id = u.account_id
where l.token_hash = $1 and l.purpose = $2 and l.expires_at > now() and u.disabled_at is null`,
  values: (tokenHash, purpose) => [tokenHash, purpose],
};

/** Uses the invitation up, and ends what sessions and other links there are. No row: it is none, or not any more. */
export const acceptInvitation: Statement<
  [accepted: { tokenHash: Buffer; name: string; passwordHash: string }, request: ChangeRequest],
  ChangedRow
> = {
  text: withNote(`
link as (
  delete from user_links where token_hash = $2 and purpose = 'invitation' and expires_at > now() returning user_id
),
changed as (
  update users u set name = $3, password_hash = $4, ${nextGeneration('u')} from link l, users o
  where u.id = l.user_id and o.id = u.id and u.disabled_at is null
  returning u.id as subject, ${userSnapshot('o')} as before, ${userSnapshot('u')} as after
),
ended as (
  delete from user_sessions s using changed c where s.user_id = c.subject
),
others as (
  delete from user_links l using changed c where l.user_id = c.subject and l.token_hash <> $2
)`),
  values: ({ tokenHash, name, passwordHash }, request) => [noteOf('user.join', request), tokenHash, name, passwordHash],
};
