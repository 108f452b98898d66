import type { JsonObject } from '@mediagate/contracts';
import { GatewayError } from '@mediagate/contracts';
import { type Call, sendJson } from '../../http/exchange';
import { readJsonObject } from '../../http/json-body';
import { readIdempotency } from '../../use-cases/idempotency';
import type { Acknowledgement } from '../../use-cases/submit-task';
import { IMGTOOL_BODY_MAX_BYTES, IMGTOOL_MODEL, type ImgtoolRouteDeps } from '../imgtool/create-generation';
import { LEGACY_FIELDS, LEGACY_SUBMISSIONS, type LegacySubmission } from './submissions';

const SUBMITTED = 1;

/** POST /{prefix}/submit/*: the same tasks at the same prices, in the words of an older interface. */
export function createLegacySubmissions(
  deps: ImgtoolRouteDeps,
  prefix: string,
): { path: string; handle: (call: Call) => Promise<void> }[] {
  return Object.entries(LEGACY_SUBMISSIONS).map(([name, read]) => {
    const path = `/${prefix}/submit/${name}`;
    return { path, handle: (call) => submit(call, path, read, deps) };
  });
}

async function submit(
  call: Call,
  path: string,
  read: (sent: JsonObject) => LegacySubmission,
  { submitTask }: ImgtoolRouteDeps,
): Promise<void> {
  const { caller, requestId, request, response } = call;
  const sent = await readJsonObject(call, IMGTOOL_BODY_MAX_BYTES);
  const idempotency = readIdempotency(request, path, sent);
  const { operation, body } = read(sent);
  const acknowledgement = await submitTask({
    ...{ caller, requestId, operation, idempotency },
    body: { ...body, model: IMGTOOL_MODEL },
  }).catch((error: unknown) => {
    throw inLegacyWords(error);
  });
  answer(response, acknowledgement);
}

function answer(response: Call['response'], { taskId, warnings, replayed }: Acknowledgement): void {
  response.setHeader('X-Task-Id', taskId);
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  const properties = warnings.length > 0 ? { warnings } : {};
  sendJson(response, 200, { code: SUBMITTED, description: 'Submit success', result: taskId, properties });
}

/** A complaint names the field as the body did. */
function inLegacyWords(error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.param === undefined) return error;
  const { code, message, param } = error;
  const field = /^\w+/.exec(param)?.[0] ?? '';
  const legacy = LEGACY_FIELDS[field];
  if (legacy === undefined) return error;
  return new GatewayError(code, message.replace(field, legacy), { param: legacy, cause: error });
}
