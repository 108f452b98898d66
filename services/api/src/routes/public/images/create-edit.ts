import { type Failure, fieldFailure, GatewayError, type JsonObject, message } from '@mediagate/contracts';
import type { Api } from '../../../api';
import { isJsonRequest, readJsonWithFiles } from '../../../http/body/json-body';
import { type FormLimits, isFormRequest, readForm } from '../../../http/body/multipart-form';
import type { Call } from '../../../http/exchange';
import { makeJsonSafe } from '../../../http/json/json-safety';
import type { KeyHandler } from '../../../http/route';
import type { OfferedModels } from '../../../offered-models';
import { UPLOAD_JSON_MAX_BYTES } from '../../../request-limits';
import { estimateTask } from '../../../use-cases/estimate-task';
import { readIdempotency } from '../../../use-cases/idempotency';
import { isStrict } from '../../../use-cases/strict';
import { submitTask } from '../../../use-cases/submit-task';
import { answerSubmission } from '../acknowledge';
import { isDryRun, sendEstimate } from '../estimates/dry-run';
import { type EditBody, editFormLimits, editFormToBody } from './edit-form';

/** Fields that other submissions take and this route, by the specification, does not. */
const UNSUPPORTED_FIELDS = ['webhook', 'language'];

/** POST /v1/images/edits: a form with files, or JSON with `image_urls`. */
export const editImage: KeyHandler = async (call, api, { path, operation }) => {
  const { body, files, faults, sentAs } = await readEdit(call, api);
  const inWords = (error: unknown) => Promise.reject(inWordsOfForm(error, sentAs));
  const submission = {
    caller: call.caller,
    requestId: call.requestId,
    operation,
    body,
    faults,
    files,
    strict: isStrict(call.request),
    unsupportedFields: UNSUPPORTED_FIELDS,
    idempotency: readIdempotency(call.request, path, body),
  };
  if (isDryRun(call)) return sendEstimate(call, await estimateTask(api, submission).catch(inWords));
  await answerSubmission(call, () => submitTask(api, submission).catch(inWords), api);
};

export async function readEdit(call: Call, api: Pick<Api, 'models' | 'maxImageBytes'>): Promise<EditBody> {
  const edit = await readFormOrJson(call, api.models(call.caller), editFormLimits(api.maxImageBytes));
  return { ...edit, faults: [...edit.faults, ...lackOfImages(edit.body)] };
}

async function readFormOrJson(call: Call, models: OfferedModels, limits: FormLimits): Promise<EditBody> {
  if (isJsonRequest(call.request)) {
    return { ...(await readJsonWithFiles(call, UPLOAD_JSON_MAX_BYTES)), faults: [], sentAs: new Map() };
  }
  if (!isFormRequest(call.request)) {
    throw new GatewayError('unsupported_media_type', message('send_edit'));
  }
  const form = await readForm(call, limits);
  const model = models.find(form.fields.get('model')?.[0]?.trim() ?? '');
  const edit = editFormToBody(form, model?.entry.schema);
  makeJsonSafe(edit.body);
  return edit;
}

/** An error about a file names it as the form did, not as the body that was made of the form. */
export function inWordsOfForm(error: unknown, sentAs: EditBody['sentAs']): unknown {
  return error instanceof GatewayError ? error.withFields((name) => sentAs.get(name) ?? name) : error;
}

/** Without an image the models would make a new one, which is not what this route was asked for. */
function lackOfImages({ image_urls: urls }: JsonObject): Failure[] {
  const isMissing = urls === undefined || (Array.isArray(urls) && urls.length === 0);
  return isMissing ? [fieldFailure('missing_parameter', 'image', 'image_required')] : [];
}
