import type { CatalogueEntry } from '@mediagate/catalog';
import type { JsonObject } from '@mediagate/contracts';
import type { Api } from '../../../api';
import { readJsonWithFiles } from '../../../http/body/json-body';
import type { Call } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import type { OfferedModels } from '../../../offered-models';
import { UPLOAD_JSON_MAX_BYTES } from '../../../request-limits';
import { estimateTask } from '../../../use-cases/estimate-task';
import { type Repeatable, readRepeatable } from '../../../use-cases/idempotency';
import { isStrict } from '../../../use-cases/strict';
import { submitTask } from '../../../use-cases/submit-task';
import { isDryRun, sendEstimate } from '../estimates/dry-run';
import { inWordsOfForm, readEdit } from '../images/create-edit';
import type { EditBody } from '../images/edit-form';
import { prefersCancel, takeWaitSlot } from '../tasks/wait-for-end';
import { answerImages, type ImageKind, type Waited } from './answer-images';
import { takeImageOptions } from './client-options';
import { readOlderWords } from './older-words';
import { readPixelsAsRatio } from './pixel-sizes';
import { forgetEnded, keepForRepetitions } from './repetitions';

/** A callback or its language means nothing where the caller waits for the answer. */
const UNSUPPORTED_FIELDS = ['webhook', 'language'];

/** POST /openai/v1/images/generations: the same submission as everywhere, and then its end. */
export const createOpenAiImage = submitAndWait('image_generation', async (call) => ({
  ...(await readJsonWithFiles(call, UPLOAD_JSON_MAX_BYTES)),
  faults: [],
  sentAs: new Map(),
}));

/** POST /openai/v1/images/edits: the same of an edit, as a form or as JSON. */
export const editOpenAiImage = submitAndWait('image_edit', readEdit);

const ALONE: Repeatable = { idempotency: undefined };

type ReadBody = (call: Call, api: Api) => Promise<EditBody>;

function submitAndWait(kind: ImageKind, read: ReadBody): KeyHandler {
  return async (call, api, route) => {
    const submitted = await submit(call, api, { ...route, read });
    if (submitted !== undefined) await answerImages(call, { ...submitted, kind }, api);
  };
}

/** Books the task; undefined: its price was asked for, and has been sent. The body is held here alone, not while its caller waits. */
async function submit(
  call: Call,
  api: Api,
  { path, operation, read }: Parameters<KeyHandler>[2] & { read: ReadBody },
): Promise<Omit<Waited, 'kind'> | undefined> {
  const { caller, requestId } = call;
  const { body, files, faults, sentAs } = await read(call, api);
  const entry = entryOf(body, api.models(caller));
  const isBase64 = entry?.answersInBase64 ?? false;
  const strict = isStrict(call.request);
  const { format, stream, warnings } = takeImageOptions(body, { usual: isBase64 ? 'b64_json' : 'url', strict });
  const older = isBase64 && !strict ? readOlderWords(body) : [];
  const reread = [...warnings, ...older, ...readPixelsAsRatio(body, entry?.schema)];
  // A task that ends with its caller answers no repetition.
  const { idempotency, expected } = prefersCancel(call.request) ? ALONE : readRepeatable(call.request, path, body);
  const submission = {
    caller,
    requestId,
    operation,
    body,
    faults,
    files,
    unsupportedFields: UNSUPPORTED_FIELDS,
    strict,
    idempotency,
  };
  const inWords = (error: unknown) => Promise.reject(inWordsOfForm(error, sentAs));
  if (isDryRun(call)) {
    sendEstimate(call, await estimateTask(api, submission).catch(inWords));
    return undefined;
  }
  // The slot is taken before anything is booked: a caller who cannot wait pays nothing.
  call.scope.onClose(takeWaitSlot(api.waitSlots, caller));
  const repeatable = expected && { ...expected, keyId: caller.id };
  if (repeatable && idempotency) await forgetEnded(repeatable, api);
  const accepted = await submitTask(api, submission).catch(inWords);
  if (repeatable) await keepForRepetitions(call, { ...repeatable, accepted }, api);
  return { format, stream, accepted: { ...accepted, warnings: [...reread, ...accepted.warnings] } };
}

function entryOf({ model }: JsonObject, models: OfferedModels): CatalogueEntry | undefined {
  return typeof model === 'string' ? models.find(model.trim())?.entry : undefined;
}
