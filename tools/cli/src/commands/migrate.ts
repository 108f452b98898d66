import type { Command } from 'commander';
import type { Session } from '../session';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/migrate') => require('../actions/migrate');

export function addMigrateCommand(program: Command, session: Session): void {
  program
    .command('migrate')
    .description('bring the database to the tables of this version')
    .action(async () => session.print(await actions().apply(session)));
}
