import type { DeliveryState } from '@mediagate/callbacks';
import { type Command, Option } from 'commander';
import type { AgainOptions, ListOptions } from '../actions/delivery';
import { parseCount, parseEndTime, parseId, parseTaskId, parseTaskIds, parseTime } from '../option-values';
import type { Session } from '../session';
import { addConfigOption } from './config-option';
import { reasonOption } from './reason-option';
import { SETTINGS_HELP } from './settings-help';

const STATES: readonly DeliveryState[] = ['pending', 'delivered', 'rejected', 'exhausted', 'dropped'];
const ENDED = STATES.filter((state) => state !== 'pending');
const MAX_REDELIVERED = 1000;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/delivery') => require('../actions/delivery');

const schedules = (): typeof import('../actions/callback-schedule') => require('../actions/callback-schedule');

const argument = (): typeof import('../actions/settings-argument') => require('../actions/settings-argument');

export function addDeliveryCommands(program: Command, session: Session): void {
  const delivery = program.command('delivery').description('callbacks and their attempts');
  delivery
    .command('list')
    .description('list callbacks, the newest first, with their attempts')
    .option('--task <id>', 'of this task alone', parseTaskId)
    .option('--account <id>', 'of this account alone', parseId)
    .addOption(new Option('--state <state>', 'in this state alone').choices(STATES))
    .option('--limit <count>', 'how many at most', parseCount(MAX_LIMIT), DEFAULT_LIMIT)
    .action(async (options: ListOptions) => session.print(await actions().list(session, options)));
  addSchedule(delivery, session);
  delivery
    .command('redeliver')
    .description('send an ended callback again, or up to 1000 of them: the same bytes, the full schedule')
    .argument('[id]', 'the delivery', parseId)
    .addOption(new Option('--state <state>', 'all in this state').choices(ENDED))
    .option('--task <id>', 'of this task; may be given several times', parseTaskIds)
    .option('--account <id>', 'of this account alone', parseId)
    .option('--after <time>', 'their tasks ended then or later', parseTime)
    .option('--created-before <time>', 'their tasks ended before then, or by the end of that day', parseEndTime)
    .option('--before <id>', 'go on behind this task', parseTaskId)
    .option('--limit <count>', 'how many at most', parseCount(MAX_REDELIVERED), MAX_REDELIVERED)
    .addOption(reasonOption())
    .action(async (id: string | undefined, options: AgainOptions) =>
      session.print(await actions().again(session, id, options)),
    );
  delivery
    .command('cancel')
    .description('end a pending callback: it is not sent any more')
    .argument('<id>', 'the delivery', parseId)
    .addOption(reasonOption())
    .action(async (id: string, options: { reason?: string }) =>
      session.print(await actions().cancel(session, id, options.reason)),
    );
}

function addSchedule(delivery: Command, session: Session): void {
  const schedule = delivery
    .command('schedule')
    .description('show when callbacks are tried again, or set it over the file');
  addConfigOption(schedule, session);
  schedule
    .argument('[settings]', SETTINGS_HELP.replace('weight: 5', 'retry_delays_seconds: [10, 60]'))
    .option('--from <time>', 'when it counts; default: at once', parseTime)
    .addOption(reasonOption())
    .action(async (given: string | undefined, options: { from?: Date; reason?: string }) => {
      const fields = given === undefined ? undefined : await argument().readSettingsArgument(session, given);
      session.print(await schedules().schedule(session, { ...options, fields }));
    });
}
