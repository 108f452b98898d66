import type { Command } from 'commander';
import type { Session } from '../session';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/raise-fences') => require('../actions/raise-fences');

export function addRaiseFencesCommand(program: Command, session: Session): void {
  program
    .command('raise-fences')
    .description(
      'after a fail-over to a database that does not show its timeline, and after a second promotion: give no fence that a lost one gave',
    )
    .action(async () => session.print(await actions().raise(session)));
}
