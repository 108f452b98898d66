import type { Command } from 'commander';
import type { Session } from '../session';
import { addConfigOption } from './config-option';

const exports = (): typeof import('../actions/config-export') => require('../actions/config-export');

const checks = (): typeof import('../actions/channel-check') => require('../actions/channel-check');

/** The configuration file as a whole. */
export function addConfigCommands(program: Command, session: Session): void {
  const config = program.command('config').description('the configuration file, and what operators have set over it');
  addConfigOption(config, session);
  config
    .command('check')
    .description('check a configuration file, and show what it makes of the catalogue')
    .argument('[file]', 'the file; default: that of --config')
    .action(async (file: string | undefined) => {
      if (file !== undefined) session.useConfigFile(file);
      session.print(await checks().checkFile(session));
    });
  config
    .command('export')
    .description('print one file that alone says what counts now: the file, and what operators have set over it')
    .action(async () => session.print(await exports().exportConfig(session)));
}
