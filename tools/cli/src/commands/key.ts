import { KEY_NAME_MAX_CHARACTERS, KEY_SCOPES } from '@mediagate/contracts';
import { type Command, Option } from 'commander';
import type { CreateOptions, ListOptions, UpdateOptions } from '../actions/key';
import {
  parseAmount,
  parseCount,
  parseFamilies,
  parseFutureTime,
  parseId,
  parseKeyId,
  parseLine,
  parseModels,
} from '../option-values';
import type { Session } from '../session';
import { reasonOption } from './reason-option';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/key') => require('../actions/key');

export function addKeyCommands(program: Command, session: Session): void {
  const key = program.command('key').description('API keys');
  addCreate(key, session);
  addUpdate(key, session);
  addOthers(key, session);
}

function addCreate(key: Command, session: Session): void {
  key
    .command('create')
    .description('issue a key; it is shown this once')
    .requiredOption('--account <id>', 'whose money it spends', parseId)
    .option('--name <text>', 'what to call it', parseLine(KEY_NAME_MAX_CHARACTERS))
    .option('--quota <amount>', 'the most it may spend, in currency units; absent: unlimited', parseAmount)
    .option('--families <list>', 'families it may use, by comma; absent: all', parseFamilies)
    .option('--models <list>', 'models it may use, by comma; absent: all', parseModels)
    .option('--submit-per-minute <count>', 'submissions a minute', parseCount())
    .option('--query-per-minute <count>', 'queries a minute', parseCount())
    .option('--max-concurrent <count>', 'tasks of a family at work at once; absent: no limit', parseCount())
    .option(
      '--expires-at <time>',
      'when it ends, as 2027-01-31 or 2027-01-31T12:00:00Z; absent: never',
      parseFutureTime,
    )
    .option('--test', 'of tests: its tasks are free, and made by the channels that the file marks test')
    .option('--manage', 'it may make and change other keys of the account over the API')
    .addOption(scopeOption('absent: account'))
    .addOption(reasonOption())
    .action(async (options: CreateOptions) => session.print(await actions().create(session, options)));
}

function addUpdate(key: Command, session: Session): void {
  key
    .command('update')
    .description('change what is named of a key, and leave the rest')
    .argument('<id>', 'the 12 characters after mg_', parseKeyId)
    .option('--name <text>', 'what to call it', parseLine(KEY_NAME_MAX_CHARACTERS))
    .option('--quota <amount>', 'the most it may spend, in currency units; none: unlimited', orNone(parseAmount))
    .option('--families <list>', 'families it may use, by comma', parseFamilies)
    .option('--models <list>', 'models it may use, by comma', parseModels)
    .option('--submit-per-minute <count>', 'submissions a minute', parseCount())
    .option('--query-per-minute <count>', 'queries a minute', parseCount())
    .option('--max-concurrent <count>', 'tasks of a family at work at once; none: no limit', orNone(parseCount()))
    .option(
      '--expires-at <time>',
      'when it ends, as 2027-01-31 or 2027-01-31T12:00:00Z; none: never',
      orNone(parseFutureTime),
    )
    .option('--manage', 'give it the right to make and change other keys')
    .option('--no-manage', 'take that right from it')
    .addOption(scopeOption('absent: as it is'))
    .addOption(reasonOption())
    .action(async (id: string, options: UpdateOptions) => session.print(await actions().update(session, id, options)));
}

function scopeOption(absent: string): Option {
  const about = 'what it sees: account, or own, what it made itself and what its own keys made';
  return new Option('--scope <scope>', `${about}; ${absent}`).choices(KEY_SCOPES);
}

function addOthers(key: Command, session: Session): void {
  key
    .command('list')
    .description('list keys, without their secrets')
    .option('--account <id>', 'of this account alone', parseId)
    .option('--id <id>', 'this one alone', parseKeyId)
    .option('--revoked', 'those alone that were revoked')
    .option('--no-revoked', 'those alone that were not')
    .action(async (options: ListOptions) => session.print(await actions().list(session, options)));
  key
    .command('revoke')
    .description('end a key; its tasks in flight go on and are settled')
    .argument('<id>', 'the 12 characters after mg_', parseKeyId)
    .addOption(reasonOption())
    .action(async (id: string, options: { reason?: string }) =>
      session.print(await actions().revoke(session, id, options.reason)),
    );
  key
    .command('rotate')
    .description('give a key a new secret, shown this once; the old one ends within 5 seconds')
    .argument('<id>', 'the 12 characters after mg_', parseKeyId)
    .addOption(reasonOption())
    .action(async (id: string, options: { reason?: string }) =>
      session.print(await actions().rotate(session, id, options.reason)),
    );
}

/** Not null, which commander takes for no value. */
function orNone<Value>(parse: (text: string) => Value): (text: string) => Value | 'none' {
  return (text) => (text === 'none' ? text : parse(text));
}
