import type { Family, JsonObject } from '@mediagate/contracts';
import type { RejectedInput } from './entry';
import { reject } from './rules';

/** Languages that a caller may ask for. */
export const LANGUAGES = ['en', 'zh', 'ja', 'ko', 'pt', 'ru', 'fr', 'de', 'id', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Fields that belong to every asynchronous submission and to no model, as the API reference shows them. */
export const SUBMISSION_FIELDS = {
  webhook: {
    type: 'string',
    description: 'Base URL of your receiver; the record of the finished task is posted to it with /callback appended.',
  },
  language: {
    type: 'string',
    description: `Language of error.message in the callback of a failed task: one of ${LANGUAGES.join(', ')}. Others are ignored.`,
  },
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
  warnings: string[];
}

/**
 * Reads `webhook` and `language` from a body. Blank strings are missing ones. Rejects what is not a string, and whatever
 * stands in `unsupported`: the fields a route or a model does not take.
 */
export function parseSubmissionFields(
  body: JsonObject,
  family: Family,
  unsupported: readonly string[] = [],
): ParsedSubmissionFields | RejectedInput {
  const refused = findUnsupported(body, unsupported);
  if (refused) return refused;
  const parsed: ParsedSubmissionFields = { ok: true, warnings: [] };
  for (const field of ['webhook', 'language'] as const) {
    const value = sentValue(body, field);
    if (value === undefined) continue;
    if (field === 'language' && !takesLanguage(family)) {
      parsed.warnings.push('language was ignored: ask for the record with it instead, as ?language=de');
      continue;
    }
    if (typeof value !== 'string') return reject(field, `${field} must be a string`);
    if (field === 'language') readLanguage(value, parsed);
    else parsed.webhook = value;
  }
  return parsed;
}

/** The rejection for the first field of `unsupported` that the body carries. */
export function findUnsupported(body: JsonObject, unsupported: readonly string[]): RejectedInput | undefined {
  const field = unsupported.find((name) => sentValue(body, name) !== undefined);
  return field === undefined
    ? undefined
    : reject(field, `${field}: parameter is not supported`, 'unsupported_parameter');
}

function sentValue(body: JsonObject, field: string) {
  if (!Object.hasOwn(body, field)) return undefined;
  const value = body[field];
  return typeof value === 'string' && value.trim() === '' ? undefined : value;
}

function readLanguage(value: string, parsed: ParsedSubmissionFields): void {
  const wanted = value.trim().toLowerCase();
  const language = LANGUAGES.find((known) => known === wanted);
  if (language) parsed.language = language;
  else parsed.warnings.push(`language was ignored: it is not one of ${LANGUAGES.join(', ')}`);
}
