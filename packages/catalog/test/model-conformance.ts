import type { Json, JsonObject, LoadedMedia, Usage } from '@mediagate/contracts';
import Ajv from 'ajv';
import * as fc from 'fast-check';
import type { CatalogueEntry, Rates } from '../src';
import { accept, refuse } from './parsing';

/** One nano-unit a token: a reservation at this rate reads as a count of tokens. */
const ONE_A_TOKEN = 1_000_000n;
const RATIOS = '1:1 3:2 2:3 4:3 3:4 5:4 4:5 16:9 9:16 2:1 1:2 21:9 9:21 3:1 1:3'.split(' ');
const SIZES = ['auto', ...RATIOS, '1024x1024', '1280x720', '2048x1152', '3840x2160'];
/** Lists in which a later choice is never cheaper. */
const RISING_CHOICES = ['quality', 'resolution'];
const MAX_COUNT_TRIED = 20;

/** The guarantees every model of the catalogue gives. A new model gets them by existing. */
export function describeModel(entry: CatalogueEntry, rates: Rates): void {
  const inputs = () => entry.examples.map((example) => accept(entry, example).input);
  const properties = entry.schema['properties'] as Record<string, JsonObject>;

  describe(entry.id, () => {
    it('has a schema that strict Ajv compiles and its examples satisfy', () => {
      const validate = new Ajv({ strict: true }).compile(entry.schema);
      expect(entry.examples.length).toBeGreaterThan(0);
      for (const example of entry.examples) expect([validate(example), validate.errors]).toEqual([true, null]);
    });

    it('parses each of its examples without a warning', () => {
      for (const example of entry.examples) expect(accept(entry, example).warnings).toEqual([]);
    });

    it('parses what it has parsed to the same again', () => {
      for (const input of inputs()) expect(accept(entry, input).input).toEqual(input);
    });

    it('names the field of a value of the wrong type', () => {
      for (const [field, property] of Object.entries(properties)) {
        if (field === 'model' || field === 'webhook' || field === 'language') continue;
        const wrong = wrongValue(property);
        const { param, message } = refuse(entry, { ...entry.examples[0], [field]: wrong });
        expect(param).toBe(field);
        expect(message).toContain(field);
      }
    });

    it('ignores unknown fields, names them in warnings and keeps them out of the input', () => {
      const body = { ...entry.examples[0], unheard_of: { of: 1 }, ...JSON.parse('{"__proto__":{"n":4}}') };
      const { input, warnings } = accept(entry, body);
      expect(input).toEqual(accept(entry, entry.examples[0] as JsonObject).input);
      expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
      expect(warnings).toEqual([expect.stringContaining('unheard_of'), expect.stringContaining('__proto__')]);
    });

    it('gives a task some time, and its results some', () => {
      expect(entry.deadlineMs).toBeGreaterThan(0);
      expect(entry.resultLifetimeMs).toBeGreaterThan(0);
    });

    it('reserves more than nothing for each of its examples', () => {
      for (const input of inputs()) expect(entry.reserve(input, rates)).toBeGreaterThan(0n);
    });

    it('never reserves less when a count rises', () => {
      for (const [field, { type, minimum, maximum }] of Object.entries(properties)) {
        if (type !== 'integer' || typeof minimum !== 'number' || typeof maximum !== 'number') continue;
        const last = Math.min(maximum, minimum + MAX_COUNT_TRIED);
        const counts = Array.from({ length: last - minimum + 1 }, (_, step) => minimum + step);
        expectRising(field, counts);
      }
    });

    it('never reserves less for a higher quality or resolution', () => {
      for (const field of RISING_CHOICES) expectRising(field, (properties[field]?.['enum'] ?? []) as Json[]);
    });

    it('never reserves less for more pixels', () => {
      for (const example of entry.examples) {
        const priced = variants(example, 'size', SIZES).flatMap((input) => {
          const { size } = entry.request(input, loaded(input)) as { size?: { width?: number; height?: number } };
          return size?.width && size.height
            ? [{ pixels: size.width * size.height, amount: entry.reserve(input, rates) }]
            : [];
        });
        expectSorted(priced.sort((a, b) => a.pixels - b.pixels).map(({ amount }) => amount));
      }
    });

    it('never settles above the reservation for usage within the estimate', () => {
      for (const input of inputs()) {
        void fc.assert(
          fc.property(usageWithin(estimate(input)), (usage) => {
            expect(entry.settle(input, usage, rates)).toBeLessThanOrEqual(entry.reserve(input, rates));
          }),
        );
      }
    });

    it('settles usage that was not reported by what was made, up to the reservation', () => {
      for (const input of inputs()) {
        const wanted = Number(input['n'] ?? 1);
        const made = Array.from({ length: wanted + 2 }, (_, images) => entry.settle(input, { images }, rates));
        const all = entry.settle(input, {}, rates);
        expect(made[0]).toBe(0n);
        expectSorted(made);
        expect([made[wanted], made[wanted + 1]]).toEqual([all, all]);
        expect(all).toBeGreaterThan(0n);
        expect(all).toBeLessThanOrEqual(entry.reserve(input, rates));
      }
    });

    it('costs the price of one task, whatever is asked and used, where the operator set one', () => {
      for (const input of inputs()) {
        expect(entry.reserve(input, { per_task: 7n })).toBe(7n);
        expect(entry.settle(input, { images: 1, outputTokens: 1 }, { per_task: 7n })).toBe(7n);
      }
    });

    it('declares every file its input names, and builds a JSON request from each example', () => {
      for (const input of inputs()) {
        const named = JSON.stringify(input).match(/(?<=")https?:[^"]+/g) ?? [];
        const media = entry.media(input);
        expect(media.map(({ url }) => url)).toEqual(named);
        for (const { contentTypes, maxBytes } of media) {
          expect(contentTypes.length).toBeGreaterThan(0);
          expect(maxBytes).toBeGreaterThan(0);
        }
        const request = entry.request(input, loaded(input));
        expect(JSON.parse(JSON.stringify(request))).toEqual(request);
        expect(request).toMatchObject({ prompt: input['prompt'], n: input['n'] });
      }
    });

    function expectRising(field: string, values: readonly Json[]): void {
      for (const example of entry.examples) {
        expectSorted(variants(example, field, values).map((input) => entry.reserve(input, rates)));
      }
    }

    /** Inputs of the example with each value that the model takes there. */
    function variants(example: JsonObject, field: string, values: readonly Json[]): JsonObject[] {
      return values.flatMap((value) => {
        const parsed = entry.parse({ ...example, [field]: value });
        return parsed.ok ? [parsed.input] : [];
      });
    }

    function loaded(input: JsonObject): LoadedMedia[] {
      return entry.media(input).map(({ field, role }) => {
        return { field, role, contentType: 'image/png', bytes: Buffer.alloc(0), width: 1200, height: 800 };
      });
    }

    /** How much of each unit the reservation has room for. */
    function estimate(input: JsonObject): Record<string, number> {
      const units = Object.keys(rates);
      const none = Object.fromEntries(units.map((unit) => [unit, 0n]));
      return Object.fromEntries(
        units.map((unit) => {
          const rate = unit.startsWith('per_') ? 1n : ONE_A_TOKEN;
          return [unit, Number(entry.reserve(input, { ...none, [unit]: rate }))];
        }),
      );
    }
  });
}

function expectSorted(amounts: readonly bigint[]): void {
  expect(amounts).toEqual([...amounts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
}

function wrongValue({ type }: JsonObject): Json {
  return type === 'boolean' || type === 'array' || type === 'object' ? 7 : { not: 'a value' };
}

/** Usage as upstreams report it: with details or only a total, cached parts inside the whole. */
function usageWithin(most: Record<string, number>): fc.Arbitrary<Usage> {
  const upTo = (unit: string) => fc.nat(most[unit] ?? 0);
  return fc
    .record({
      images: upTo('per_image'),
      text: upTo('text_input'),
      image: upTo('image_input'),
      outputTokens: upTo('image_output'),
      cached: fc.tuple(fc.float({ min: 0, max: 1, noNaN: true }), fc.float({ min: 0, max: 1, noNaN: true })),
      detailed: fc.boolean(),
    })
    .map(({ images, text, image, outputTokens, cached, detailed }) => ({
      images,
      inputTokens: text + image,
      outputTokens,
      ...(detailed && {
        inputTextTokens: text,
        inputImageTokens: image,
        cachedTextTokens: Math.floor(text * cached[0]),
        cachedImageTokens: Math.floor(image * cached[1]),
      }),
    }));
}
