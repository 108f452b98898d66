import type { Command } from 'commander';
import type { VerifyRequest } from '../actions/vendor';
import { parseId, parsePositiveAmount } from '../option-values';
import type { Session } from '../session';
import { addConfigOption } from './config-option';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/vendor') => require('../actions/vendor');

export function addVendorCommands(program: Command, session: Session): void {
  const vendor = program.command('vendor').description('the vendors behind the channels');
  addConfigOption(vendor, session);
  vendor
    .command('verify')
    .description('run one real job of each operation by the key of a channel, and write down what came of it')
    .requiredOption('--channel <id>', 'the channel', parseId)
    .requiredOption('--spend <amount>', 'what all jobs together may cost, in currency units', parsePositiveAmount)
    .option('--operation <names...>', 'operations, as images.generations; default: all that its models have', [])
    .option('--accept-unknown-cost', 'also run what the channel declares no costs of')
    .option('--out <folder>', 'where the report and the fixtures go; default: vendor-verify-<channel>')
    .action(async (options: VerifyRequest) => session.print(await actions().verify(session, options)));
}
