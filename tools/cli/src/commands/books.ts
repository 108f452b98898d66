import type { Month } from '@mediagate/billing';
import type { Command } from 'commander';
import { parseMonth } from '../option-values';
import type { Session } from '../session';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/books') => require('../actions/books');

export function addBooksCommands(program: Command, session: Session): void {
  const books = program.command('books').description('closed months of the ledger');
  books
    .command('close')
    .description('seal the sums and the entries of a month that has ended, and of those before')
    .argument('<YYYY-MM>', 'the month, of UTC', parseMonth)
    .action(async (month: Month) => {
      session.print(await actions().close(session, month.name));
    });
  books
    .command('list')
    .description('list the closed months, with their sums and digests')
    .action(async () => session.print(await actions().list(session)));
}
