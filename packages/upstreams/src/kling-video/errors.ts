import type { Fault } from '@mediagate/contracts';
import type { ErrorDialect, VendorError } from '../error-dialect';
import { fieldNamedIn } from '../error-dialect';
import { count, object, present, text } from '../json-guards';
import type { VendorRefusal } from '../vendor-call';

const FIELDS = {
  prompt: 'prompt',
  negative_prompt: 'negative_prompt',
  mode: 'mode',
  resolution: 'mode',
  duration: 'duration',
  aspect_ratio: 'aspect_ratio',
  image: 'image_urls',
  image_tail: 'image_urls',
  first_frame: 'image_urls',
  last_frame: 'image_urls',
  multi_prompt: 'multi_prompt',
  shot_type: 'shot_type',
  element_list: 'element_list',
  element_name: 'element_list',
  element_description: 'element_list',
  element_image_list: 'element_list',
  element_id: 'element_list',
};

/** The code for a requested or named resource that does not exist, or no longer does. */
export const NOT_FOUND = '1203';

/** `{code, message, request_id}`; code 0 is success, whatever the HTTP status. */
export const klingErrors: ErrorDialect = {
  read: readError,
  rules: [
    { code: /^130[01]$/, fault: 'content_policy' },
    { code: /^130[23]$/, fault: 'rate_limited' },
    // Keys, money, and an address that is not on the account's list, partly under 429.
    { code: /^(100[0-4]|110[0-3]|1304)$/, fault: 'operator' },
    // The channel names path and model, not the caller.
    { code: /^1202$/, fault: 'operator', ofModel: true },
    { code: /^1203$/, message: /\bmodel\b/i, fault: 'operator', ofModel: true },
    { code: /^120[0-3]$/, fault: 'bad_request' },
    { code: /^5000$/, fault: 'upstream_fault' },
    { code: /^5001$/, fault: 'not_accepted' },
    { code: /^5002$/, fault: 'outcome_unknown' },
  ],
  fields: FIELDS,
  own: ['model_name', 'callback_url'],
  requestIdOf: (body) => text(object(body)['request_id']),
};

/** Our reference is taken already: an earlier request of this attempt arrived, and can be looked up. */
export const klingStartErrors: ErrorDialect = {
  ...klingErrors,
  rules: [{ message: /external[_ ]task[_ ]id/i, fault: 'outcome_unknown' }, ...klingErrors.rules],
};

/** Whether the vendor says that it has no such task. Any other refusal is of the question alone, and says nothing of the task. */
export function isTaskUnknown({ fault, error }: VendorRefusal): boolean {
  if (error?.code === NOT_FOUND) return fault.code === 'bad_request';
  return error?.code === '1201' && /\btask not found\b/i.test(error.message ?? '');
}

/** Why a task failed is only text; as it may quote the caller, it is classified here and passed no further. */
export function failure(words: unknown): Fault {
  const policy = /polic|risk|sensitive|violat|moderation/i.test(text(words) ?? '');
  return policy
    ? { code: 'content_policy', detail: 'the task failed: by the words of its status, for its content' }
    : { code: 'generation_failed', detail: 'the task failed, by its status' };
}

function readError(body: unknown): VendorError | undefined {
  const { code: figure, message } = object(body);
  const code = count(figure);
  if (code === undefined || code === 0) return undefined;
  const reported = text(message);
  return present<VendorError>({ code: String(code), message: reported, param: fieldNamedIn(reported, FIELDS) });
}
