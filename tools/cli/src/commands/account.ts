import { MARKS, type Nano, PRIORITY_CLASSES, UNMARKED } from '@mediagate/contracts';
import type { AccountQuery } from '@mediagate/identity';
import { type Command, Option } from 'commander';
import type { NamedSettings, NewAccountOptions, Payment, SecretOptions } from '../actions/account';
import {
  parseAmount,
  parseCorrection,
  parseCount,
  parseEntryId,
  parseId,
  parseKeyId,
  parseLine,
  parsePositiveAmount,
} from '../option-values';
import type { Session } from '../session';
import { reasonOption } from './reason-option';

const MAX_NAME_CHARACTERS = 200;
const MAX_NOTE_CHARACTERS = 500;
const DEFAULT_ENTRIES = 20;
const MAX_ENTRIES = 1000;
const MAX_PER_MINUTE = 1_000_000;
/** 30 days. */
const MAX_OVERLAP_HOURS = 720;

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/account') => require('../actions/account');
const ledger = (): typeof import('../actions/account-ledger') => require('../actions/account-ledger');

export function addAccountCommands(program: Command, session: Session): void {
  const account = program.command('account').description('accounts and their money');
  account
    .command('create')
    .description('open an account')
    .option('--name <text>', 'what to call it', parseLine(MAX_NAME_CHARACTERS), 'unnamed')
    .option('--balance <amount>', 'a first top-up, in currency units', parseAmount)
    .addOption(priorityClassOption())
    .addOption(reasonOption())
    .action(async (options: NewAccountOptions) => session.print(await actions().create(session, options)));
  addMoneyCommands(account, session);
  account
    .command('secret')
    .description('show the secret that signs the callbacks of an account')
    .argument('<id>', 'the account', parseId)
    .option('--rotate', 'make a new one first')
    .option(
      '--overlap-hours <count>',
      'how long the old one signs beside it; 0 ends every earlier one at once',
      parseCount(MAX_OVERLAP_HOURS, 0),
    )
    .action(async (id: string, options: SecretOptions) => session.print(await actions().secret(session, id, options)));
  addStateCommands(account, session);
  addListCommand(account, session);
}

const priorityClassOption = () =>
  new Option('--priority-class <class>', 'its share of the turns of tasks beyond DISPATCH_WINDOW').choices([
    ...PRIORITY_CLASSES,
  ]);

/** `default`: as the configuration says. */
const orDefault = (flags: string, about: string, words: readonly string[]) =>
  new Option(flags, about).choices([...words, 'default']);

function addMoneyCommands(account: Command, session: Session): void {
  account
    .command('top-up')
    .description('book a payment')
    .argument('<id>', 'the account', parseId)
    .argument('<amount>', 'in currency units', parsePositiveAmount)
    .option('--reference <text>', 'of the payment; one reference is booked once', parseLine(MAX_NAME_CHARACTERS))
    .option('--note <text>', 'kept in the ledger', parseLine(MAX_NOTE_CHARACTERS))
    .addOption(reasonOption())
    .action(async (id: string, paid: Nano, options: Payment) =>
      session.print(await actions().book(session, id, paid, options)),
    );
  account
    .command('adjust')
    .description('correct a balance, in either direction')
    .argument('<id>', 'the account', parseId)
    .argument('<amount>', 'in currency units; after -- where it is negative', parseCorrection)
    .requiredOption('--reason <text>', 'kept in the ledger and the audit log', parseLine(MAX_NOTE_CHARACTERS))
    .action(async (id: string, amount: Nano, options: { reason: string }) =>
      session.print(await actions().correct(session, id, amount, options.reason)),
    );
}

function addListCommand(account: Command, session: Session): void {
  account
    .command('show')
    .description('show one account with its balance')
    .argument('<id>', 'the account', parseId)
    .action(async (id: string) => session.print(await actions().show(session, id)));
  account
    .command('ledger')
    .description('list what was booked on an account, the newest first')
    .argument('<id>', 'the account', parseId)
    .option('--before <id>', 'go on behind this entry', parseEntryId)
    .option('--limit <count>', 'how many at most', parseCount(MAX_ENTRIES), DEFAULT_ENTRIES)
    .action(async (id: string, options: { before?: bigint; limit: number }) =>
      session.print(await ledger().list(session, id, options)),
    );
  account
    .command('list')
    .description('list accounts with their balances, the newest first')
    .option('--search <text>', 'how the name begins, or the id', parseLine(MAX_NAME_CHARACTERS))
    .addOption(new Option('--state <state>', 'in this state alone').choices(['active', 'suspended', 'closed']))
    .addOption(new Option('--key <id>', 'whose key it is').argParser(parseKeyId).conflicts('search'))
    .option('--limit <count>', 'so many at most', parseCount())
    .action(async ({ search: text, key: ofKey, state, limit = Number.POSITIVE_INFINITY }: ListWords) =>
      session.print(await actions().list(session, { text, ofKey, state, limit })),
    );
}

interface ListWords extends Pick<AccountQuery, 'state'> {
  search?: string;
  key?: string;
  limit?: number;
}

function addStateCommands(account: Command, session: Session): void {
  account
    .command('update')
    .description('change the name of an account, its priority class, its marks, or the limits of all its keys together')
    .argument('<id>', 'the account', parseId)
    .option('--name <text>', 'what to call it', parseLine(MAX_NAME_CHARACTERS))
    .option('--submit-per-minute <count>', 'submissions a minute; none: no limit', parseLimit)
    .option('--query-per-minute <count>', 'queries a minute; none: no limit', parseLimit)
    .addOption(priorityClassOption())
    .addOption(orDefault('--marks <way>', 'how its results are marked as made by a model', MARKS))
    .addOption(orDefault('--unmarked <fate>', 'what becomes of a result that cannot be marked so', UNMARKED))
    .addOption(reasonOption())
    .action(async (id: string, settings: NamedSettings) =>
      session.print(await actions().update(session, id, settings)),
    );
  for (const [to, description] of MOVES) {
    account
      .command(to)
      .description(description)
      .argument('<id>', 'the account', parseId)
      .addOption(reasonOption())
      .action(async (id: string, options: { reason?: string }) =>
        session.print(await actions().move(session, id, { to, ...options })),
      );
  }
}

const MOVES = [
  ['suspend', 'refuse its submissions until it is resumed; what has begun goes on'],
  ['resume', 'let a suspended account submit again'],
  ['close', 'let neither work nor payments in any more, for good; its balance stays'],
] as const;

/** Not null, which commander takes for no value. */
function parseLimit(text: string): number | 'none' {
  return text === 'none' ? text : parseCount(MAX_PER_MINUTE)(text);
}
