import { isJsonObject, type JsonObject, MARKS, PRIORITY_CLASSES, UNMARKED } from '@mediagate/contracts';
import type { Command } from 'commander';
import type { SecretOptions } from '../actions/account-secret';
import { parseAmount, parseCount, parseId, parseKeyId } from '../option-values';
import { money, or, time } from '../routes/answer-text';
import { addRouted } from '../routes/route-command';
import type { Columns, Completing, RoutedCommand, Taken } from '../routes/routed-command';
import type { Session } from '../session';
import { timeText } from '../time-text';
import { pageOptions, REASON } from './taken';

/** 30 days. */
const MAX_OVERLAP_HOURS = 720;
const ID: Record<string, Taken> = { '<id>': { about: 'the account', field: 'account_id' } };
const CLASS: Record<string, Taken> = {
  '--priority-class <class>': {
    about: 'its share of the turns of tasks beyond DISPATCH_WINDOW',
    choices: PRIORITY_CLASSES,
  },
};

const COLUMNS: Columns = {
  ID: 'id',
  NAME: 'name',
  STATE: 'state',
  BALANCE: 'balance',
  HELD: 'held',
  SETTLED: 'settled',
  CLASS: 'priority_class',
  'SUBMITS/MIN': or('submit_per_minute', 'none'),
  'QUERIES/MIN': or('query_per_minute', 'none'),
  MARKS: ({ marks, unmarked }) => `${marks ?? 'default'}/${unmarked ?? 'default'}`,
  CREATED: time('created'),
};

const COMMANDS: Record<string, RoutedCommand> = {
  create: {
    about: 'open an account',
    calls: 'adminCreateAccount',
    takes: {
      '--name <text>': { about: 'what to call it', fallback: 'unnamed' },
      '--balance <amount>': { about: 'a first top-up, in currency units', field: null, read: decimal },
      ...CLASS,
      ...REASON,
    },
    completes: payFirstBalance,
    shows: { ID: 'id', NAME: 'name', BALANCE: 'balance' },
  },
  'top-up': {
    about: 'book a payment',
    calls: 'adminTopUpAccount',
    takes: {
      ...ID,
      '<amount>': 'in currency units',
      '--reference <text>': 'of the payment; one reference is booked once',
      '--note <text>': 'kept in the ledger',
      ...REASON,
    },
    shows: ({ id, balance }, { amount }) => `${amount} booked; the balance of ${id} is ${money(balance)}`,
  },
  adjust: {
    about: 'correct a balance, in either direction',
    calls: 'adminAdjustAccount',
    takes: {
      ...ID,
      '<amount>': 'in currency units; after -- where it is negative',
      '--reason <text>': { about: 'kept in the ledger and the audit log', required: true },
    },
    shows: COLUMNS,
  },
  show: { about: 'show one account with its balance', calls: 'adminGetAccount', takes: ID, shows: COLUMNS },
  ledger: {
    about: 'list what was booked on an account, the newest first',
    calls: 'adminListLedger',
    takes: { ...ID, ...pageOptions('20') },
    completes: warnOfRemoved,
    shows: {
      ENTRY: 'id',
      TIME: time('created'),
      KIND: 'kind',
      AMOUNT: 'amount',
      CHANGE: 'change',
      BALANCE: 'balance_after',
      TASK: 'task_id',
      KEY: 'key_id',
      REFERENCE: 'reference',
      REASON: 'reason',
    },
  },
  list: {
    about: 'list accounts with their balances, the newest first',
    calls: 'adminListAccounts',
    takes: {
      '--search <text>': { about: 'a part of the name, or how the id begins', field: 'query' },
      '--state <state>': { about: 'in this state alone', choices: ['active', 'suspended', 'closed'] },
      '--key <id>': { about: 'whose key it is', field: 'key_id', read: parseKeyId },
      ...pageOptions(),
    },
    shows: COLUMNS,
  },
  update: {
    about: 'change the name of an account, its priority class, its marks, or the limits of all its keys together',
    calls: 'adminUpdateAccount',
    takes: {
      ...ID,
      '--name <text>': 'what to call it',
      '--submit-per-minute <count>': { about: 'submissions a minute; none: no limit', unset: 'none' },
      '--query-per-minute <count>': { about: 'queries a minute; none: no limit', unset: 'none' },
      ...CLASS,
      '--marks <way>': orDefault('how its results are marked as made by a model', MARKS),
      '--unmarked <fate>': orDefault('what becomes of a result that cannot be marked so', UNMARKED),
      ...REASON,
    },
    shows: COLUMNS,
  },
  suspend: {
    about: 'refuse its submissions until it is resumed; what has begun goes on',
    calls: 'adminSuspendAccount',
    takes: { ...ID, ...REASON },
    shows: COLUMNS,
  },
  resume: {
    about: 'let a suspended account submit again',
    calls: 'adminResumeAccount',
    takes: { ...ID, ...REASON },
    shows: COLUMNS,
  },
  close: {
    about: 'let neither work nor payments in any more, for good; its balance stays',
    calls: 'adminCloseAccount',
    takes: { ...ID, ...REASON },
    shows: COLUMNS,
  },
};

/** Loaded by the command that runs, so that none waits for what another needs. */
const secrets = (): typeof import('../actions/account-secret') => require('../actions/account-secret');

export function addAccountCommands(program: Command, session: Session): void {
  const account = program.command('account').description('accounts and their money');
  addRouted(account, session, COMMANDS);
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
    .action(async (id: string, options: SecretOptions) => session.print(await secrets().secret(session, id, options)));
}

/** `default`: as the configuration says. */
function orDefault(about: string, words: readonly string[]): Taken {
  return { about: `${about}: ${words.join(', ')}, default`, unset: 'default' };
}

/** Judged before the account is opened. */
function decimal(text: string): string {
  parseAmount(text);
  return text;
}

async function payFirstBalance(account: JsonObject, { ask, given, session }: Completing): Promise<JsonObject> {
  const { balance: amount = '0', reason } = given;
  if (Number(amount) === 0) return account;
  const { id = null } = account;
  try {
    const { data } = await ask('adminTopUpAccount', { account_id: id, amount, reason, note: 'first balance' });
    return isJsonObject(data) ? data : account;
  } catch (error) {
    session.warn(`${id} is open: npx mediagate account ledger ${id} shows whether its first balance was booked`);
    throw error;
  }
}

function warnOfRemoved(ledger: JsonObject, { session }: Completing): JsonObject {
  const { complete_since: since } = ledger;
  if (typeof since === 'number') session.warn(`entries of tasks that ended before ${timeText(since)} may be removed`);
  return ledger;
}
