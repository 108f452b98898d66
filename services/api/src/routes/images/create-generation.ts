import type { Call } from '../../http/exchange';
import { readJsonWithFiles } from '../../http/json-body';
import { SUBMISSION_MAX_BYTES } from '../../request-limits';
import { readIdempotency } from '../../use-cases/idempotency';
import type { Acknowledgement, SubmitRequest } from '../../use-cases/submit-task';
import { acknowledge } from '../acknowledge';

/** The models of both image routes. */
export const IMAGE_OPERATION = 'images.generations';

export interface ImageRouteDeps {
  submitTask(request: SubmitRequest): Promise<Acknowledgement>;
}

/** POST /v1/images/generations */
export function createImageGeneration({ submitTask }: ImageRouteDeps): (call: Call) => Promise<void> {
  return async (call) => {
    const { body, files } = await readJsonWithFiles(call, SUBMISSION_MAX_BYTES);
    const { caller, requestId } = call;
    const idempotency = readIdempotency(call.request, '/v1/images/generations', body);
    const operation = IMAGE_OPERATION;
    acknowledge(call.response, await submitTask({ caller, requestId, operation, body, files, idempotency }));
  };
}
