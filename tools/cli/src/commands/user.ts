import {
  ACCOUNT_ROLES,
  isJsonObject,
  type JsonObject,
  OPERATOR_ROLES,
  USER_KINDS,
  USER_STATES,
} from '@mediagate/contracts';
import type { Command } from 'commander';
import { Refusal } from '../refusal';
import { facts, time } from '../routes/answer-text';
import { addRouted } from '../routes/route-command';
import type { Columns, Completing, RoutedCommand, Taken } from '../routes/routed-command';
import type { Session } from '../session';
import { timeText } from '../time-text';
import { OF_ACCOUNT, pageOptions, REASON } from './taken';

const WHO: Record<string, Taken> = { '<user>': { about: 'id or e-mail address', field: 'user_id', find: findUser } };
const NAME = { '--name <text>': 'what to call them' };
const signedOut = ({ email }: JsonObject) => `${email} must sign in again`;
const standing = ({ email, role, disabled_at }: JsonObject) =>
  `${email} is ${disabled_at === null ? role : 'disabled'}`;

const COLUMNS: Columns = {
  ID: 'id',
  'E-MAIL': 'email',
  ROLE: 'role',
  ACCOUNT: 'account_id',
  'SIGNED IN': time('last_signed_in_at'),
  DISABLED: time('disabled_at'),
};

const COMMANDS: Record<string, RoutedCommand> = {
  create: {
    about: 'make a user and print a link by which they set a password',
    calls: 'adminInviteUser',
    takes: {
      '--email <address>': { about: 'by which they sign in', required: true },
      '--role <role>': {
        about: `of operators ${OPERATOR_ROLES.join(', ')}; of an account ${ACCOUNT_ROLES.join(', ')}`,
        required: true,
      },
      '--account <id>': { about: 'the account; absent: an operator', field: 'account_id' },
      '--name <text>': 'what to call them; absent: as the address begins',
      ...REASON,
    },
    says: ({ email }) => ({ name: String(email).replace(/@.*$/, '') }),
    completes: withLink,
    shows: linkText,
  },
  list: {
    about: 'list users, the newest first',
    calls: 'adminListUsers',
    takes: {
      ...OF_ACCOUNT,
      '--kind <kind>': { about: 'operators alone, or users of accounts', choices: USER_KINDS },
      '--role <role>': { about: 'with this role alone', choices: [...OPERATOR_ROLES, ...ACCOUNT_ROLES] },
      '--state <state>': { about: 'in this state alone', choices: USER_STATES },
      '--email <text>': 'how their e-mail address begins',
      ...pageOptions('100'),
    },
    shows: COLUMNS,
  },
  show: { about: 'who they are and what they may do', calls: 'adminGetUser', takes: WHO, shows: facts },
  update: {
    about: 'change name or role',
    calls: 'adminUpdateUser',
    takes: { ...WHO, ...NAME, '--role <role>': 'one of their kind', ...REASON },
    shows: standing,
  },
  invite: {
    about: 'print a new link by which they set a password',
    calls: 'adminInviteUserAgain',
    takes: { ...WHO, ...REASON },
    completes: withLink,
    shows: linkText,
  },
  disable: {
    about: 'end sign-in, sessions and the token or key at once',
    calls: 'adminDisableUser',
    takes: { ...WHO, ...REASON },
    shows: standing,
  },
  enable: {
    about: 'let a disabled user sign in again',
    calls: 'adminEnableUser',
    takes: { ...WHO, ...REASON },
    shows: standing,
  },
  'end-sessions': {
    about: 'sign them out everywhere',
    calls: 'adminEndUserSessions',
    takes: { ...WHO, ...REASON },
    shows: signedOut,
  },
  'reset-second-factor': {
    about: 'take a lost second factor away; the password stays',
    calls: 'adminResetUserSecondFactor',
    takes: { ...WHO, ...REASON },
    shows: signedOut,
  },
  'reset-password': {
    about: 'take password and second factor away and print a link for new ones',
    calls: 'adminResetUser',
    takes: { ...WHO, ...REASON },
    completes: withLink,
    shows: linkText,
  },
  delete: {
    about: 'remove a user for good, with the token or key that stands for them',
    calls: 'adminDeleteUser',
    takes: { ...WHO, ...REASON },
    shows: ({ id }) => `${id} is deleted`,
  },
};

export function addUserCommands(program: Command, session: Session): void {
  addRouted(program.command('user').description('who signs in to the console'), session, COMMANDS);
}

/** Routes know users by their ids; a person knows an e-mail address. */
async function findUser(who: string, { ask }: Pick<Completing, 'ask'>): Promise<string> {
  if (!who.includes('@')) return who;
  const { data = [] } = await ask('adminListUsers', { email: who });
  const users = (Array.isArray(data) ? data : []).filter(isJsonObject);
  const found = users.filter(({ email }) => email === who.toLowerCase());
  const [user, ...others] = found;
  if (user === undefined) throw new Refusal(`there is no user ${who}`);
  if (others.length === 0) return String(user['id']);
  const ids = found.map(({ id, account_name }) => `${id} (${account_name ?? 'operators'})`);
  throw new Refusal(`${who} is the address of several users: name one by its id, ${ids.join(', ')}`);
}

/** The link of an invitation, for which the console's address is needed. Its token stands behind `#`, which browsers send to nobody. */
function withLink(user: JsonObject, { session }: Completing): JsonObject {
  const { invitation } = user;
  if (!isJsonObject(invitation)) return user;
  return {
    ...user,
    invitation: { url: `${session.deployment.consoleUrl()}/invitation#${invitation['token']}`, ...invitation },
  };
}

function linkText({ email, invitation }: JsonObject): string {
  if (!isJsonObject(invitation)) return `${email} is reset, and disabled: enable and invite them`;
  return `${email} sets a password, until ${timeText(Number(invitation['expires_at']))}, at\n${invitation['url']}`;
}
