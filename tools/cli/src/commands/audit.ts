import type { Command } from 'commander';
import { parseAuditId, parseCount } from '../option-values';
import type { Session } from '../session';
import { type JsonFlag, jsonOption } from './json-option';

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
    .addOption(jsonOption())
    .action(async (options: JsonFlag) => session.print(options, await actions().check(session)));
  audit
    .command('list')
    .description('list the audits of late, whoever asked for them, and what they found')
    .option('--before <id>', 'go on behind this audit', parseAuditId)
    .option('--limit <count>', 'how many at most', parseCount(MAX_LIMIT), DEFAULT_LIMIT)
    .addOption(jsonOption())
    // `audit` has the same option, and takes it wherever it stands.
    .action(async ({ before, limit }: { before?: bigint; limit: number }, list: Command) =>
      session.print(list.optsWithGlobals<JsonFlag>(), await listActions().list(session, { before, limit })),
    );
}
