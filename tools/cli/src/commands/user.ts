import { ACCOUNT_ROLES, OPERATOR_ROLES } from '@mediagate/contracts';
import { type Command, InvalidArgumentError } from 'commander';
import type { UserFields } from '../actions/user';
import { parseId, parseLine } from '../option-values';
import type { Session } from '../session';
import { type JsonFlag, jsonOption } from './json-option';
import { reasonOption } from './reason-option';

const MAX_CHARACTERS = 200;

type Options = JsonFlag & { reason?: string };

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
    .addOption(jsonOption())
    .action(async (options: Options & UserFields) => session.print(options, await actions().create(session, options)));
  user
    .command('list')
    .description('list users')
    .option('--account <id>', 'of this account alone', parseId)
    .addOption(jsonOption())
    .action(async (options: JsonFlag & { account?: string }) =>
      session.print(options, await actions().list(session, options.account)),
    );
  addUserChanges(user, session);
}

function addUserChanges(user: Command, session: Session): void {
  const one = (name: string, about: string) =>
    user.command(name).description(about).argument('<user>', 'id or e-mail address', parseLine(MAX_CHARACTERS));
  one('invite', 'print a new link by which they set a password')
    .addOption(jsonOption())
    .action(async (who: string, options: JsonFlag) => session.print(options, await actions().invite(session, who)));
  one('update', 'change name or role')
    .option('--name <text>', 'what to call them', parseLine(MAX_CHARACTERS))
    .option('--role <role>', 'one of their kind')
    .addOption(reasonOption())
    .addOption(jsonOption())
    .action(async (who: string, options: Options & { name?: string; role?: string }) =>
      session.print(options, await actions().update(session, who, options)),
    );
  for (const { name, about, disabled } of SWITCHES) {
    one(name, about)
      .addOption(reasonOption())
      .addOption(jsonOption())
      .action(async (who: string, options: Options) =>
        session.print(options, await actions().update(session, who, { ...options, disabled })),
      );
  }
  one('reset-password', 'take password and second factor away and print a link for new ones')
    .addOption(reasonOption())
    .addOption(jsonOption())
    .action(async (who: string, options: Options) =>
      session.print(options, await actions().reset(session, who, options)),
    );
  one('delete', 'remove a user for good, with the token or key that stands for them')
    .addOption(reasonOption())
    .addOption(jsonOption())
    .action(async (who: string, options: Options) =>
      session.print(options, await actions().remove(session, who, options)),
    );
}

const SWITCHES = [
  { name: 'disable', about: 'end sign-in, sessions and the token or key at once', disabled: true },
  { name: 'enable', about: 'let a disabled user sign in again', disabled: false },
];

function parseEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return parseLine(MAX_CHARACTERS)(text);
  throw new InvalidArgumentError('An e-mail address has one @.');
}
