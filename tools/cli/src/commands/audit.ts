import type { Command } from 'commander';
import type { Session } from '../session';
import { type JsonFlag, jsonOption } from './json-option';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/audit') => require('../actions/audit');

export function addAuditCommand(program: Command, session: Session): void {
  program
    .command('audit')
    .description('check every invariant of the books; exit code 1 when one is broken')
    .addOption(jsonOption())
    .action(async (options: JsonFlag) => session.print(options, await actions().check(session)));
}
