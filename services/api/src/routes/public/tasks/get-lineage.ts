import { GatewayError, isTaskId, message, toTaskRecord } from '@mediagate/contracts';
import { findLineage, type Lineage } from '@mediagate/tasks';
import { sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';

/**
 * GET /v1/tasks/{id}/lineage: the tasks whose results led to this one, the nearest first, and those that go back to it,
 * generation by generation, as records. `truncated` says that there are more than are shown.
 */
export const getLineage: KeyHandler = async ({ request, response, caller }, { database, creditsPerUnit }) => {
  const id = String(request.params['id']);
  const lineage = isTaskId(id) ? await findLineage(database, caller, id) : undefined;
  if (!lineage) throw new GatewayError('not_found', message('task_not_found'));
  const { ancestors, descendants, truncated } = lineage;
  const records = (rows: Lineage['ancestors']) => rows.map((row) => toTaskRecord(row, { creditsPerUnit }));
  const data = { id, ancestors: records(ancestors), descendants: records(descendants), truncated };
  sendJson(response, 200, { code: 200, data });
};
