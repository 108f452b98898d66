import type { KeyHandler } from '../../http/handler';
import { readJsonWithFiles } from '../../http/json-body';
import { UPLOAD_JSON_MAX_BYTES } from '../../request-limits';
import { readIdempotency } from '../../use-cases/idempotency';
import type { Acknowledgement, SubmitRequest } from '../../use-cases/submit-task';
import { acknowledge } from '../acknowledge';

/** The one model of these routes; what a body says of it does not matter. */
export const IMGTOOL_MODEL = 'imgtool';
/** Images may come as data URLs, together as large as an upload may be. */
export const IMGTOOL_BODY_MAX_BYTES = UPLOAD_JSON_MAX_BYTES;

export interface ImgtoolRouteDeps {
  submitTask(request: SubmitRequest): Promise<Acknowledgement>;
}

/** POST /v1/imgtool/generations and what stands under it: a path for each action. */
export function createImgtoolGeneration({ submitTask }: ImgtoolRouteDeps): KeyHandler {
  return async (call, { path, operation }) => {
    const { caller, requestId, request } = call;
    const { body: sent, files } = await readJsonWithFiles(call, IMGTOOL_BODY_MAX_BYTES);
    const idempotency = readIdempotency(request, path, sent);
    const body = { ...sent, model: IMGTOOL_MODEL };
    acknowledge(call.response, await submitTask({ caller, requestId, operation, body, files, idempotency }));
  };
}
