import type { JsonObject } from '@mediagate/contracts';
import type { KeyHandler } from '../../http/handler';
import { readJsonObject } from '../../http/json-body';
import { readIdempotency } from '../../use-cases/idempotency';
import type { Acknowledgement, SubmitRequest } from '../../use-cases/submit-task';
import { acknowledge } from '../acknowledge';

/** What the body need not say. */
const DEFAULT_MODEL = 'musicgen';

export interface MusicRouteDeps {
  submitTask(request: SubmitRequest): Promise<Acknowledgement>;
}

/** POST /v1/music/generations and what stands under it: a path for each operation. */
export function createMusicGeneration({ submitTask }: MusicRouteDeps): KeyHandler {
  return async (call, { path, operation }) => {
    const { caller, requestId, request } = call;
    const sent = await readJsonObject(call);
    const idempotency = readIdempotency(request, path, sent);
    const body = withModel(sent);
    acknowledge(call.response, await submitTask({ caller, requestId, operation, body, idempotency }));
  };
}

function withModel(body: JsonObject): JsonObject {
  const { model = '' } = body;
  return typeof model === 'string' && model.trim() === '' ? { ...body, model: DEFAULT_MODEL } : body;
}
