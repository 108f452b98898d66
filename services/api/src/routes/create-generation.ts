import type { ServedOperation } from '@mediagate/api-contract';
import { FAMILY_TRAITS, type JsonObject } from '@mediagate/contracts';
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

/** Makes a task of the operation's catalogue entry, for whatever family. */
export function createGeneration(deps: GenerationDeps): KeyHandler {
  return async (call, _api, served) => {
    const { path, operation } = served;
    const { body: sent, files } = await readJsonWithFiles(call, UPLOAD_JSON_MAX_BYTES);
    const { caller, requestId, request } = call;
    const idempotency = readIdempotency(request, path, sent);
    const body = withModel(sent, served);
    const strict = isStrict(request);
    const submission = { caller, requestId, operation, body, files, strict, idempotency };
    if (isDryRun(call)) return sendEstimate(call, await deps.estimateTask(submission));
    await answerSubmission(call, () => deps.submitTask(submission), deps);
  };
}

/** The body as if it named its model, where the path does. `Idempotency-Key` compares what was sent. */
function withModel(sent: JsonObject, { routesOf, model }: ServedOperation): JsonObject {
  if (routesOf === undefined || model === undefined) return sent;
  const { modelField } = FAMILY_TRAITS[routesOf];
  const { model: named = '' } = sent;
  const isNamed = typeof named !== 'string' || named.trim() !== '';
  return modelField === 'implied' || (modelField === 'defaulted' && !isNamed) ? { ...sent, model } : sent;
}
