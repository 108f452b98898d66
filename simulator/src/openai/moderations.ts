import type { Request } from 'express';
import { type ImageSource, ImageSourceError } from '../media/image-source';
import { inspectImage } from '../media/inspect-image';
import { type Call, type JsonObject, type Question, Refusal } from '../vendor-call/contract';
import { isJsonObject, textOf } from '../vendor-call/request-body';
import { compileShape } from '../vendor-call/shape';
import { readJsonBody } from './json-body';
import { shapeRefusal } from './parameters';
import { invalidRequest, openaiError } from './wire';

const categories = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
] as const;

type Category = (typeof categories)[number];

/** The categories that the vendor scores an image for. */
const imageCategories: readonly Category[] = categories.filter(
  (category) => category === 'sexual' || category.startsWith('self-harm') || category.startsWith('violence'),
);

/** Words that stand for what a real classifier would find in a text. */
const words: [pattern: RegExp, flagged: Category[]][] = [
  [/\b(?:kill|murder|massacre|slaughter)\w*/i, ['violence']],
  [/\b(?:gore|dismember\w*|beheading)\b/i, ['violence', 'violence/graphic']],
  [/\b(?:porn\w*|nsfw|nude|naked)\b/i, ['sexual']],
  [/\bsuicide\b/i, ['self-harm', 'self-harm/intent']],
  [/\b(?:bomb-making|meth recipe)\b/i, ['illicit', 'illicit/violent']],
  [/\bhateful slur\b/i, ['hate', 'harassment']],
];

function flaggedCategories(text: string): Category[] {
  const found = words.filter(([pattern]) => pattern.test(text)).flatMap(([, flagged]) => flagged);
  return categories.filter((category) => found.includes(category));
}

/** `sexual+violence` as categories; `violence` for a text that names none. */
function readCategories(text: string): Category[] {
  const named = text.split('+');
  const known = categories.filter((category) => named.includes(category));
  return known.length > 0 ? known : ['violence'];
}

interface TextPart {
  type: 'text';
  text: string;
}

interface ImagePart {
  type: 'image_url';
  image_url: { url: string };
}

interface ModerationBody {
  model?: string;
  input: string | string[] | (TextPart | ImagePart)[];
}

export const MODERATION_MODELS = ['omni-moderation-latest', 'omni-moderation-2024-09-26'];
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const MAX_INPUTS = 64;

const checkShape = compileShape<object, ModerationBody>({
  type: 'object',
  required: ['input'],
  additionalProperties: false,
  properties: {
    model: { type: 'string' },
    input: {
      type: ['string', 'array'],
      minLength: 1,
      minItems: 1,
      maxItems: MAX_INPUTS,
      items: {
        type: ['string', 'object'],
        required: ['type'],
        properties: {
          type: { enum: ['text', 'image_url'] },
          text: { type: 'string' },
          image_url: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
        },
      },
    },
  },
});

/** `POST /v1/moderations`. Costs nothing, so the journal has it as no start of work. */
export function createModerations(bringIn: ImageSource): Question<JsonObject> {
  return {
    operation: 'moderation',
    find: (request: Request) => readJsonBody(request, MAX_BODY_BYTES),
    about: (body) => ({ model: textOf(body['model']) || 'omni-moderation-latest', prompt: wordsOf(body), body }),
    answer: (body, call) => moderate(checkBody(body), { bringIn, call }),
  };
}

function checkBody(body: JsonObject): Required<ModerationBody> {
  const shape = checkShape(body);
  if (!shape.ok) throw shapeRefusal(shape.error);
  const { model = 'omni-moderation-latest', input } = shape.value;
  if (MODERATION_MODELS.includes(model)) return { model, input };
  const message = `The model '${model.slice(0, 60)}' does not exist or you do not have access to it.`;
  const fault = { message, type: 'invalid_request_error', param: 'model', code: 'model_not_found' };
  throw new Refusal(openaiError(404, fault));
}

