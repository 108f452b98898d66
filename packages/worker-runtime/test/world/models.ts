import { type CatalogueEntry, createCatalogue, defineModel } from '@mediagate/catalog';
import type { AfterLostAnswer } from '../generic-upstream/adapter';

/** Rates of these models: a task reserves `n` images and 1000 tokens. */
export const RATES = { image: 100n, token_output: 1_000_000n };

/** One model for each way of an upstream to treat a lost answer; named like it. */
export const CATALOGUE = createCatalogue([
  ...(['never', 'idempotent', 'lookup'] as const).map(defineGenericModel),
  // The worker under test opens streams to callers because its family has this one.
  { ...defineSynchronousModel(), family: 'tts' },
]);

function defineGenericModel(id: AfterLostAnswer): CatalogueEntry {
  return defineModel({
    id,
    // The request type is no family's own.
    family: 'text',
    operation: 'generic',
    version: 1,
    deadlineMinutes: 30,
    resultLifetimeHours: 1,
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['label', 'n'],
      properties: {
        label: { type: 'string' },
        n: { type: 'integer', minimum: 1, maximum: 10 },
        image_url: { type: 'string' },
        /** The upstream fetches the image itself. */
        inspect: { type: 'boolean', default: false },
      },
    },
    rules: [],
    prices: { image: 0.001, token_output: 0.001 },
    reserve: ({ n }, rates) => BigInt(n) * rates.image + 1000n,
    settle: (_input, { images = 0, outputTokens = 0 }, rates) =>
      BigInt(images) * rates.image + (BigInt(outputTokens) * rates.token_output) / 1_000_000n,
    media: ({ image_url: url, inspect: inspectOnly }) =>
      url === undefined
        ? []
        : [{ field: 'image_url', role: 'image', url, contentTypes: ['image/png'], maxBytes: 1000, inspectOnly }],
    // A job of one names no number.
    request: ({ label, n, inspect, image_url: image }) => ({
      label,
      ...(n > 1 ? { n } : {}),
      ...(inspect && image !== undefined ? { image } : {}),
    }),
    examples: [{ label: 'a', n: 1 }],
  });
}

/** Answers go to whoever waits; billed by what was asked for. */
function defineSynchronousModel(): CatalogueEntry {
  return defineModel({
    id: 'live',
    family: 'text',
    operation: 'generic',
    version: 1,
    synchronous: true,
    deadlineMinutes: 30,
    resultLifetimeHours: 1,
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['label', 'n'],
      properties: { label: { type: 'string' }, n: { type: 'integer', minimum: 1, maximum: 10 } },
    },
    rules: [],
    prices: { image: 0.001 },
    reserve: ({ n }, rates) => BigInt(n) * rates.image,
    settle: ({ n }, _usage, rates) => BigInt(n) * rates.image,
    media: () => [],
    request: ({ label }) => ({ label }),
    examples: [{ label: 'a', n: 1 }],
  });
}
