import type { ChannelChange } from '@mediagate/database';
import type { Command } from 'commander';
import { parseCount, parseId } from '../option-values';
import type { Session } from '../session';
import { addConfigOption } from './config-option';
import { type JsonFlag, jsonOption } from './json-option';
import { reasonOption } from './reason-option';

const DEFAULT_MINUTES = 60;
const MAX_MINUTES = 1440;
const MAX_WEIGHT = 1000;

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/channel') => require('../actions/channel');

const checks = (): typeof import('../actions/channel-check') => require('../actions/channel-check');

export function addChannelCommands(program: Command, session: Session): void {
  const channel = program.command('channel').description('where models are served');
  addConfigOption(channel, session);
  channel
    .command('jobs')
    .description('show which channels have jobs under way, also those that the file has no more')
    .addOption(jsonOption())
    .action(async (options: JsonFlag) => session.print(options, await actions().jobs(session)));
  channel
    .command('list')
    .description('show every channel: its state, what operators have set, and how it did of late')
    .option('--minutes <count>', 'how far back attempts count', parseCount(MAX_MINUTES), DEFAULT_MINUTES)
    .addOption(jsonOption())
    .action(async (options: JsonFlag & { minutes: number }) =>
      session.print(options, await actions().list(session, options.minutes)),
    );
  addOverrides(channel, session);
  channel
    .command('schema')
    .description('print the JSON Schema of the configuration file, for editors')
    .action(() => session.print({ json: true }, actions().schema()));
  channel
    .command('check')
    .description('check the configuration file and show what it makes of the catalogue')
    .option(
      '--probe',
      'also ask each vendor what costs nothing: whether it takes the key, knows the models, what is left',
    )
    .addOption(jsonOption())
    .action(async (options: JsonFlag & { probe?: true }) =>
      session.print(options, await checks().check(session, options.probe ?? false)),
    );
}

/** What operators set over the file, for all processes. */
function addOverrides(channel: Command, session: Session): void {
  const closing = (name: string, state: 'draining' | 'disabled', description: string) =>
    addOverride(channel.command(name).description(description), session, () => ({ state }));
  closing('drain', 'draining', 'give it no new tasks; what it has accepted is finished');
  closing('disable', 'disabled', 'the same, for a channel that is not to come back');
  const weigh = channel.command('weigh').description('set its share among channels of equal priority');
  const weight = (text: unknown): ChannelChange => ({ weight: parseCount(MAX_WEIGHT)(String(text)) });
  addOverride(weigh, session, weight, '<weight>');
  const reset = channel.command('reset').description('take it back to what the file says');
  addOverride(reset, session, () => ({ state: null, weight: null }));
}

function addOverride(
  command: Command,
  session: Session,
  changeOf: (value: unknown) => ChannelChange,
  value?: '<weight>',
): void {
  command.argument('<id>', 'the channel', parseId);
  if (value !== undefined) command.argument(value, `1 to ${MAX_WEIGHT}`);
  command
    .addOption(reasonOption())
    .addOption(jsonOption())
    .action(async (id: string, ...rest: [unknown, ...unknown[]]) => {
      const options = command.opts<JsonFlag & { reason?: string }>();
      const change = changeOf(rest[0]);
      session.print(options, await actions().override(session, id, { change, reason: options.reason }));
    });
}
