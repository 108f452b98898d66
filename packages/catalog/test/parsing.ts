import type { JsonObject } from '@mediagate/contracts';
import type { CatalogueEntry, ParsedInput, RejectedInput } from '../src';

/** The parsed body; fails the test when the model refuses it. */
export function accept(entry: CatalogueEntry, body: JsonObject): ParsedInput {
  const parsed = entry.parse(body);
  if (!parsed.ok) throw new Error(`${entry.id} refused a body that it should take: ${parsed.message}`);
  return parsed;
}

/** The refusal; fails the test when the model takes the body. */
export function refuse(entry: CatalogueEntry, body: JsonObject): RejectedInput {
  const parsed = entry.parse(body);
  if (parsed.ok) throw new Error(`${entry.id} took a body that it should refuse: ${JSON.stringify(parsed.input)}`);
  return parsed;
}
