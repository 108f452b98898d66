import { isJsonObject, type Json, type JsonObject, type MediaReference } from '@mediagate/contracts';
import { addressesAreFiles } from '../addresses';
import { defineModel } from '../define-model';
import type { CatalogueEntry, NamedAddress } from '../entry';
import type { ModeratedContent } from '../moderation';
import { DESCRIBED_OPERATIONS, type InputSchema, type ModelDefinition, type Report } from './definition';
import { type DescribedPrice, describedPrice, imagesAsked } from './described-price';
import { judgeSchema } from './judge-schema';
import { addressesIn, type MediaField, mediaFields } from './media-fields';
import { priceMisfit } from './price-misfit';
import { unbookable } from './unbookable';

/**
 * The catalogue's entry for a model that the configuration describes. Its request is the caller's body: a channel's template
 * says which of its fields a vendor gets. Undefined: the faults have been reported.
 */
export function describeModel(definition: ModelDefinition, report: Report): CatalogueEntry | undefined {
  const schema = judgeSchema(definition.input, report);
  if (schema === undefined) return undefined;
  const price = describedPrice(definition.price, schema, report);
  if (price === undefined) return undefined;
  const misfit = priceMisfit(definition) ?? unbookable(definition);
  if (misfit !== undefined) {
    report(misfit.field, misfit.problem);
    return undefined;
  }
  const entry = makeEntry(definition, { schema, price });
  const wrong = definition.examples.map((example) => entry.parse(structuredClone(example)));
  for (const [index, parsed] of wrong.entries()) {
    if (!parsed.ok) report(`examples[${index}]`, `does not fit the input: ${parsed.failures[0].param ?? 'the body'}`);
  }
  return wrong.every(({ ok }) => ok) ? entry : undefined;
}

/** The schema and the price as they have been judged. */
interface Parts {
  schema: InputSchema;
  price: DescribedPrice;
}

function makeEntry(definition: ModelDefinition, { schema, price }: Parts): CatalogueEntry {
  const { id, operation, description, moderate, examples } = definition;
  const fields = mediaFields(definition.input);
  const addresses = (body: JsonObject) => fields.flatMap((field) => addressesIn(body, field));
  // The type of an input is known to its schema alone, which the compiler has not read.
  const entry = defineModel<unknown, DescribedPrice['prices'], 'image' | 'video'>({
    id,
    operation,
    description,
    family: DESCRIBED_OPERATIONS[operation],
    version: 1,
    input: schema,
    pricedFields: { count: definition.price.count, length: definition.price.length },
    rules: [addressesAreFiles<JsonObject>(addresses)],
    ...price,
    media: (body: JsonObject) => fields.flatMap((field) => filesIn(body, field)),
    request: (body: JsonObject) => ({ body }),
    deadlineMinutes: definition.deadline_minutes,
    resultLifetimeHours: definition.result_lifetime_hours,
    examples,
  });
  return {
    ...entry,
    isDescribed: true,
    moderate: (body) => (moderate ? reviewed(body, entry.media(body), addresses(body)) : undefined),
    outputsAsked: (body) => imagesAsked(definition.price, body),
    // A template's words for a body are those of the body.
    fieldOf: (body, part) =>
      Object.hasOwn(schema.properties, part) || addresses(body).some(({ field }) => field === part) ? part : undefined,
  };
}

function filesIn(body: JsonObject, media: MediaField): MediaReference[] {
  return addressesIn(body, media).map(({ field, url }) => ({ field, url, ...media.limits }));
}

/** All that the caller wrote, and all images. */
function reviewed(
  body: JsonObject,
  media: readonly MediaReference[],
  addresses: readonly NamedAddress[],
): ModeratedContent {
  const urls = new Set(addresses.map(({ url }) => url));
  const prompt = textsOf(body)
    .filter((text) => !urls.has(text))
    .join('\n');
  return { ...(prompt === '' ? {} : { prompt }), images: media.filter(({ role }) => role === 'image') };
}

function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isJsonObject(value) ? Object.values(value).flatMap((member) => textsOf(member as Json)) : [];
}
