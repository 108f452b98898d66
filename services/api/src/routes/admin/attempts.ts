import { GatewayError, message } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest, Resolution, Verdict } from '@mediagate/database';
import { describeQuarantined, type QuarantinePage, type QuarantineSearch } from '@mediagate/tasks';
import { makeCursor, readCursor } from '../../http/cursor';
import { sendJson } from '../../http/exchange';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import { readChange, requireChanged, sendData } from './change';

export interface AttemptDeps {
  listQuarantined(search: QuarantineSearch): Promise<QuarantinePage>;
  resolveAttempt(id: string, verdict: Verdict, request: ChangeRequest): Promise<ChangeOutcome>;
  /** Undefined: there is no such attempt; null: nobody resolved it. */
  readResolution(id: string): Promise<Resolution | null | undefined>;
}

const LIST = 'quarantine';
const LIMIT = { min: 1, max: 100, fallback: 20 };
const ATTEMPT_ID = /^att_[0-9a-z]{1,40}$/;
const RESOLUTIONS = ['paid', 'not_paid'] as const;

/** GET /admin/v1/attempts: the newest first. */
export function createListQuarantine({ listQuarantined }: AttemptDeps): OperatorHandler {
  return async ({ request, response }) => {
    const query = new Query(request);
    const limit = query.integer('limit', LIMIT);
    const before = query.parsed('cursor', readPlace, 'must_be_cursor');
    const open = query.oneOf('resolved', ['true', 'false']) !== 'true';
    const isTest = query.oneOf('test', ['true', 'false']) === 'true';
    query.end();
    const { attempts, next } = await listQuarantined({ before, open, isTest, limit });
    sendJson(response, 200, {
      code: 200,
      data: attempts.map(describeQuarantined),
      next_cursor: next === undefined ? null : makeCursor(LIST, next),
      has_more: next !== undefined,
    });
  };
}

function readPlace(cursor: string): string | undefined {
  const place = readCursor(LIST, cursor);
  return place !== undefined && ATTEMPT_ID.test(place) ? place : undefined;
}

/** POST /admin/v1/attempts/{attempt_id}/resolve */
export function createResolveAttempt({ resolveAttempt, readResolution }: AttemptDeps): OperatorHandler {
  return async (call) => {
    const id = String(call.request.params['attempt_id']);
    const { fields, end } = await readChange(call);
    const resolution = fields.required('resolution', fields.oneOf('resolution', RESOLUTIONS));
    const costNano = fields.amount('cost', { above: 0 });
    if (costNano !== undefined && resolution === 'not_paid')
      fields.refuse('invalid_parameter', 'resolution', 'must_be_with', { values: 'paid', other: 'cost' });
    const request = end();
    const outcome = await resolveAttempt(id, { resolution: resolution ?? 'paid', costNano }, request);
    await requireChanged(call.response, outcome, {
      unchanged: async () => whyNotResolved(await readResolution(id), resolution),
    });
    sendData(call.response, { id, resolution: resolution ?? null });
  };
}

/** @param before undefined: there is no such attempt; null: nobody resolved it. */
function whyNotResolved(before: Resolution | null | undefined, wanted: Resolution | undefined): GatewayError {
  if (before === undefined) return new GatewayError('not_found', message('nothing_of_that_id'));
  if (before === null) return new GatewayError('conflict', message('nothing_to_resolve'), { reason: 'wrong_state' });
  if (before === wanted) return new GatewayError('conflict', message('already_done'), { reason: 'already_done' });
  return new GatewayError('conflict', message('resolved_otherwise', { resolution: before }), { reason: 'wrong_state' });
}
