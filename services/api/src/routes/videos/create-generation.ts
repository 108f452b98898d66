import type { Call } from '../../http/exchange';
import { readJsonWithFiles } from '../../http/json-body';
import { UPLOAD_JSON_MAX_BYTES } from '../../request-limits';
import { readIdempotency } from '../../use-cases/idempotency';
import type { Acknowledgement, SubmitRequest } from '../../use-cases/submit-task';
import { acknowledge } from '../acknowledge';

const VIDEO_OPERATION = 'videos.generations';
/** A frame may come as a data URL, as large as an upload may be. */
const BODY_MAX_BYTES = UPLOAD_JSON_MAX_BYTES;
const PATH = '/v1/videos/generations';

export interface VideoRouteDeps {
  submitTask(request: SubmitRequest): Promise<Acknowledgement>;
}

/** POST /v1/videos/generations */
export function createVideoGeneration({ submitTask }: VideoRouteDeps): (call: Call) => Promise<void> {
  return async (call) => {
    const { body, files } = await readJsonWithFiles(call, BODY_MAX_BYTES);
    const { caller, requestId } = call;
    const idempotency = readIdempotency(call.request, PATH, body);
    const operation = VIDEO_OPERATION;
    acknowledge(call.response, await submitTask({ caller, requestId, operation, body, files, idempotency }));
  };
}
