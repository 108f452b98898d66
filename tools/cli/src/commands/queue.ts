import type { Command } from 'commander';
import type { Session } from '../session';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/queue') => require('../actions/queue');

export function addQueueCommands(program: Command, session: Session): void {
  const queue = program.command('queue').description('what waits and what runs');
  queue
    .command('list')
    .description('show of each family, and of callbacks, what waits, what runs, how old it is, and who works on it')
    .action(async () => session.print(await actions().list(session)));
}
