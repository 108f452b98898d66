import type { Command } from 'commander';
import { parseCount, parseEndTime, parseEntryId, parseId, parseTime } from '../option-values';
import type { Session } from '../session';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/action') => require('../actions/action');

interface Options {
  subject?: string;
  actor?: string;
  action?: string;
  after?: Date;
  createdBefore?: Date;
  before?: bigint;
  limit: number;
}

export function addActionCommands(program: Command, session: Session): void {
  const action = program.command('action').description('the audit log: what was changed, and by whom');
  action
    .command('list')
    .description('list what was changed, the newest first')
    .option('--subject <id>', 'of this account, key, task, channel, billing key … alone', parseId)
    .option('--actor <id>', 'by whom: cli:<user>, operator:<id of the token> or key:<id>', parseId)
    .option('--action <name>', 'of this kind alone, as account.suspend', parseId)
    .option('--after <time>', 'done then or later', parseTime)
    .option('--created-before <time>', 'done before then, or by the end of that day', parseEndTime)
    .option('--before <id>', 'go on behind this entry', parseEntryId)
    .option('--limit <count>', 'how many at most', parseCount(MAX_LIMIT), DEFAULT_LIMIT)
    .action(async ({ after: createdFrom, before, ...options }: Options) =>
      session.print(await actions().list(session, { ...options, createdFrom, before })),
    );
}
