import { ACCOUNT_ROLES, isEmailAddress, OPERATOR_ROLES, USER_KINDS, USER_STATES } from '@mediagate/contracts';
import type { UserQuery } from '@mediagate/identity';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { UserFields } from '../actions/user';
import { parseCount, parseId, parseLine } from '../option-values';
import type { Answer, Session } from '../session';
import { reasonOption } from './reason-option';

const MAX_CHARACTERS = 200;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

type Options = { reason?: string };

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/user') => require('../actions/user');

export function addUserCommands(program: Command, session: Session): void {
  const user = program.command('user').description('who signs in to the console');
  user
    .command('create')
    .description('make a user and print a link by which they set a password')
    .requiredOption('--email <address>', 'by which they sign in', parseEmail)
    .requiredOption(
      '--role <role>',
      `of operators ${OPERATOR_ROLES.join(', ')}; of an account ${ACCOUNT_ROLES.join(', ')}`,
    )
    .option('--account <id>', 'the account; absent: an operator', parseId)
    .option('--name <text>', 'what to call them; absent: as the address begins', parseLine(MAX_CHARACTERS))
    .addOption(reasonOption())
    .action(async (options: Options & UserFields) => session.print(await actions().create(session, options)));
  user
    .command('list')
    .description('list users, the newest first')
    .option('--account <id>', 'of this account alone', parseId)
    .addOption(new Option('--kind <kind>', 'operators alone, or users of accounts').choices(USER_KINDS))
    .addOption(new Option('--role <role>', 'with this role alone').choices([...OPERATOR_ROLES, ...ACCOUNT_ROLES]))
    .addOption(new Option('--state <state>', 'in this state alone').choices(USER_STATES))
    .option('--email <text>', 'how their e-mail address begins', parseLine(MAX_CHARACTERS))
    .option('--before <id>', 'go on behind this one', parseId)
    .option('--limit <count>', 'how many at most', parseCount(MAX_LIMIT), DEFAULT_LIMIT)
    .action(async ({ account: accountId, ...query }: UserQuery & { account?: string }) =>
      session.print(await actions().list(session, { ...query, accountId })),
    );
  addUserChanges(user, session);
}

function addUserChanges(user: Command, session: Session): void {
  const one = (name: string, about: string) =>
    user.command(name).description(about).argument('<user>', 'id or e-mail address', parseLine(MAX_CHARACTERS));
  const act = (name: string, about: string, run: (who: string, options: Options) => Promise<Answer>) =>
    one(name, about)
      .addOption(reasonOption())
      .action(async (who: string, options: Options) => session.print(await run(who, options)));
  one('show', 'who they are and what they may do').action(async (who: string) =>
    session.print(await actions().show(session, who)),
  );
  one('update', 'change name or role')
    .option('--name <text>', 'what to call them', parseLine(MAX_CHARACTERS))
    .option('--role <role>', 'one of their kind')
    .addOption(reasonOption())
    .action(async (who: string, options: Options & { name?: string; role?: string }) =>
      session.print(await actions().update(session, who, options)),
    );
  addActs(act, session);
}

type AddAct = (name: string, about: string, run: (who: string, options: Options) => Promise<Answer>) => void;

/** Commands for a user as a whole. */
function addActs(act: AddAct, session: Session): void {
  act('invite', 'print a new link by which they set a password', (who, options) =>
    actions().invite(session, who, options),
  );
  for (const { name, about, disabled } of SWITCHES) {
    act(name, about, (who, options) => actions().update(session, who, { ...options, disabled }));
  }
  for (const { name, about } of RESETS) {
    act(name, about, (who, options) => actions().act(session, who, { ...options, name }));
  }
  act('reset-password', 'take password and second factor away and print a link for new ones', (who, options) =>
    actions().reset(session, who, options),
  );
  act('delete', 'remove a user for good, with the token or key that stands for them', (who, options) =>
    actions().remove(session, who, options),
  );
}

const SWITCHES = [
  { name: 'disable', about: 'end sign-in, sessions and the token or key at once', disabled: true },
  { name: 'enable', about: 'let a disabled user sign in again', disabled: false },
];

const RESETS = [
  { name: 'end-sessions', about: 'sign them out everywhere' },
  { name: 'reset-second-factor', about: 'take a lost second factor away; the password stays' },
] as const;

function parseEmail(text: string): string {
  if (isEmailAddress(text)) return parseLine(MAX_CHARACTERS)(text);
  throw new InvalidArgumentError('It is no e-mail address.');
}
