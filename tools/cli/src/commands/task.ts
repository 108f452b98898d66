import type { Nano, TaskId } from '@mediagate/contracts';
import type { Command } from 'commander';
import { parseLine, parsePositiveAmount, parseTaskId } from '../option-values';
import type { Session } from '../session';
import { type JsonFlag, jsonOption } from './json-option';

const MAX_REASON_CHARACTERS = 500;

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/task') => require('../actions/task');

export function addTaskCommands(program: Command, session: Session): void {
  const task = program.command('task').description('tasks, one at a time');
  task
    .command('show')
    .description('show a task with its reservation, ledger entries and attempts')
    .argument('<id>', 'task_…', parseTaskId)
    .addOption(jsonOption())
    .action(async (id: TaskId, options: JsonFlag) => session.print(options, await actions().show(session, id)));
  task
    .command('retry')
    .description('make an unfinished task due now and enqueue it')
    .argument('<id>', 'task_…', parseTaskId)
    .addOption(jsonOption())
    .action(async (id: TaskId, options: JsonFlag) => session.print(options, await actions().retry(session, id)));
  task
    .command('cancel')
    .description('cancel a task as its account would, at its upstream where that can stop')
    .argument('<id>', 'task_…', parseTaskId)
    .addOption(jsonOption())
    .action(async (id: TaskId, options: JsonFlag) => session.print(options, await actions().cancel(session, id)));
  task
    .command('fail')
    .description('end an unfinished task with a full refund')
    .argument('<id>', 'task_…', parseTaskId)
    .option('--reason <text>', 'for the audit log; callers do not see it', parseLine(MAX_REASON_CHARACTERS))
    .addOption(jsonOption())
    .action(async (id: TaskId, options: JsonFlag & { reason?: string }) =>
      session.print(options, await actions().fail(session, id, options.reason)),
    );
  task
    .command('refund')
    .description('give back what a completed task cost, once')
    .argument('<id>', 'task_…', parseTaskId)
    .requiredOption('--reason <text>', 'kept in the ledger and the audit log', parseLine(MAX_REASON_CHARACTERS))
    .option('--amount <amount>', 'in currency units; absent: all that it cost', parsePositiveAmount)
    .addOption(jsonOption())
    .action(async (id: TaskId, options: JsonFlag & { reason: string; amount?: Nano }) =>
      session.print(options, await actions().refund(session, id, options)),
    );
}
