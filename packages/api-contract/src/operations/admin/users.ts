import { ACCOUNT_ROLES, OPERATOR_ROLES, USER_KINDS, USER_STATES } from '@mediagate/contracts';
import type { JsonSchema, Operation } from '../../operation';
import { json, object, oneOf, page, ref, string, wrapped } from '../../schemas/build';
import { CURSOR, LIMIT } from '../access';
import { CHANGE, READ, REASON } from './access';

const ROLES = [...OPERATOR_ROLES, ...ACCOUNT_ROLES];

const oneUser = { ...CHANGE, role: 'admin' } as const;
const onlyReason = { optional: true, content: json(object({ 'reason?': REASON }), { reason: 'has left' }) };
const filter = (name: string, description: string, schema: JsonSchema = { type: 'string' }) =>
  ({ in: 'query', name, description, schema }) as const;
const name = string('What to call them: up to 200 characters.');
const afterwards = { 200: { description: 'The user as they are then.', content: json(wrapped(ref('User'))) } };

const withInvitation = (code: number): JsonSchema => object({ code: { const: code }, data: ref('InvitedUser') });

const ONCE =
  'The answer is the only one that has the invitation: one that comes again under the same `Idempotency-Key` is without it.';

/** Operations on the users who sign in to the console. */
export const USER_OPERATIONS = {
  adminListUsers: {
    ...READ,
    path: '/admin/v1/users',
    summary: 'List the users of the console',
    description: 'Operators and the users of all accounts, the newest first.',
    parameters: [
      LIMIT,
      CURSOR,
      filter('account_id', 'Only for this account.'),
      filter('kind', 'Operators alone, or users of accounts.', oneOf(USER_KINDS)),
      filter('role', 'Only with this role.', oneOf(ROLES)),
      filter('state', 'In this state alone; who is invited has not joined yet.', oneOf(USER_STATES)),
      filter('email', 'How their e-mail address begins, in any letter case.'),
    ],
    answers: { 200: { description: 'A page of users.', content: json(page(ref('User'))) } },
  },
  adminInviteUser: {
    ...oneUser,
    path: '/admin/v1/users',
    summary: 'Create a user and invite them',
    description: `An operator, or, with \`account_id\`, a user of that account. ${ONCE}`,
    body: {
      content: json(
        object({
          email: string('E-mail address by which the user signs in.'),
          name,
          role: oneOf(
            ROLES,
            '`read` to `admin` for operators; `owner`, `developer` or `viewer` for users of an account.',
          ),
          'account_id?': string('Absent: an operator.'),
          'reason?': REASON,
        }),
        { email: 'kim@example.com', name: 'Kim Lee', role: 'support' },
      ),
    },
    answers: { 201: { description: 'The user.', content: json(withInvitation(201)) } },
  },
  adminGetUser: {
    ...READ,
    path: '/admin/v1/users/{user_id}',
    summary: 'Read a user',
    answers: { 200: { description: 'The user.', content: json(wrapped(ref('User'))) } },
  },
  adminUpdateUser: {
    ...oneUser,
    method: 'patch',
    path: '/admin/v1/users/{user_id}',
    summary: 'Change a user’s name or role',
    description:
      'The role must be one of their kind, and counts from then on. The key of a user of an account is replaced with it.',
    body: { content: json(object({ 'name?': name, 'role?': oneOf(ROLES), 'reason?': REASON }), { role: 'billing' }) },
    answers: afterwards,
  },
  adminDisableUser: {
    ...oneUser,
    path: '/admin/v1/users/{user_id}/disable',
    summary: 'Disable a user: they cannot sign in',
    description: 'Their sessions, invitations and the token or key that stands for them end in the same statement.',
    body: onlyReason,
    answers: afterwards,
  },
  adminEnableUser: {
    ...oneUser,
    path: '/admin/v1/users/{user_id}/enable',
    summary: 'Enable a disabled user',
    body: onlyReason,
    answers: afterwards,
  },
  adminEndUserSessions: {
    ...oneUser,
    role: 'support',
    path: '/admin/v1/users/{user_id}/end-sessions',
    summary: 'Sign a user out everywhere',
    description:
      'Every browser must sign in again, also one that is signing in at that moment. Invitations and sign-in links end. 403 for an operator of a higher role.',
    body: onlyReason,
    answers: afterwards,
  },
  adminResetUserSecondFactor: {
    ...oneUser,
    path: '/admin/v1/users/{user_id}/reset-second-factor',
    summary: 'Remove a user’s second factor',
    description:
      'The recovery codes are removed, too: for users who have lost both. The password stays; sessions, invitations and sign-in links end.',
    body: onlyReason,
    answers: afterwards,
  },
  adminResetUser: {
    ...oneUser,
    path: '/admin/v1/users/{user_id}/reset',
    summary: 'Remove a user’s password and second factor',
    description: `Sessions end, and an invitation lets them set a password anew. ${ONCE}`,
    body: onlyReason,
    answers: { 200: { description: 'The user as they are then.', content: json(withInvitation(200)) } },
  },
  adminInviteUserAgain: {
    ...oneUser,
    path: '/admin/v1/users/{user_id}/invite',
    summary: 'Invite a user again',
    description: `Whoever follows it sets the password; until then the old one counts. ${ONCE}`,
    body: onlyReason,
    answers: { 200: { description: 'The user.', content: json(withInvitation(200)) } },
  },
  adminDeleteUser: {
    ...oneUser,
    method: 'delete',
    path: '/admin/v1/users/{user_id}',
    summary: 'Delete a user permanently',
    description: 'The token or key that stands for the user is deleted, too. The audit log keeps what the user did.',
    body: onlyReason,
    answers: {
      200: {
        description: 'They are deleted.',
        content: json(wrapped(object({ id: string(), deleted: { const: true } }))),
      },
    },
  },
} satisfies Record<string, Operation>;
