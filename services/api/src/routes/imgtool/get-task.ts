import { GatewayError, message } from '@mediagate/contracts';
import type { TaskInput } from '@mediagate/tasks';
import type { Call } from '../../http/exchange';
import { sendVersionedJson } from '../../http/versioned';
import { describeTask, readOwnTask, type TaskReaderDeps } from '../tasks/get-task';
import { imgtoolExtras, UNKNOWN_INPUT } from './imgtool-task';

export interface ImgtoolReaderDeps extends TaskReaderDeps {
  /** Inputs of tasks, by id. */
  readInputs(ids: readonly string[]): Promise<ReadonlyMap<string, TaskInput>>;
}

/** GET /v1/imgtool/{id}: the record with what only these tasks have. Tasks of other kinds are not there. */
export function createGetImgtoolTask(deps: ImgtoolReaderDeps): (call: Call) => Promise<void> {
  const { readTask, readInputs } = deps;
  return async (call) => {
    const { request, caller } = call;
    const row = await readOwnTask(readTask, String(request.params['id']), caller);
    if (row?.kind !== 'imgtool') throw new GatewayError('not_found', message('task_not_found'));
    const input = (await readInputs([row.id])).get(row.id) ?? UNKNOWN_INPUT;
    const record = await describeTask(row, request.query['language'], deps);
    // `fail_reason` says the same in the same words.
    const data = { ...record, ...imgtoolExtras({ ...row, error: record.error ?? null }, input) };
    sendVersionedJson(call, { code: 200, data });
  };
}
