import type { Nano } from '@mediagate/contracts';
import type { Command } from 'commander';
import type { Payment, SecretOptions } from '../actions/account';
import { parseAmount, parseCount, parseId, parseLine, parsePositiveAmount } from '../option-values';
import type { Session } from '../session';
import { type JsonFlag, jsonOption } from './json-option';

const MAX_NAME_CHARACTERS = 200;
const MAX_NOTE_CHARACTERS = 500;
/** 30 days. */
const MAX_OVERLAP_HOURS = 720;

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/account') => require('../actions/account');

export function addAccountCommands(program: Command, session: Session): void {
  const account = program.command('account').description('accounts and their money');
  account
    .command('create')
    .description('open an account')
    .option('--name <text>', 'what to call it', parseLine(MAX_NAME_CHARACTERS), 'unnamed')
    .option('--balance <amount>', 'a first top-up, in currency units', parseAmount)
    .addOption(jsonOption())
    .action(async (options: JsonFlag & { name: string; balance?: Nano }) =>
      session.print(options, await actions().create(session, options.name, options.balance ?? 0n)),
    );
  account
    .command('top-up')
    .description('book a payment')
    .argument('<id>', 'the account', parseId)
    .argument('<amount>', 'in currency units', parsePositiveAmount)
    .option('--reference <text>', 'of the payment; one reference is booked once', parseLine(MAX_NAME_CHARACTERS))
    .option('--note <text>', 'kept in the ledger', parseLine(MAX_NOTE_CHARACTERS))
    .addOption(jsonOption())
    .action(async (id: string, paid: Nano, options: JsonFlag & Payment) =>
      session.print(options, await actions().book(session, id, paid, options)),
    );
  account
    .command('secret')
    .description('show the secret that signs the callbacks of an account')
    .argument('<id>', 'the account', parseId)
    .option('--rotate', 'make a new one first')
    .option('--overlap-hours <count>', 'how long the old one signs beside it', parseCount(MAX_OVERLAP_HOURS))
    .addOption(jsonOption())
    .action(async (id: string, options: JsonFlag & SecretOptions) =>
      session.print(options, await actions().secret(session, id, options)),
    );
  account
    .command('list')
    .description('list accounts with their balances')
    .addOption(jsonOption())
    .action(async (options: JsonFlag) => session.print(options, await actions().list(session)));
}
