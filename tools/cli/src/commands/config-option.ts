import type { Command } from 'commander';
import type { Session } from '../session';

/** For a group whose commands read the configuration file: each takes it. */
export function addConfigOption(group: Command, session: Session): void {
  group
    .option(
      '--config <file>',
      'the configuration file, instead of that of MEDIAGATE_CONFIG or of the running npm start',
    )
    .hook('preAction', () => session.useConfigFile(group.opts<{ config?: string }>().config));
}
