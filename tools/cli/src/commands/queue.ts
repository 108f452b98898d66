import type { Command } from 'commander';
import type { Session } from '../session';
import { type JsonFlag, jsonOption } from './json-option';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/queue') => require('../actions/queue');

export function addQueueCommands(program: Command, session: Session): void {
  const queue = program.command('queue').description('what waits and what runs');
  queue
    .command('list')
    .description('show of each family, and of callbacks, what waits, what runs, how old it is, and who works on it')
    .addOption(jsonOption())
    .action(async (options: JsonFlag) => session.print(options, await actions().list(session)));
}
