import { inEnglish, type JsonObject, type Reason } from '@mediagate/contracts';
import type { CatalogueEntry, ParsedInput, RejectedInput } from '../src';

/** A refusal as its caller reads it: the first failure, and the fields of all. */
export interface Refusal {
  ok: false;
  code: RejectedInput['code'];
  reason: Reason;
  message: string;
  param: string;
  params: string[];
}

export function refusalOf({ ok, code, failures }: RejectedInput): Refusal {
  const [{ reason, message, param = '' }] = failures;
  const params = failures.map((failure) => failure.param ?? '');
  return { ok, code, reason, message: inEnglish(message), param, params };
}

/** The parsed body; fails the test when the model refuses it. */
export function accept(entry: CatalogueEntry, body: JsonObject): ParsedInput {
  const parsed = entry.parse(body);
  if (!parsed.ok) throw new Error(`${entry.id} refused a body that it should take: ${refusalOf(parsed).message}`);
  return parsed;
}

/** The warnings of a body that is accepted. */
export function warningsOf(entry: CatalogueEntry, body: JsonObject): string[] {
  return accept(entry, body).warnings.map(inEnglish);
}

/** The refusal; fails the test when the model takes the body. */
export function refuse(entry: CatalogueEntry, body: JsonObject): Refusal {
  const parsed = entry.parse(body);
  if (parsed.ok) throw new Error(`${entry.id} took a body that it should refuse: ${JSON.stringify(parsed.input)}`);
  return refusalOf(parsed);
}
