import type { Command } from 'commander';
import { parseAuditId, parseCount } from '../option-values';
import type { Session } from '../session';

const DEFAULT_LIMIT = 20;
/** All that are kept. */
const MAX_LIMIT = 1000;

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/audit') => require('../actions/audit');
const listActions = (): typeof import('../actions/audit-list') => require('../actions/audit-list');

export function addAuditCommand(program: Command, session: Session): void {
  const audit = program
    .command('audit')
    .description('check every invariant of the books; exit code 1 when one is broken')
    .action(async () => session.print(await actions().check(session)));
  audit
    .command('list')
    .description('list the audits of late, whoever asked for them, and what they found')
    .option('--before <id>', 'go on behind this audit', parseAuditId)
    .option('--limit <count>', 'how many at most', parseCount(MAX_LIMIT), DEFAULT_LIMIT)
    .action(async (options: { before?: bigint; limit: number }) =>
      session.print(await listActions().list(session, options)),
    );
}
