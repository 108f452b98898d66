import { GatewayError, isTaskId, message, toTaskRecord } from '@mediagate/contracts';
import type { Visibility } from '@mediagate/database';
import type { Lineage } from '@mediagate/tasks';
import { type Call, sendJson } from '../../http/exchange';
import type { TaskReaderDeps } from './get-task';

export interface LineageDeps extends Pick<TaskReaderDeps, 'creditsPerUnit'> {
  /** Undefined: the caller sees no such task. */
  findLineage(caller: Visibility, id: string): Promise<Lineage | undefined>;
}

/**
 * GET /v1/tasks/{id}/lineage: the tasks whose results led to this one, the nearest first, and those that go back to it,
 * generation by generation, as records. `truncated` says that there are more than are shown.
 */
export function createGetLineage({ findLineage, creditsPerUnit }: LineageDeps): (call: Call) => Promise<void> {
  return async ({ request, response, caller }) => {
    const id = String(request.params['id']);
    const lineage = isTaskId(id) ? await findLineage(caller, id) : undefined;
    if (!lineage) throw new GatewayError('not_found', message('task_not_found'));
    const { ancestors, descendants, truncated } = lineage;
    const records = (rows: Lineage['ancestors']) => rows.map((row) => toTaskRecord(row, { creditsPerUnit }));
    const data = { id, ancestors: records(ancestors), descendants: records(descendants), truncated };
    sendJson(response, 200, { code: 200, data });
  };
}