async function moderate(
  { model, input }: Required<ModerationBody>,
  { bringIn, call }: { bringIn: ImageSource; call: Call },
) {
  const flag = call.faults.take('flag');
  const asked = flag && readCategories(flag.value);
  const results: JsonObject[] = [];
  for (const parts of inputsOf(input)) {
    const texts = parts.filter((part) => part.type === 'text').map(({ text }) => text);
    const links = parts.filter((part) => part.type === 'image_url').map(({ image_url: image }) => image.url);
    for (const link of links) await checkImage(link, bringIn);
    const flagged = asked ?? flaggedCategories(texts.join(' '));
    results.push(result({ flagged, hasText: texts.length > 0, hasImage: links.length > 0 }));
  }
  const id = `modr-${call.requestId.slice(-24)}`;
  return { status: 200, body: spoil({ id, model, results }, call) };
}

/** A list of texts is many inputs; a list of parts is one. */
function inputsOf(input: ModerationBody['input']): (TextPart | ImagePart)[][] {
  const text = (words: string): TextPart[] => [{ type: 'text', text: words }];
  if (typeof input === 'string') return [text(input)];
  const parts = input.filter((item) => typeof item !== 'string');
  const texts = input.filter((item) => typeof item === 'string');
  if (parts.length > 0 && texts.length > 0) throw invalidRequest('input', null, 'texts and parts cannot be mixed');
  const images = parts.filter(({ type }) => type === 'image_url');
  if (images.length > 1) throw invalidRequest('input', 'too_many_images', 'At most one image is supported.');
  for (const part of parts) {
    const filled = part.type === 'text' ? typeof part.text === 'string' : part.image_url !== undefined;
    if (!filled) throw invalidRequest('input', null, `A part of type ${part.type} lacks its content.`);
  }
  return parts.length > 0 ? [parts] : texts.map(text);
}

async function checkImage(link: string, bringIn: ImageSource): Promise<void> {
  const refuse = (reason: string) => invalidRequest('input', 'invalid_image_url', `Invalid image: ${reason}.`);
  const { bytes } = await bringIn(link, MAX_IMAGE_BYTES).catch((error: unknown) => {
    throw error instanceof ImageSourceError ? refuse(error.message) : error;
  });
  if (!(await inspectImage(bytes))) throw refuse('it cannot be decoded');
}

const FLAGGED_SCORE = 0.97;
const CLEAN_SCORE = 0.000_02;

function result({
  flagged,
  hasText,
  hasImage,
}: {
  flagged: Category[];
  hasText: boolean;
  hasImage: boolean;
}): JsonObject {
  // An image is not scored for every category, so a flag of another needs words.
  const counted = flagged.filter((category) => hasText || imageCategories.includes(category));
  const each = <T>(value: (category: Category) => T) =>
    Object.fromEntries(categories.map((category) => [category, value(category)]));
  return {
    flagged: counted.length > 0,
    categories: each((category) => counted.includes(category)),
    category_scores: each((category) => (counted.includes(category) ? FLAGGED_SCORE : CLEAN_SCORE)),
    category_applied_input_types: each((category) => [
      ...(hasText ? ['text'] : []),
      ...(hasImage && imageCategories.includes(category) ? ['image'] : []),
    ]),
  };
}

function spoil(body: JsonObject & { results: JsonObject[] }, { faults }: Call): JsonObject {
  if (faults.take('empty-result')) return { ...body, results: [] };
  if (faults.take('wrong-type')) return { ...body, results: [{ flagged: 'maybe' }] };
  return body;
}

/** All texts of the input, for rules, directives and the journal. */
function wordsOf({ input }: JsonObject): string {
  const items: unknown[] = Array.isArray(input) ? input : [input];
  return items
    .map((item) => (isJsonObject(item) ? textOf(item['text']) : textOf(item)))
    .join(' ')
    .trim();
}
