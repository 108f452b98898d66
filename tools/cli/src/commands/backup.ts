import type { Command } from 'commander';
import type { BackupFlags } from '../actions/backup';
import type { RestoreFlags } from '../actions/restore';
import type { Session } from '../session';

/** Loaded by the command that runs, so that none waits for what another needs. */
const backup = (): typeof import('../actions/backup') => require('../actions/backup');
const restore = (): typeof import('../actions/restore') => require('../actions/restore');

export function addBackupCommands(program: Command, session: Session): void {
  program
    .command('backup')
    .description('write the whole database, as it is at one moment, to a file; everything may run meanwhile')
    .requiredOption('--to <file>', 'that is not there yet')
    .option('--try', 'restore the file into a database of its own, audit that, and drop it')
    .action(async ({ to, ...flags }: BackupFlags & { to: string }) =>
      session.print(await backup().write(session, to, flags)),
    );
  program
    .command('restore')
    .description('put a backup into a database on which no service runs, and list what is in doubt')
    .requiredOption('--from <file>', 'that `backup` wrote')
    .option('--overwrite', 'replace what the database holds')
    .option(
      '--send-callbacks',
      'send callbacks that were pending at the backup, which their callers may have had since',
    )
    .action(async ({ from, ...options }: RestoreFlags & { from: string }) =>
      session.print(await restore().restore(session, from, options)),
    );
}
