import type { Nano } from '@mediagate/contracts';
import type { Command } from 'commander';
import { parseCount, parseId, parsePositiveAmount } from '../option-values';
import type { Session } from '../session';
import { reasonOption } from './reason-option';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/attempt') => require('../actions/attempt');

export function addAttemptCommands(program: Command, session: Session): void {
  const attempt = program.command('attempt').description('attempts whose outcome nobody knows');
  attempt
    .command('list')
    .description('list those that nobody has resolved, the newest first')
    .option('--all', 'also those that were resolved')
    .option('--test', 'those of test keys, which nobody has to resolve, in place of the others')
    .option('--before <id>', 'go on behind this attempt', parseId)
    .option('--limit <count>', 'how many at most', parseCount(MAX_LIMIT), DEFAULT_LIMIT)
    .action(async (options: { all?: true; test?: true; before?: string; limit: number }) =>
      session.print(await actions().list(session, options)),
    );
  const resolve = (name: string, description: string, resolution: 'paid' | 'not_paid') =>
    attempt
      .command(name)
      .description(description)
      .argument('<id>', 'att_…', parseId)
      .addOption(reasonOption())
      .action(async (id: string, options: { cost?: Nano; reason?: string }) =>
        session.print(await actions().resolve(session, id, { ...options, resolution })),
      );
  const paid = resolve('paid', 'write down that the vendor charges for it', 'paid');
  paid.option('--cost <amount>', 'how much; default: as is known, if it is', parsePositiveAmount);
  resolve('not-paid', 'write down that the vendor does not charge for it', 'not_paid');
}
