import {
  FAMILY_TRAITS,
  type Family,
  fieldFailure,
  isJsonObject,
  type Json,
  type JsonObject,
  type Message,
  message,
} from '@mediagate/contracts';
import { LANGUAGES, type Language, toLanguage } from '@mediagate/languages';
import type { CatalogueEntry, RejectedInput } from './entry';
import { METADATA_SCHEMA, metadataFaults } from './metadata';
import { reject, rejected, together } from './rules';
import { isSent, plainName } from './spellings';

/** A day: no task takes longer. */
const MAX_EXPIRES_IN_SECONDS = 86_400;

/** Fields that belong to every submission and to no model, as the API reference shows them. */
export const SUBMISSION_FIELDS = {
  webhook: {
    type: 'string',
    description: 'Base URL of your receiver; the record of the finished task is posted to it with /callback appended.',
  },
  language: {
    type: 'string',
    description: `Language of error.message in the callback of a failed task: one of ${LANGUAGES.join(', ')}. Others are ignored.`,
  },
  metadata: METADATA_SCHEMA,
  max_cost: {
    type: 'number',
    exclusiveMinimum: 0,
    description: 'Currency units: refused with 402 if the task can cost more.',
  },
  expires_in: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_EXPIRES_IN_SECONDS,
    description: 'Seconds: the task fails, and costs nothing, unless work on it has begun by then.',
  },
} as const;

/** Names of other APIs for the field `webhook`, which every model with a near name takes: without it nobody would be called back. */
export const CALLBACK_FIELDS = [
  'webhook_url',
  'callback_url',
  'notify_url',
  'response_url',
  'hook_url',
  'hook',
  'callback',
  'notify_hook',
];

/** Fields of every submission that have no place in a body of the model. */
export function submissionFieldsWithout({
  family,
  synchronous,
}: Pick<CatalogueEntry, 'family' | 'synchronous'>): string[] {
  // The body of a text is the vendor's own, to the byte: the vendor would refuse them, once the task is booked.
  if (!FAMILY_TRAITS[family].hasWorker) return Object.keys(SUBMISSION_FIELDS);
  // Whoever waits for the answer may hang up.
  const untimed = synchronous ? ['expires_in'] : [];
  return takesLanguage(family) ? untimed : [...untimed, 'language'];
}

/** Whether `language` means something in a submission; where it does not, the record may still be asked for in one. */
function takesLanguage(family: Family): boolean {
  return FAMILY_TRAITS[family].takesLanguage;
}

export interface ParsedSubmissionFields {
  ok: true;
  /** As sent. Whether it is a URL that may be called is judged later and never fails the submission. */
  webhook?: string;
  language?: Language;
  metadata?: JsonObject;
  /** Currency units. */
  maxCost?: number;
  expiresInSeconds?: number;
  warnings: Message[];
}

type FieldReader = (value: Json, parsed: ParsedSubmissionFields, model: SubmittedModel) => readonly RejectedInput[];

/** The members of a model that decide how it reads the common fields. */
export type SubmittedModel = Pick<CatalogueEntry, 'family' | 'takesAnyMetadata'>;

/**
 * Reads the fields of every submission from a body. Blank strings are missing ones. Rejects what is wrong, and whatever stands
 * in `unsupported`: the fields a route or a model does not take.
 */
export function parseSubmissionFields(
  body: JsonObject,
  model: SubmittedModel,
  unsupported: readonly string[] = [],
): ParsedSubmissionFields | RejectedInput {
  const refusals = findUnsupported(body, unsupported);
  const parsed: ParsedSubmissionFields = { ok: true, warnings: [] };
  for (const [field, read] of Object.entries(READERS)) {
    const value = sentValue(body, field);
    if (value !== undefined && !unsupported.includes(field)) refusals.push(...read(value, parsed, model));
  }
  return together(refusals) ?? parsed;
}

/** Each takes a field over into what was parsed, or rejects it. */
const READERS: Readonly<Record<keyof typeof SUBMISSION_FIELDS, FieldReader>> = {
  webhook(value, parsed) {
    if (typeof value !== 'string') return [reject('webhook', 'must_be_string')];
    parsed.webhook = value;
    return [];
  },
  language(value, parsed, { family }) {
    if (!takesLanguage(family)) {
      parsed.warnings.push(message('ignored_in_submission', { field: 'language' }));
    } else if (typeof value !== 'string') return [reject('language', 'must_be_string')];
    else readLanguage(value, parsed);
    return [];
  },
  metadata(value, parsed, { takesAnyMetadata }) {
    if (isJsonObject(value) && Object.keys(value).length > 0) parsed.metadata = value;
    // The model's own schema judges metadata of any shape.
    return takesAnyMetadata ? [] : metadataFaults(value);
  },
  max_cost(value, parsed) {
    if (typeof value !== 'number') return [reject('max_cost', 'must_be_number')];
    if (value <= 0) return [reject('max_cost', 'must_be_above', { limit: 0 })];
    parsed.maxCost = value;
    return [];
  },
  expires_in(value, parsed) {
    if (typeof value !== 'number' || !Number.isInteger(value)) return [reject('expires_in', 'must_be_integer')];
    if (value < 1 || value > MAX_EXPIRES_IN_SECONDS) {
      return [reject('expires_in', 'must_be_in_range', { min: 1, max: MAX_EXPIRES_IN_SECONDS })];
    }
    parsed.expiresInSeconds = value;
    return [];
  },
};

/** Fields of every submission by the plain names that callers give them. */
const MEANT = new Map<string, string>([
  ...Object.keys(SUBMISSION_FIELDS).map((field) => [plainName(field), field] as const),
  ...CALLBACK_FIELDS.map((name) => [plainName(name), 'webhook'] as const),
  [plainName('max_price'), 'max_cost'],
]);

/** The rejection of each field of `unsupported` that the body carries, by whatever name: advice to use another would not help. */
export function findUnsupported(body: JsonObject, unsupported: readonly string[]): RejectedInput[] {
  if (unsupported.length === 0) return [];
  const own = unsupported.filter((name) => sentValue(body, name) !== undefined);
  const meant = Object.keys(body).filter((name) => {
    const field = unsupported.includes(name) ? undefined : MEANT.get(plainName(name));
    return field !== undefined && unsupported.includes(field) && isSent(body, name);
  });
  return [...own, ...meant].map((field) =>
    rejected(fieldFailure('unsupported_parameter', field, 'unsupported_parameter')),
  );
}

function sentValue(body: JsonObject, field: string) {
  if (!Object.hasOwn(body, field)) return undefined;
  const value = body[field];
  return typeof value === 'string' && value.trim() === '' ? undefined : value;
}

function readLanguage(value: string, parsed: ParsedSubmissionFields): void {
  const language = toLanguage(value);
  if (language) parsed.language = language;
  else parsed.warnings.push(message('ignored_not_one_of', { field: 'language', values: LANGUAGES.join(', ') }));
}
