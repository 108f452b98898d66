import type { ServedOperation } from '@mediagate/api-contract';
import { FAMILY_TRAITS, type JsonObject } from '@mediagate/contracts';
import { readJsonWithFiles } from '../../http/body/json-body';
import type { KeyHandler } from '../../http/route';
import { UPLOAD_JSON_MAX_BYTES } from '../../request-limits';
import { estimateTask } from '../../use-cases/estimate-task';
import { readIdempotency } from '../../use-cases/idempotency';
import { isStrict } from '../../use-cases/strict';
import { submitTask } from '../../use-cases/submit-task';
import { answerSubmission } from './acknowledge';
import { isDryRun, sendEstimate } from './estimates/dry-run';

/** Makes a task of the operation's catalogue entry, for whatever family. */
export const generationHandler: KeyHandler = async (call, api, served) => {
  const { path, operation } = served;
  const { body: sent, files } = await readJsonWithFiles(call, UPLOAD_JSON_MAX_BYTES);
  const { caller, requestId, request } = call;
  const idempotency = readIdempotency(request, path, sent);
  const body = withModel(sent, served);
  const strict = isStrict(request);
  const submission = { caller, requestId, operation, body, files, strict, idempotency };
  if (isDryRun(call)) return sendEstimate(call, await estimateTask(api, submission));
  await answerSubmission(call, () => submitTask(api, submission), api);
};

/** The body as if it named its model, where the path does. `Idempotency-Key` compares what was sent. */
function withModel(sent: JsonObject, { routesOf, model }: ServedOperation): JsonObject {
  if (routesOf === undefined || model === undefined) return sent;
  const { modelField } = FAMILY_TRAITS[routesOf];
  const { model: named = '' } = sent;
  const isNamed = typeof named !== 'string' || named.trim() !== '';
  return modelField === 'implied' || (modelField === 'defaulted' && !isNamed) ? { ...sent, model } : sent;
}
