import type { Command } from 'commander';
import type { Session } from '../session';
import { addConfigOption } from './config-option';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/settings') => require('../actions/settings');

export function addSettingsCommands(program: Command, session: Session): void {
  const settings = program.command('settings').description('what is in force, and who says so');
  addConfigOption(settings, session);
  settings
    .command('show')
    .description(
      'show the configuration file, each channel and the variables of this command, with where each value comes from',
    )
    .option('--all', "with each channel's defaults")
    .action(async (options: { all?: boolean }) => session.print(await actions().show(session, options)));
}
