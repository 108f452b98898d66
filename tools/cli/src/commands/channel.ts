import type { Command } from 'commander';
import { changeText, channelText, historyText, isFaultyProbe, probeText, removedText, STATES } from '../channel-text';
import { addRouted } from '../routes/route-command';
import type { RoutedCommand, Taken } from '../routes/routed-command';
import type { Session } from '../session';
import { warnOfProxy } from '../warn-of-proxy';
import { addConfigOption } from './config-option';
import { SETTINGS_HELP } from './settings-help';
import { EFFECTIVE, REASON, settingsTaken } from './taken';

const ID: Record<string, Taken> = { '<id>': { about: 'the channel', field: 'channel_id' } };

const COMMANDS: Record<string, RoutedCommand> = {
  list: {
    about: 'show every channel: its state, what operators have set, and how it did of late',
    calls: 'adminListChannels',
    takes: { '--minutes <count>': { about: 'how far back attempts count', fallback: '60' } },
    shows: STATES,
  },
  show: {
    about: 'show every field of a channel, and where each comes from',
    calls: 'adminGetChannel',
    takes: ID,
    shows: channelText,
    isFaulty: ({ faults }) => Array.isArray(faults) && faults.length > 0,
  },
  history: {
    about: 'show what ended its attempts and how long they took, over the time and by model',
    calls: 'adminGetChannelHistory',
    takes: {
      ...ID,
      '--minutes <count>': { about: 'how far back', fallback: '1440' },
      '--model <id>': 'of this model alone',
    },
    shows: historyText,
  },
  probe: {
    about: 'ask its vendor what costs nothing: whether it answers, takes the key, knows the models',
    calls: 'adminProbeChannel',
    takes: { ...ID, ...REASON },
    completes(answer, { session }) {
      warnOfProxy(session);
      return answer;
    },
    shows: probeText,
    isFaulty: isFaultyProbe,
  },
  set: {
    about: 'set fields over the file, until they are given back',
    calls: 'adminUpdateChannel',
    takes: { ...ID, '<settings>': settingsTaken(SETTINGS_HELP), ...EFFECTIVE, ...REASON },
    shows: changeText,
  },
  add: {
    about: 'add a channel that the file does not have',
    calls: 'adminAddChannel',
    takes: { '<id>': 'the channel', '<settings>': settingsTaken(SETTINGS_HELP), ...EFFECTIVE, ...REASON },
    shows: changeText,
  },
  drain: {
    about: 'give it no new tasks; what it has accepted is finished',
    calls: 'adminDrainChannel',
    takes: { ...ID, ...REASON },
    shows: changeText,
  },
  disable: {
    about: 'the same, for a channel that is not to come back',
    calls: 'adminDisableChannel',
    takes: { ...ID, ...REASON },
    shows: changeText,
  },
  weigh: {
    about: 'set its share among channels of equal priority',
    calls: 'adminWeighChannel',
    takes: { ...ID, '<weight>': '1 to 1000', ...REASON },
    shows: changeText,
  },
  reset: {
    about: 'take it back to what the file says',
    calls: 'adminResetChannel',
    takes: { ...ID, ...REASON },
    shows: changeText,
  },
  remove: {
    about: 'take away a channel that the file does not have',
    calls: 'adminRemoveChannel',
    takes: { ...ID, ...REASON },
    shows: removedText,
  },
};

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/channel') => require('../actions/channel');
const checks = (): typeof import('../actions/channel-check') => require('../actions/channel-check');

export function addChannelCommands(program: Command, session: Session): void {
  const channel = program.command('channel').description('where models are served');
  addConfigOption(channel, session);
  channel
    .command('jobs')
    .description('show which channels have jobs under way, also those that are removed')
    .action(async () => session.print(await actions().jobs(session)));
  addRouted(channel, session, COMMANDS, { readsFile: true });
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
