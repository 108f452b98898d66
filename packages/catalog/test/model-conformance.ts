import {
  inEnglish,
  isJsonObject,
  type Json,
  type JsonObject,
  type LoadedMedia,
  NANO_PER_UNIT,
  type Usage,
} from '@mediagate/contracts';
import Ajv from 'ajv';
import * as fc from 'fast-check';
import { type CatalogueEntry, createPriceBook, settledUnits } from '../src';
import { accept, refusalOf, refuse } from './parsing';

/** One nano-unit a token: a reservation at this rate reads as a count of tokens. */
const ONE_A_TOKEN = 1_000_000n;
const RATIOS = '1:1 3:2 2:3 4:3 3:4 5:4 4:5 16:9 9:16 2:1 1:2 21:9 9:21 3:1 1:3'.split(' ');
const SIZES = ['auto', ...RATIOS, '1024x1024', '1280x720', '2048x1152', '3840x2160'];
/** Lists in which a later choice is never cheaper. */
const RISING_CHOICES = ['quality', 'resolution', 'mode'];
/** So many of whatever a model is paid by where nobody counts tokens. */
const soMany = (count: number): Usage => ({ images: count, seconds: count, characters: count });
const MAX_COUNT_TRIED = 20;

/** Factors multiply what a unit costs, not how much of it there is. */
function withoutFactors(rates: Record<string, bigint>): Record<string, bigint> {
  return Object.fromEntries(
    Object.entries(rates).map(([unit, rate]) => [unit, /_factor$/.test(unit) ? NANO_PER_UNIT : rate]),
  );
}

