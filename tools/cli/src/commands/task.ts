import { FAMILIES, isJsonObject, type JsonObject, TASK_STATUSES, type TaskId } from '@mediagate/contracts';
import type { Command } from 'commander';
import { parseLabel, parseTaskId } from '../option-values';
import { money, time } from '../routes/answer-text';
import { addRouted } from '../routes/route-command';
import type { RoutedCommand, Taken } from '../routes/routed-command';
import type { Session } from '../session';
import { endedText, type ShownTask, taskText } from '../task-text';
import { timeText } from '../time-text';
import { OF_ACCOUNT, pageOptions, REASON, TIMES } from './taken';

const ID: Record<string, Taken> = { '<id>': { about: 'task_…', read: parseTaskId } };

const COMMANDS: Record<string, RoutedCommand> = {
  show: {
    about: 'show a task with its reservation, ledger entries and attempts',
    calls: 'adminGetTask',
    takes: ID,
    shows: (task) => taskText(task as unknown as ShownTask),
  },
  result: {
    about: 'look at what a task made; the audit log has who looked',
    calls: 'adminShowResult',
    takes: { ...ID, ...REASON },
    shows: ({ id, result = null }) =>
      result === null ? `nothing of task ${id} is kept` : JSON.stringify(result, null, 2),
  },
  list: {
    about: 'list tasks by what a support case has, the newest first',
    calls: 'adminSearchTasks',
    takes: {
      ...OF_ACCOUNT,
      '--request-id <id>': 'X-Request-Id of the submission',
      '--id <part>': 'a whole id, its beginning (task_01…), or any part of it',
      '--metadata <name=value>': { about: 'that its metadata has; with --account', read: label },
      '--query <words>': 'that stand in its model, failure, metadata, channels, or vendors’ ids and words',
      '--url <url>': 'the task whose result, or input, this file is',
      '--status <status>': { about: 'of this status alone', choices: TASK_STATUSES },
      '--family <family>': { about: 'of this family alone', choices: FAMILIES },
      '--model <id>': 'of this model alone',
      ...TIMES,
      ...pageOptions('20'),
    },
    shows: {
      TASK: 'id',
      CREATED: time('created'),
      STATUS: 'status',
      MODEL: 'model',
      ACCOUNT: 'account_id',
      REQUEST: 'request_id',
      COST: 'cost',
      REASON: ({ error }) => (isJsonObject(error) ? error['reason'] : ''),
    },
  },
  retry: {
    about: 'make an unfinished task due now and enqueue it',
    calls: 'adminRetryTask',
    takes: { ...ID, ...REASON },
    shows: retriedText,
  },
  fail: {
    about: 'end an unfinished task with a refund',
    calls: 'adminFailTask',
    takes: { ...ID, ...REASON },
    shows: (task) => endedText(task as unknown as ShownTask),
  },
  refund: {
    about: 'give back what a completed task cost, once',
    calls: 'adminRefundTask',
    takes: {
      '<id>': { about: 'task_…', field: 'task_id', read: parseTaskId },
      '--reason <text>': { about: 'kept in the ledger and the audit log', required: true },
      '--amount <amount>': 'in currency units; absent: all that it cost',
    },
    shows: ({ task_id, account_id, refunded, balance }) =>
      `${money(refunded)} of task ${task_id} refunded; the balance of ${account_id} is ${money(balance)}`,
  },
};

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/task-cancel') => require('../actions/task-cancel');

export function addTaskCommands(program: Command, session: Session): void {
  const task = program.command('task').description('tasks, one at a time');
  addRouted(task, session, COMMANDS);
  task
    .command('cancel')
    .description('cancel a task as its account would, at its upstream where that can stop')
    .argument('<id>', 'task_…', parseTaskId)
    .action(async (id: TaskId) => session.print(await actions().cancel(session, id)));
}

function label(text: string): JsonObject {
  return Object.fromEntries(parseLabel(text));
}

function retriedText({ id, lease_until: until }: JsonObject): string {
  return `task ${id} is due now${typeof until === 'number' ? `; a worker has leased it until ${timeText(until)}` : ''}`;
}
