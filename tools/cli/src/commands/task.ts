import { FAMILIES, type Nano, TASK_STATUSES, type TaskId } from '@mediagate/contracts';
import { type Command, Option } from 'commander';
import type { FindOptions } from '../actions/task';
import {
  parseCount,
  parseEndTime,
  parseId,
  parseLabel,
  parseLine,
  parsePositiveAmount,
  parseTaskId,
  parseTime,
  parseWords,
} from '../option-values';
import type { Session } from '../session';
import { MAX_REASON_CHARACTERS, reasonOption } from './reason-option';

const DEFAULT_FOUND = 20;
const MAX_FOUND = 100;

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/task') => require('../actions/task');

export function addTaskCommands(program: Command, session: Session): void {
  const task = program.command('task').description('tasks, one at a time');
  task
    .command('show')
    .description('show a task with its reservation, ledger entries and attempts')
    .argument('<id>', 'task_…', parseTaskId)
    .action(async (id: TaskId) => session.print(await actions().show(session, id)));
  task
    .command('result')
    .description('look at what a task made; the audit log has who looked')
    .argument('<id>', 'task_…', parseTaskId)
    .addOption(reasonOption())
    .action(async (id: TaskId, options: { reason?: string }) =>
      session.print(await actions().showResult(session, id, options.reason)),
    );
  addFindCommand(task, session);
  task
    .command('retry')
    .description('make an unfinished task due now and enqueue it')
    .argument('<id>', 'task_…', parseTaskId)
    .addOption(reasonOption())
    .action(async (id: TaskId, options: { reason?: string }) =>
      session.print(await actions().retry(session, id, options.reason)),
    );
  task
    .command('cancel')
    .description('cancel a task as its account would, at its upstream where that can stop')
    .argument('<id>', 'task_…', parseTaskId)
    .action(async (id: TaskId) => session.print(await actions().cancel(session, id)));
  addEnds(task, session);
}

/** Commands that give money back. */
function addEnds(task: Command, session: Session): void {
  task
    .command('fail')
    .description('end an unfinished task with a refund')
    .argument('<id>', 'task_…', parseTaskId)
    .addOption(reasonOption())
    .action(async (id: TaskId, options: { reason?: string }) =>
      session.print(await actions().fail(session, id, options.reason)),
    );
  task
    .command('refund')
    .description('give back what a completed task cost, once')
    .argument('<id>', 'task_…', parseTaskId)
    .requiredOption('--reason <text>', 'kept in the ledger and the audit log', parseLine(MAX_REASON_CHARACTERS))
    .option('--amount <amount>', 'in currency units; absent: all that it cost', parsePositiveAmount)
    .action(async (id: TaskId, options: { reason: string; amount?: Nano }) =>
      session.print(await actions().refund(session, id, options)),
    );
}

function addFindCommand(task: Command, session: Session): void {
  task
    .command('find')
    .description('find tasks by what a support case has, the newest first')
    .option('--account <id>', 'of this account alone', parseId)
    .option('--request-id <id>', 'X-Request-Id of the submission', parseId)
    .option('--id <part>', 'a whole id, its beginning (task_01…), or any part of it', parseId)
    .option('--metadata <name=value>', 'that its metadata has; with --account', parseLabel)
    .option(
      '--query <words>',
      'that stand in its model, failure, metadata, channels, or vendors’ ids and words',
      parseWords,
    )
    .option('--url <url>', 'the task whose result, or input, this file is')
    .addOption(new Option('--status <status>', 'of this status alone').choices(TASK_STATUSES))
    .addOption(new Option('--family <family>', 'of this family alone').choices(FAMILIES))
    .option('--model <id>', 'of this model alone', parseId)
    .option('--after <time>', 'created then or later', parseTime)
    .option('--created-before <time>', 'created before then, or by the end of that day', parseEndTime)
    .option('--before <id>', 'go on behind this task', parseTaskId)
    .option('--limit <count>', 'how many at most', parseCount(MAX_FOUND), DEFAULT_FOUND)
    .action(async ({ account, id, after, query: words, ...options }: FindWords) => {
      const wanted = {
        ...options,
        accountId: account ?? null,
        idPart: id ?? null,
        createdFrom: after ?? null,
        words: words ?? null,
      };
      session.print(await actions().find(session, wanted));
    });
}

interface FindWords extends FindOptions {
  account?: string;
  id?: string;
  after?: Date;
  query?: readonly string[];
}
