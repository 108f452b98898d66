import {
  type Family,
  fieldFailure,
  isJsonObject,
  type JsonObject,
  LANGUAGES,
  type Language,
  type Message,
  message,
  toLanguage,
} from '@mediagate/contracts';
import type { CatalogueEntry, RejectedInput } from './entry';
import { METADATA_SCHEMA, metadataFaults } from './metadata';
import { reject, rejected, together } from './rules';

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
} as const;

/** Families whose failures are told in the language that was sent along. */
const TRANSLATED: ReadonlySet<Family> = new Set(['image', 'video']);

/** Whether `language` means something in a submission; where it does not, the record may still be asked for in one. */
export function takesLanguage(family: Family): boolean {
  return TRANSLATED.has(family);
}

export interface ParsedSubmissionFields {
  ok: true;
  /** As sent. Whether it is a URL that may be called is judged later and never fails the submission. */
  webhook?: string;
  language?: Language;
  metadata?: JsonObject;
  warnings: Message[];
}

/** What decides how a model reads the common fields. */
export type SubmittedModel = Pick<CatalogueEntry, 'family' | 'takesAnyMetadata'>;

/**
 * Reads the fields of every submission from a body. Blank strings are missing ones. Rejects what is not a string, and whatever
 * stands in `unsupported`: the fields a route or a model does not take.
 */
export function parseSubmissionFields(
  body: JsonObject,
  { family, takesAnyMetadata }: SubmittedModel,
  unsupported: readonly string[] = [],
): ParsedSubmissionFields | RejectedInput {
  const refusals = findUnsupported(body, unsupported);
  const parsed: ParsedSubmissionFields = { ok: true, warnings: [] };
  for (const field of ['webhook', 'language'] as const) {
    const value = sentValue(body, field);
    if (value === undefined || unsupported.includes(field)) continue;
    if (field === 'language' && !takesLanguage(family)) {
      parsed.warnings.push(message('ignored_in_submission', { field }));
      continue;
    }
    if (typeof value !== 'string') refusals.push(reject(field, 'must_be_string'));
    else if (field === 'language') readLanguage(value, parsed);
    else parsed.webhook = value;
  }
  const metadata = sentValue(body, 'metadata');
  if (metadata !== undefined && !unsupported.includes('metadata')) {
    // The model's own schema judges metadata of any shape.
    if (!takesAnyMetadata) refusals.push(...metadataFaults(metadata));
    if (isJsonObject(metadata) && Object.keys(metadata).length > 0) parsed.metadata = metadata;
  }
  return together(refusals) ?? parsed;
}

/** The rejection of each field of `unsupported` that the body carries. */
export function findUnsupported(body: JsonObject, unsupported: readonly string[]): RejectedInput[] {
  const fields = unsupported.filter((name) => sentValue(body, name) !== undefined);
  return fields.map((field) => rejected(fieldFailure('unsupported_parameter', field, 'unsupported_parameter')));
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
