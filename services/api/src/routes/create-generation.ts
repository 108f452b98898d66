import type { JsonObject } from '@mediagate/contracts';
import type { KeyHandler } from '../http/handler';
import { readJsonWithFiles } from '../http/json-body';
import { UPLOAD_JSON_MAX_BYTES } from '../request-limits';
import { readIdempotency } from '../use-cases/idempotency';
import type { Acknowledgement, SubmitRequest } from '../use-cases/submit-task';
import { type AnswerSubmissionDeps, answerSubmission } from './acknowledge';
import { type DryRunDeps, isDryRun, sendEstimate } from './estimates/dry-run';
import { isStrict } from './strict';

export interface GenerationDeps extends DryRunDeps, AnswerSubmissionDeps {
  submitTask(request: SubmitRequest): Promise<Acknowledgement>;
}

interface Generation {
  /** What the route itself puts into the body; `Idempotency-Key` compares what was sent. */
  complete?(sent: JsonObject): JsonObject;
}

/** The one model of the image tool's routes; what a body says of it does not matter. */
export const IMGTOOL_MODEL = 'imgtool';
/** What the body of music need not say. */
const DEFAULT_MUSIC_MODEL = 'musicgen';

/** POST /v1/imgtool/generations and what stands under it: a path for each action. */
export const IMGTOOL: Generation = {
  complete: (sent) => ({ ...sent, model: IMGTOOL_MODEL }),
};

/** POST /v1/music/generations and what stands under it: a path for each operation. */
export const MUSIC: Generation = {
  complete(sent) {
    const { model = '' } = sent;
    return typeof model === 'string' && model.trim() === '' ? { ...sent, model: DEFAULT_MUSIC_MODEL } : sent;
  },
};

/** Makes a task of the operation's catalogue entry, for whatever family. */
export function createGeneration(deps: GenerationDeps, { complete }: Generation = {}): KeyHandler {
  return async (call, { path, operation }) => {
    const { body: sent, files } = await readJsonWithFiles(call, UPLOAD_JSON_MAX_BYTES);
    const { caller, requestId, request } = call;
    const idempotency = readIdempotency(request, path, sent);
    const body = complete?.(sent) ?? sent;
    const strict = isStrict(request);
    const submission = { caller, requestId, operation, body, files, strict, idempotency };
    if (isDryRun(call)) return sendEstimate(call.response, await deps.estimateTask(submission));
    await answerSubmission(call, () => deps.submitTask(submission), deps);
  };
}
