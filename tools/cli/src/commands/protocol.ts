import type { Command } from 'commander';
import { parseProtocol } from '../option-values';
import type { Session } from '../session';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/protocol') => require('../actions/protocol');

export function addProtocolCommands(program: Command, session: Session): void {
  const protocol = program.command('protocol').description('packages that speak further protocols');
  protocol
    .command('new')
    .description('write a package that speaks a protocol: its adapter, fixtures, a simulator and a judge')
    .argument('<name>', 'the word of channels for it, as acme-video', parseProtocol)
    .option('--dir <folder>', 'where it goes; default: mediagate-<name>')
    .action(async (name: string, { dir }: { dir?: string }) => session.print(actions().create(name, dir)));
  protocol
    .command('test')
    .description('run the suite of adapters over a package; it needs no database and no vendor')
    .argument('<package>', 'its name or its path, as the configuration file would have it')
    .action(async (name: string) => session.print(await actions().test(name)));
}
