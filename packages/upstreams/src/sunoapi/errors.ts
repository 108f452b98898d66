import type { Fault, JsonObject } from '@mediagate/contracts';
import { type ErrorDialect, fieldNamedIn, judgeError, type VendorError } from '../error-dialect';
import { count, object, present, text } from '../json-guards';

const FIELDS = {
  prompt: 'prompt',
  title: 'title',
  style: 'tags',
  tags: 'tags',
  negativeTags: 'negative_tags',
  styleWeight: 'style_weight',
  weirdnessConstraint: 'weirdness_constraint',
  audioWeight: 'audio_weight',
  vocalGender: 'vocal_gender',
  instrumental: 'instrumental',
  model: 'version',
  audioId: 'task_id',
  taskId: 'task_id',
  uploadUrl: 'task_id',
  continueAt: 'continue_at',
  infillStartS: 'start_s',
  infillEndS: 'end_s',
  soundLoop: 'type',
  soundTempo: 'bpm',
  soundKey: 'key',
};

/** `{code, msg, data}`; code 200 is success, and any other an error, mostly under HTTP 200. */
export const sunoApiErrors: ErrorDialect = {
  read: readError,
  rules: [
    {
      message: /sensitive|prohibited|inappropriate|moderat|copyright|artist name|violat|polic(?:y|ies)\b/i,
      fault: 'content_policy',
    },
    { code: /^(400|413|422)$/, fault: 'bad_request' },
    // The track is gone, as against a path that is not there.
    { code: /^404$/, message: /task|audio|song|record/i, fault: 'bad_request' },
    // A path of one operation that the vendor does not have is nothing against all the others.
    { code: /^404$/, fault: 'cannot_carry' },
    // 429 is about credits: asking too often is 405 or 430.
    { code: /^(401|402|403|429)$/, fault: 'operator' },
    { code: /^(405|430)$/, fault: 'rate_limited' },
    { code: /^455$/, fault: 'not_accepted' },
    { code: /^500$/, fault: 'upstream_fault' },
  ],
  statuses: { 404: 'cannot_carry' },
  fields: FIELDS,
  own: ['callBackUrl', 'customMode', 'defaultParamFlag'],
};

/** Why a job failed is said by its state, with a code and words that may quote the caller: those are judged, not kept. */
export function failure(status: string, { errorCode, errorMessage }: JsonObject, apiKey: string): Fault {
  if (status === 'SENSITIVE_WORD_ERROR') {
    return { code: 'content_policy', detail: 'the job failed, by its status: SENSITIVE_WORD_ERROR' };
  }
  const message = text(errorMessage);
  const code = count(errorCode)?.toString() ?? text(errorCode);
  const error = present<VendorError>({ type: status, code, message, param: fieldNamedIn(message, FIELDS) });
  return judgeError(sunoApiErrors, 200, error, { apiKey, retryAfterMs: undefined });
}

function readError(body: unknown): VendorError | undefined {
  const { code: figure, msg } = object(body);
  const code = count(figure);
  if (code === undefined || code === 200) return undefined;
  const reported = text(msg);
  return present<VendorError>({ code: String(code), message: reported, param: fieldNamedIn(reported, FIELDS) });
}
