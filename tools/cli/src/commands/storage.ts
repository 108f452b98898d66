import type { Command } from 'commander';
import type { Session } from '../session';
import { addConfigOption } from './config-option';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/storage') => require('../actions/storage');

export function addStorageCommands(program: Command, session: Session): void {
  const storage = program.command('storage').description('where results and uploads are kept');
  addConfigOption(storage, session);
  storage
    .command('copy')
    .description('copy files from the folder in MEDIAGATE_HOME to the bucket, and check each; it can be repeated')
    .action(async () => session.print(await actions().copy(session)));
}
