import { ACCOUNT_ROLES, OPERATOR_ROLES, USER_KINDS } from '@mediagate/contracts';
import type { JsonSchema } from '../operation';
import { boolean, integer, object, oneOf, string, unixSeconds } from './build';

const time = (what: string): JsonSchema => ({
  type: ['integer', 'null'],
  description: `${what}, in Unix seconds; null: never.`,
});
const text = (description: string): JsonSchema => ({ type: ['string', 'null'], description });

const fields = {
  id: string('`usr_` and 26 characters.'),
  email: string('E-mail address by which the user signs in, in lower case.'),
  name: string(),
  kind: oneOf(USER_KINDS, 'Whether the user is an operator or belongs to an account.'),
  role: oneOf([...OPERATOR_ROLES, ...ACCOUNT_ROLES], 'What they may do.'),
  account_id: text('Null: an operator.'),
  account_name: text('Null: an operator.'),
  totp: boolean('They have a second factor.'),
  joined: boolean('False: they are invited, and have not signed in nor set a password.'),
  created: unixSeconds('When they were invited first'),
  last_signed_in_at: time('Time of the last sign-in'),
  disabled_at: time('Time at which the user was disabled'),
};

const invitation = object(
  {
    token: string('The link is `<address of the console>/invitation#<token>`.'),
    expires_at: integer('In Unix seconds.'),
  },
  'Lets whoever has it set the password of the user, once. Earlier ones have ended.',
);

export const USER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  User: object(fields),
  InvitedUser: object({ ...fields, 'invitation?': invitation }),
};