/** The guarantees every model of the catalogue gives. A new model gets them by existing. */
export function describeModel(entry: CatalogueEntry): void {
  const ratesOf = (input: JsonObject) => createPriceBook().ratesOf(entry, input);
  const inputs = () => entry.examples.map((example) => accept(entry, example).input);
  const properties = entry.schema['properties'] as Record<string, JsonObject>;

  describe(`${entry.id} ${entry.operation}`, () => {
    it('has a schema that strict Ajv compiles and its examples satisfy', () => {
      const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(entry.schema);
      expect(entry.examples.length).toBeGreaterThan(0);
      for (const example of entry.examples) expect([validate(example), validate.errors]).toEqual([true, null]);
    });

    it('parses each of its examples without a warning', () => {
      for (const example of entry.examples) expect(accept(entry, example).warnings).toEqual([]);
    });

    it('parses what it has parsed to the same again', () => {
      for (const input of inputs()) expect(accept(entry, input).input).toEqual(input);
    });

    it('names the field of a value of the wrong type, be it one that is not read in that body', () => {
      for (const [field, property] of Object.entries(properties)) {
        if (field === 'model' || field === 'webhook' || field === 'language') continue;
        const parsed = entry.parse({ ...entry.examples[0], [field]: wrongValue(property) });
        if (parsed.ok) expect(parsed.input[field]).not.toEqual(wrongValue(property));
        else expect(refusalOf(parsed)).toMatchObject({ param: field, message: expect.stringContaining(field) });
      }
    });

    it('blames no other field for a value of the wrong type, in any of its examples', () => {
      for (const example of entry.examples) {
        for (const [field, property] of Object.entries(properties)) {
          const parsed = entry.parse({ ...example, [field]: wrongValue(property) });
          if (!parsed.ok) expect([field, refusalOf(parsed).params]).toEqual([field, [field]]);
        }
      }
    });

    it('ignores unknown fields, names them in warnings and keeps them out of the input', () => {
      const body = { ...entry.examples[0], unheard_of: { of: 1 }, ...JSON.parse('{"__proto__":{"n":4}}') };
      const { input, warnings } = accept(entry, body);
      expect(input).toEqual(accept(entry, entry.examples[0] as JsonObject).input);
      expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
      expect(warnings.map(inEnglish)).toEqual([
        expect.stringContaining('unheard_of'),
        expect.stringContaining('__proto__'),
      ]);
    });

    it('gives a task some time, and its results some', () => {
      expect(entry.deadlineMs).toBeGreaterThan(0);
      expect(entry.resultLifetimeMs).toBeGreaterThan(0);
    });

    it('reserves more than nothing for each of its examples', () => {
      for (const input of inputs()) expect(entry.reserve(input, ratesOf(input))).toBeGreaterThan(0n);
    });

    it('never reserves less when a count rises', () => {
      for (const [field, property] of Object.entries(properties)) expectRising(field, countsOf(property));
    });

    it('never reserves less for a higher quality or resolution', () => {
      for (const field of RISING_CHOICES) expectRising(field, (properties[field]?.['enum'] ?? []) as Json[]);
    });

    it('never reserves less for more pixels', () => {
      for (const example of entry.examples) {
        const priced = variants(example, 'size', SIZES).flatMap((input) => {
          const { size } = entry.request(input, loaded(input)) as { size?: { width?: number; height?: number } };
          return size?.width && size.height
            ? [{ pixels: size.width * size.height, amount: entry.reserve(input, ratesOf(input)) }]
            : [];
        });
        expectSorted(priced.sort((a, b) => a.pixels - b.pixels).map(({ amount }) => amount));
      }
    });

    it('never settles above the reservation for usage within the estimate', () => {
      for (const input of inputs()) {
        void fc.assert(
          fc.property(usageWithin(estimate(input)), (usage) => {
            expect(entry.settle(input, usage, ratesOf(input))).toBeLessThanOrEqual(
              entry.reserve(input, ratesOf(input)),
            );
          }),
        );
      }
    });

    it('settles what was made, the more the dearer and never above the reservation', () => {
      for (const input of inputs()) {
        const reserved = entry.reserve(input, ratesOf(input));
        const made = [0, 1, 2, 7, 29, 31, 100_000].map((count) => entry.settle(input, soMany(count), ratesOf(input)));
        expectSorted([...made, reserved]);
      }
    });

    it('settles usage that was not reported like all that was asked for', () => {
      for (const input of inputs()) {
        const all = entry.settle(input, {}, ratesOf(input));
        expect(all).toBe(entry.settle(input, soMany(100_000), ratesOf(input)));
        expect(all).toBeGreaterThan(0n);
      }
    });

    it('settles so much of each unit as it charges for, whatever was used', () => {
      for (const input of inputs()) {
        const rates = withoutFactors(ratesOf(input));
        for (const usage of [{}, soMany(0), soMany(2), { ...soMany(1), ...estimate(input) }]) {
          const units = settledUnits(entry, input, usage, rates);
          const parts = Object.entries(units).map(([unit, quantity]) => quantity * (rates[unit] ?? 0n));
          const sum = parts.reduce((total, part) => total + part, 0n);
          // Each of as many images is rounded up by itself.
          const roundings = BigInt(Math.max(1, Number(input['n'] ?? 1)));
          const more = entry.settle(input, usage, rates) * NANO_PER_UNIT - sum;
          expect(more >= 0n && more < roundings * NANO_PER_UNIT).toBe(true);
        }
      }
    });

    it('costs the price of one task, whatever is asked and used, where the operator set one', () => {
      for (const input of inputs()) {
        const rates = entry.billing ? { [entry.id]: 7n } : { per_task: 7n };
        const price = entry.reserve(input, rates);
        if (!entry.billing) expect(price).toBe(7n);
        expect(entry.settle(input, { images: 1, outputTokens: 1 }, rates)).toBe(price);
      }
    });

    it('declares every file its input names, and builds a JSON request from each example', () => {
      for (const input of inputs()) {
        const named = JSON.stringify(input).match(/(?<=")https?:[^"]+/g) ?? [];
        const media = entry.media(input);
        expect([...media, ...entry.pages(input)].map(({ url }) => url)).toEqual(named);
        for (const { contentTypes, maxBytes } of media) {
          expect(contentTypes.length).toBeGreaterThan(0);
          expect(maxBytes).toBeGreaterThan(0);
        }
        const request = entry.request(input, loaded(input));
        expect(JSON.parse(JSON.stringify(request))).toEqual(request);
        if (input['n'] !== undefined) expect(request['n']).toEqual(input['n']);
        // Parameters may stand behind it as flags.
        if (input['prompt'] !== undefined)
          expect(request['prompt'] ?? request['description']).toMatch(beginningWith(String(input['prompt'])));
      }
    });

    it('names in its request every file and page that the upstream fetches itself, and nothing that is not the input’s', () => {
      for (const input of inputs()) {
        const fetchedByUpstream = entry.media(input).filter(({ inspectOnly }) => inspectOnly === true);
        const handedOn = [...fetchedByUpstream, ...entry.pages(input)].map(({ url }) => url);
        const named: string[] = JSON.stringify(entry.request(input, loaded(input))).match(/(?<=")https?:[^"]+/g) ?? [];
        expect(named).toEqual(expect.arrayContaining(handedOn));
        const ownTo = [...entry.media(input), ...entry.pages(input)].map(({ url }) => url);
        expect(ownTo).toEqual(expect.arrayContaining(named));
      }
    });

    it('names the field and index of an address that is not http or https', () => {
      for (const example of entry.examples) {
        for (const { field, url } of [...entry.media(example), ...entry.pages(example)]) {
          const body = JSON.parse(JSON.stringify(example).replace(`"${url}"`, '"ftp://example.com/file"'));
          const { param, message } = refuse(entry, body);
          expect([param, message]).toEqual([field, expect.stringContaining(field)]);
        }
      }
    });

    it('has the prompt and the images reviewed if, and only if, the caller asks for it, which is refused where there is no review', () => {
      for (const example of entry.examples) {
        const asked = { ...example, nsfw_check: true };
        expect(entry.moderate(accept(entry, example).input)).toBeUndefined();
        if (!properties['nsfw_check']) {
          expect(refuse(entry, asked).param).toBe('nsfw_check');
          continue;
        }
        const { input } = accept(entry, asked);
        const images = entry.media(input).filter(({ role }) => role === 'image');
        const prompt = typeof input['prompt'] === 'string' ? { prompt: input['prompt'] } : {};
        const something = images.length > 0 || 'prompt' in prompt;
        expect(entry.moderate(input)).toEqual(something ? { ...prompt, images } : undefined);
      }
    });

    function expectRising(field: string, values: readonly Json[]): void {
      for (const example of entry.examples) {
        expectSorted(variants(example, field, values).map((input) => entry.reserve(input, ratesOf(input))));
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
        return { field, role, contentType: 'image/png', bytes: Buffer.alloc(0), width: 1200, height: 800, seconds: 5 };
      });
    }

    /** The quantity of each unit that the reservation covers. */
    function estimate(input: JsonObject): Record<string, number> {
      // Nothing that is used changes the price of a key.
      const units = entry.billing ? [] : Object.keys(entry.defaultPrices);
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

/** Whole numbers that the field takes, rising: a range, up to some, or a list. */
function countsOf({ type, minimum, maximum, enum: choices, anyOf }: JsonObject): number[] {
  if (type !== 'integer') return [];
  if (Array.isArray(choices)) return choices.filter((choice) => typeof choice === 'number');
  if (Array.isArray(anyOf)) return anyOf.filter(isJsonObject).flatMap((branch) => countsOf({ type, ...branch }));
  if (typeof minimum !== 'number' || typeof maximum !== 'number') return [];
  const last = Math.min(maximum, minimum + MAX_COUNT_TRIED);
  return Array.from({ length: last - minimum + 1 }, (_, step) => minimum + step);
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
      // A length that the upstream chooses has no estimate: whatever it reports is held to the limit.
      seconds: fc.nat(100),
      cached: fc.tuple(fc.float({ min: 0, max: 1, noNaN: true }), fc.float({ min: 0, max: 1, noNaN: true })),
      detailed: fc.boolean(),
    })
    .map(({ images, seconds, text, image, outputTokens, cached, detailed }) => ({
      images,
      seconds,
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

function beginningWith(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?: --|$)`);
}
