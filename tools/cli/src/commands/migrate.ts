import type { Command } from 'commander';
import type { Session } from '../session';
import { type JsonFlag, jsonOption } from './json-option';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/migrate') => require('../actions/migrate');

export function addMigrateCommand(program: Command, session: Session): void {
  program
    .command('migrate')
    .description('bring the database to the tables of this version')
    .addOption(jsonOption())
    .action(async (options: JsonFlag) => session.print(options, await actions().apply(session)));
}
