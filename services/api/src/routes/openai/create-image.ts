import type { CatalogueEntry } from '@mediagate/catalog';
import type { JsonObject } from '@mediagate/contracts';
import type { Api } from '../../api';
import type { Call } from '../../http/exchange';
import type { KeyHandler } from '../../http/handler';
import { readJsonWithFiles } from '../../http/json-body';
import type { OfferedModels } from '../../offered-models';
import { UPLOAD_JSON_MAX_BYTES } from '../../request-limits';
import { estimateTask } from '../../use-cases/estimate-task';
import { readRepeatable } from '../../use-cases/idempotency';
import { submitTask } from '../../use-cases/submit-task';
import { isDryRun, sendEstimate } from '../estimates/dry-run';
import { inWordsOfForm, readEdit } from '../images/create-edit';
import type { EditBody } from '../images/edit-form';
import { isStrict } from '../strict';
import { takeWaitSlot } from '../tasks/wait-for-end';
import { answerImages, type ImageKind } from './answer-images';
import { takeImageOptions } from './client-options';
import { readOlderWords } from './older-words';
import { readPixelsAsRatio } from './pixel-sizes';
import { forgetEnded, keepForRepetitions } from './repetitions';

/** A callback or its language means nothing where the caller waits for the answer. */
const UNSUPPORTED_FIELDS = ['webhook', 'language'];

/** POST /openai/v1/images/generations: the same submission as everywhere, and then its end. */
export const createOpenAiImageHandler = submitAndWait('image_generation', async (call) => ({
  ...(await readJsonWithFiles(call, UPLOAD_JSON_MAX_BYTES)),
  faults: [],
  sentAs: new Map(),
}));

/** POST /openai/v1/images/edits: the same of an edit, as a form or as JSON. */
export const editOpenAiImageHandler = submitAndWait('image_edit', readEdit);

function submitAndWait(kind: ImageKind, read: (call: Call, api: Api) => Promise<EditBody>): KeyHandler {
  return async (call, api, { path, operation }) => {
    const { caller, requestId } = call;
    const { body, files, faults, sentAs } = await read(call, api);
    const entry = entryOf(body, api.models(caller));
    const isBase64 = entry?.answersInBase64 ?? false;
    const strict = isStrict(call.request);
    const options = takeImageOptions(body, { usual: isBase64 ? 'b64_json' : 'url', strict });
    const older = isBase64 && !strict ? readOlderWords(body) : [];
    const reread = [...options.warnings, ...older, ...readPixelsAsRatio(body, entry?.schema)];
    const { idempotency, expected } = readRepeatable(call.request, path, body);
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
    if (isDryRun(call)) return sendEstimate(call, await estimateTask(api, submission).catch(inWords));
    // The slot is taken before anything is booked: a caller who cannot wait pays nothing.
    const leave = takeWaitSlot(api.waitSlots, caller);
    try {
      const repeatable = expected && { ...expected, keyId: caller.id };
      if (repeatable && idempotency) await forgetEnded(repeatable, api);
      const accepted = await submitTask(api, submission).catch(inWords);
      if (repeatable) await keepForRepetitions(call, { ...repeatable, accepted }, api);
      const warnings = [...reread, ...accepted.warnings];
      await answerImages(call, { ...options, kind, accepted: { ...accepted, warnings } }, api);
    } finally {
      leave();
    }
  };
}

function entryOf({ model }: JsonObject, models: OfferedModels): CatalogueEntry | undefined {
  return typeof model === 'string' ? models.find(model.trim())?.entry : undefined;
}
