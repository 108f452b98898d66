import { GatewayError, message } from '@mediagate/contracts';
import type { Resolution } from '@mediagate/database';
import { describeQuarantined, listQuarantined, readResolution } from '@mediagate/tasks';
import { requireChanged, sendData } from '../../http/answers/answer-change';
import { readPageQuery, sendPage } from '../../http/fields/page';
import type { OperatorHandler } from '../../http/route';
import { unknownId } from '../../use-cases/invalid';
import { readChange } from './change';

const LIST = 'quarantine';
const ATTEMPT_ID = /^att_[0-9a-z]{1,40}$/;
const RESOLUTIONS = ['paid', 'not_paid'] as const;

/** GET /admin/v1/attempts: the newest first. */
export const adminListQuarantine: OperatorHandler = async ({ request, response }, { database }) => {
  const { query, limit, place: before } = readPageQuery(request, LIST, (text) => ATTEMPT_ID.test(text));
  const open = query.oneOf('resolved', ['true', 'false']) !== 'true';
  const isTest = query.oneOf('test', ['true', 'false']) === 'true';
  query.end();
  sendPage(response, LIST, await listQuarantined(database, { before, open, isTest, limit }), describeQuarantined);
};

/** POST /admin/v1/attempts/{attempt_id}/resolve */
export const adminResolveAttempt: OperatorHandler = async (call, { database }) => {
  const id = String(call.request.params['attempt_id']);
  const { fields, end } = await readChange(call);
  const resolution = fields.required('resolution', fields.oneOf('resolution', RESOLUTIONS));
  const costNano = fields.amount('cost', { above: 0 });
  if (costNano !== undefined && resolution === 'not_paid')
    fields.refuse('invalid_parameter', 'resolution', 'must_be_with', { values: 'paid', other: 'cost' });
  const request = end();
  const outcome = await database.resolveAttempt(id, { resolution: resolution ?? 'paid', costNano }, request);
  await requireChanged(call.response, outcome, {
    unchanged: async () => whyNotResolved(await readResolution(database, id), resolution),
  });
  sendData(call.response, { id, resolution: resolution ?? null });
};

/** @param before undefined: there is no such attempt; null: nobody resolved it. */
function whyNotResolved(before: Resolution | null | undefined, wanted: Resolution | undefined): GatewayError {
  if (before === undefined) return unknownId();
  if (before === null) return new GatewayError('conflict', message('nothing_to_resolve'), { reason: 'wrong_state' });
  if (before === wanted) return new GatewayError('conflict', message('already_done'), { reason: 'already_done' });
  return new GatewayError('conflict', message('resolved_otherwise', { resolution: before }), { reason: 'wrong_state' });
}
