import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import type { Command } from 'commander';
import { time } from '../routes/answer-text';
import { addRouted } from '../routes/route-command';
import type { RoutedCommand } from '../routes/routed-command';
import type { Session } from '../session';
import { timeText } from '../time-text';
import { addConfigOption } from './config-option';
import { SETTINGS_HELP } from './settings-help';
import { EFFECTIVE, OF_ACCOUNT, pageOptions, queryTime, REASON, settingsTaken } from './taken';

const STATES = ['pending', 'delivered', 'rejected', 'exhausted', 'dropped'];
const ENDED = STATES.filter((state) => state !== 'pending');

const COMMANDS: Record<string, RoutedCommand> = {
  list: {
    about: 'list callbacks, the newest first, with their attempts',
    calls: 'adminListDeliveries',
    takes: {
      '--task <id>': { about: 'of this task alone', field: 'task_id' },
      ...OF_ACCOUNT,
      '--state <state>': { about: 'in this state alone', choices: STATES },
      ...pageOptions('100'),
    },
    shows: {
      ID: 'id',
      TASK: 'task_id',
      STATE: 'state',
      TRIES: ({ attempts }) => attemptsOf(attempts).length,
      LAST: ({ attempts }) => {
        const { status = null, error } = attemptsOf(attempts).at(-1) ?? {};
        return status ?? error;
      },
      CREATED: time('created'),
      URL: 'url',
      REASON: 'reason',
    },
  },
  redeliver: {
    about: 'send an ended callback again, or up to 1000 of them: the same bytes, the full schedule',
    calls: ({ id }) => (id === undefined ? 'adminRedeliverMany' : 'adminRedeliver'),
    takes: {
      '[id]': { about: 'the delivery; it takes no other option but --reason', field: 'delivery_id' },
      '--state <state>': { about: 'all in this state', choices: ENDED },
      '--task <id>': { about: 'of this task; may be given several times', field: 'task_ids', isList: true },
      ...OF_ACCOUNT,
      '--after <time>': { about: 'their tasks ended then or later', field: 'created_after', read: queryTime },
      '--created-before <time>': { about: 'their tasks ended before then, or by the end of that day', read: queryTime },
      ...pageOptions(),
      ...REASON,
    },
    shows: ({ redelivered }, { id }) =>
      id === undefined ? `${redelivered} deliveries are due now` : `delivery ${id} is due now`,
  },
  cancel: {
    about: 'end a pending callback: it is not sent any more',
    calls: 'adminCancelDelivery',
    takes: { '<id>': { about: 'the delivery', field: 'delivery_id' }, ...REASON },
    shows: ({ id }) => `delivery ${id} is not sent any more`,
  },
};

const SCHEDULE: Record<string, RoutedCommand> = {
  schedule: {
    about: 'show when callbacks are tried again, or set it over the file',
    calls: ({ settings }) => (settings === undefined ? 'adminGetCallbackSchedule' : 'adminUpdateCallbackSchedule'),
    takes: {
      '[settings]': settingsTaken(SETTINGS_HELP.replace('weight: 5', 'retry_delays_seconds: [10, 60]')),
      ...EFFECTIVE,
      ...REASON,
    },
    shows: scheduleText,
  },
};

export function addDeliveryCommands(program: Command, session: Session): void {
  const delivery = program.command('delivery').description('callbacks and their attempts');
  addRouted(delivery, session, COMMANDS);
  addRouted(delivery, session, SCHEDULE, { readsFile: true });
  const schedule = delivery.commands.at(-1);
  if (schedule) addConfigOption(schedule, session);
}

function attemptsOf(attempts: Json | undefined): JsonObject[] {
  return Array.isArray(attempts) ? attempts.filter(isJsonObject) : [];
}

function scheduleText({ retry_delays_seconds, timeout_seconds, override, scheduled }: JsonObject): string {
  const origin = isJsonObject(override) ? `set by ${override['set_by']}` : 'the file';
  const later = attemptsOf(scheduled).map(
    ({ field, value, effective_at }) => `from ${timeText(Number(effective_at))}: ${field} ${JSON.stringify(value)}`,
  );
  const delays = Array.isArray(retry_delays_seconds) ? retry_delays_seconds.join(', ') : '';
  return [`pauses of ${delays} seconds, ${timeout_seconds} seconds an attempt (${origin})`, ...later].join('\n');
}
