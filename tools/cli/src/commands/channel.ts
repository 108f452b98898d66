import type { Command } from 'commander';
import type { Session } from '../session';
import { type JsonFlag, jsonOption } from './json-option';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/channel') => require('../actions/channel');

export function addChannelCommands(program: Command, session: Session): void {
  const channel = program.command('channel').description('where models are served');
  channel
    .command('jobs')
    .description('show which channels have jobs under way, also those that the file has no more')
    .addOption(jsonOption())
    .action(async (options: JsonFlag) => session.print(options, await actions().jobs(session)));
  channel
    .command('schema')
    .description('print the JSON Schema of the configuration file, for editors')
    .action(() => session.print({ json: true }, actions().schema()));
  channel
    .command('check')
    .description('check the configuration file and show what it makes of the catalogue')
    .option('--probe', 'also ask whether each base_url can be reached; no key is sent')
    .addOption(jsonOption())
    .action(async (options: JsonFlag & { probe?: true }) =>
      session.print(options, await actions().check(session, options.probe ?? false)),
    );
}
