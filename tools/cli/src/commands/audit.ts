import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import type { Command } from 'commander';
import { table, time } from '../routes/answer-text';
import { addRouted } from '../routes/route-command';
import type { Columns, RoutedCommand } from '../routes/routed-command';
import type { Session } from '../session';
import { pageOptions } from './taken';

const RUNS: Columns = {
  AUDIT: 'id',
  STATE: 'state',
  'ASKED BY': ({ requested_by }) => requested_by ?? 'the clock',
  OF: ({ ended_at, whole }) => (ended_at === null ? '' : whole ? 'the whole books' : 'what is new'),
  STARTED: time('started_at'),
  ENDED: time('ended_at'),
  FOUND: ({ clean, violations }) => (clean === null ? '' : clean ? 'clean' : `${listed(violations).length} violations`),
};
const VIOLATIONS: Columns = { AUDIT: 'audit', INVARIANT: 'invariant', SUBJECT: 'subject', DETAIL: 'detail' };

const COMMANDS: Record<string, RoutedCommand> = {
  list: {
    about: 'list the audits of late, whoever asked for them, and what they found',
    calls: 'adminListAudits',
    takes: pageOptions('20'),
    shows: auditsText,
  },
};

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/audit') => require('../actions/audit');

export function addAuditCommand(program: Command, session: Session): void {
  const audit = program
    .command('audit')
    .description('check every invariant of the books; exit code 1 when one is broken')
    .action(async () => session.print(await actions().check(session)));
  addRouted(audit, session, COMMANDS);
}

function auditsText({ data }: JsonObject): string {
  const runs = listed(data);
  const found = runs.flatMap(({ id = null, violations }) => listed(violations).map((each) => ({ audit: id, ...each })));
  return [table(runs, RUNS), ...(found.length === 0 ? [] : [table(found, VIOLATIONS)])].join('\n\n');
}

function listed(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
