import type { Command } from 'commander';
import type { HistoryOptions } from '../actions/channel-sight';
import { parseCount, parseId, parseTime } from '../option-values';
import type { Answer, Session } from '../session';
import { addConfigOption } from './config-option';
import { reasonOption } from './reason-option';
import { SETTINGS_HELP } from './settings-help';

const DEFAULT_MINUTES = 60;
const MAX_MINUTES = 1440;
const DAY_MINUTES = 1440;
const MAX_HISTORY_MINUTES = 10_080;
const MAX_WEIGHT = 1000;

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/channel') => require('../actions/channel');

const checks = (): typeof import('../actions/channel-check') => require('../actions/channel-check');

const sight = (): typeof import('../actions/channel-sight') => require('../actions/channel-sight');

const argument = (): typeof import('../actions/settings-argument') => require('../actions/settings-argument');

export function addChannelCommands(program: Command, session: Session): void {
  const channel = program.command('channel').description('where models are served');
  addConfigOption(channel, session);
  channel
    .command('jobs')
    .description('show which channels have jobs under way, also those that are removed')
    .action(async () => session.print(await actions().jobs(session)));
  channel
    .command('list')
    .description('show every channel: its state, what operators have set, and how it did of late')
    .option('--minutes <count>', 'how far back attempts count', parseCount(MAX_MINUTES), DEFAULT_MINUTES)
    .action(async (options: { minutes: number }) => session.print(await actions().list(session, options.minutes)));
  channel
    .command('show')
    .description('show every field of a channel, and where each comes from')
    .argument('<id>', 'the channel', parseId)
    .action(async (id: string) => session.print(await actions().show(session, id)));
  addSight(channel, session);
  addOverrides(channel, session);
  channel
    .command('schema')
    .description('print the JSON Schema of the configuration file, for editors')
    .action(() => session.print(actions().schema()));
  channel
    .command('check')
    .description('check what is in force, or the file of --config alone, and show what it makes of the catalogue')
    .option(
      '--probe',
      'also ask each vendor what costs nothing: whether it takes the key, knows the models, what is left',
    )
    .action(async (options: { probe?: true }) =>
      session.print(await checks().checkInForce(session, options.probe ?? false)),
    );
}

/** How it did, and how it does now. */
function addSight(channel: Command, session: Session): void {
  channel
    .command('history')
    .description('show what ended its attempts and how long they took, over the time and by model')
    .argument('<id>', 'the channel', parseId)
    .option('--minutes <count>', 'how far back', parseCount(MAX_HISTORY_MINUTES), DAY_MINUTES)
    .option('--model <id>', 'of this model alone', parseId)
    .action(async (id: string, options: HistoryOptions) => session.print(await sight().history(session, id, options)));
  channel
    .command('probe')
    .description('ask its vendor what costs nothing: whether it answers, takes the key, knows the models')
    .argument('<id>', 'the channel', parseId)
    .addOption(reasonOption())
    .action(async (id: string, options: { reason?: string }) =>
      session.print(await sight().probe(session, id, options.reason)),
    );
}

/** Commands for what operators set over the file, for all processes. */
function addOverrides(channel: Command, session: Session): void {
  addChange(channel.command('set').description('set fields over the file, until they are given back'), session, 'set');
  addChange(channel.command('add').description('add a channel that the file does not have'), session, 'add');
  const closing = (name: string, state: string, description: string) =>
    addSmall(channel.command(name).description(description), session, (id, { reason }) =>
      actions().set(session, id, { fields: { state }, ...reason }),
    );
  closing('drain', 'draining', 'give it no new tasks; what it has accepted is finished');
  closing('disable', 'disabled', 'the same, for a channel that is not to come back');
  const weigh = channel.command('weigh').description('set its share among channels of equal priority');
  addSmall(weigh, session, (id, { reason, value }) =>
    actions().set(session, id, { fields: { weight: Number(value) }, ...reason }),
  ).argument('<weight>', `1 to ${MAX_WEIGHT}`, parseCount(MAX_WEIGHT));
  const reset = channel.command('reset').description('take it back to what the file says');
  addSmall(reset, session, (id, { reason }) => actions().giveBack(session, id, { what: 'reset', ...reason }));
  const remove = channel.command('remove').description('take away a channel that the file does not have');
  addSmall(remove, session, (id, { reason }) => actions().giveBack(session, id, { what: 'remove', ...reason }));
}

interface SmallChange {
  reason: { reason?: string };
  /** The word behind the channel. */
  value: unknown;
}

function addSmall(
  command: Command,
  session: Session,
  act: (id: string, change: SmallChange) => Promise<Answer>,
): Command {
  return command
    .argument('<id>', 'the channel', parseId)
    .addOption(reasonOption())
    .action(async (id: string, ...rest: [unknown, ...unknown[]]) => {
      session.print(await act(id, { reason: command.opts<{ reason?: string }>(), value: rest[0] }));
    });
}

function addChange(command: Command, session: Session, what: 'set' | 'add'): void {
  command
    .argument('<id>', 'the channel', parseId)
    .argument('<settings>', SETTINGS_HELP)
    .option('--from <time>', 'when it counts; default: as soon as every process knows it', parseTime)
    .addOption(reasonOption())
    .action(async (id: string, given: string, options: { from?: Date; reason?: string }) => {
      const fields = await argument().readSettingsArgument(session, given);
      session.print(await actions()[what](session, id, { ...options, fields }));
    });
}
