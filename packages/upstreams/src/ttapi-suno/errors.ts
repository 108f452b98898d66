import type { ErrorDialect, VendorError } from '../error-dialect';
import { fieldNamedIn } from '../error-dialect';
import { beginning, object, present, text } from '../json-guards';

/** Characters of the vendor's message that are read: it may quote a whole body, and a search in it takes the square of its length. */
const MESSAGE_MAX_CHARS = 2_000;

const FIELDS = {
  music_id: 'task_id',
  audio_url: 'audio_url',
  mv: 'version',
  gpt_description_prompt: 'gpt_description',
  prompt: 'prompt',
  sound: 'prompt',
  title: 'title',
  tags: 'tags',
  negative_tags: 'negative_tags',
  style_weight: 'style_weight',
  weirdness_constraint: 'weirdness_constraint',
  audio_weight: 'audio_weight',
  auto_lyrics: 'auto_lyrics',
  vocal_gender: 'vocal_gender',
  instrumental: 'instrumental',
  duration: 'duration',
  continue_at: 'continue_at',
  start_s: 'start_s',
  end_s: 'end_s',
  infill_start_s: 'start_s',
  infill_end_s: 'end_s',
  infill_lyrics: 'infill_lyrics',
  crop_start_s: 'start_s',
  crop_end_s: 'end_s',
  speed_multiplier: 'speed',
  stem_type: 'stem_type',
  lyrics_model: 'lyrics_model',
  type: 'type',
  bpm: 'bpm',
  key: 'key',
};

/** `{status: "FAILED", message, data: {}}`: what went wrong is said by the HTTP status, or by the words alone under 200. */
export const ttapiErrors: ErrorDialect = {
  read: readError,
  rules: [
    {
      message: /banned|sensitive|moderat|prohibited|inappropriate|copyright|violat|polic(?:y|ies)\b/i,
      fault: 'content_policy',
    },
    // No place in the vendor's queue for this product.
    { status: 499, fault: 'rate_limited' },
    // The track is gone, as against a path that is not there.
    { status: 404, message: /music|song|clip/i, fault: 'bad_request' },
    { status: 200, message: /insufficient|balance|quota|api.?key|unauthori[sz]ed/i, fault: 'operator' },
    { status: 200, message: /too many|rate limit|queue|busy/i, fault: 'rate_limited' },
    { status: 200, message: /param|invalid|required|missing/i, fault: 'bad_request' },
  ],
  // A path of one operation that the vendor does not have, or calls otherwise, is nothing against all the others.
  statuses: { 404: 'cannot_carry' },
  fields: FIELDS,
  own: ['is_async'],
};

/**
 * In an answer about a job, `FAILED` under 200 is the job's own end, unless the vendor says that it knows no such job;
 * under any other status the question is refused.
 */
export const ttapiQueryErrors: ErrorDialect = {
  ...ttapiErrors,
  read: (body, status) => (status !== 200 || isUnknownJob(body) ? readError(body) : undefined),
};

function isUnknownJob(body: unknown): boolean {
  return /\b(?:job|task)\w*\b.*\b(?:not found|not exist|does ?n[o']t exist)/i.test(readError(body)?.message ?? '');
}

function readError(body: unknown): VendorError | undefined {
  const { status, message } = object(body);
  if (text(status)?.toUpperCase() !== 'FAILED') return undefined;
  const words = text(message);
  const reported = words && beginning(words, MESSAGE_MAX_CHARS);
  return present<VendorError>({ code: 'FAILED', message: reported, param: fieldNamedIn(reported, FIELDS) });
}
