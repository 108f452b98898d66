import { createHash } from 'node:crypto';
import { isBase64, warnOfUnknownFields } from '@mediagate/catalog';
import { isJsonObject, type Json, type JsonObject, type Message } from '@mediagate/contracts';
import { missing } from '../../../use-cases/invalid';
import { FieldReader } from '../openai/field-reader';
import { requireSound } from '../openai/text-options';
import { fieldOfBody, readImageConfig } from './image-config';

export interface ImageRequest {
  body: JsonObject;
  /** By the address that stands for each in the body. */
  files: Map<string, Buffer>;
  /** Fields, texts and images that were ignored. */
  warnings: Message[];
  /** Names a field of the model as the body called it. */
  fieldOf(name: string): string;
}

/** Fields of a part that add no content to it. */
const ANNOTATIONS = ['thought', 'thoughtSignature', 'thought_signature', 'mediaResolution', 'media_resolution'];
const IMAGE_FIELDS = ['inlineData', 'inline_data'];
const CONTENT_FIELDS = ['text', ...IMAGE_FIELDS, ...ANNOTATIONS];
const INSTRUCTION_FIELDS = ['text', ...ANNOTATIONS];

/**
 * The user's last turn is the prompt; an edit without an image of its own is one of what the model has made.
 *
 * @throws GatewayError `invalid_request`: no prompt, or parts of other kinds than texts and images.
 */
export async function readImageRequest(sent: JsonObject): Promise<ImageRequest> {
  const fields = new FieldReader({ takeMemory: () => undefined, imageTypes: () => [] });
  const instruction = readParts(sent['systemInstruction'] ?? sent['system_instruction'] ?? {}, 'systemInstruction', {
    known: INSTRUCTION_FIELDS,
    fields,
  });
  const turns = readTurns(sent['contents'], fields);
  const last = turns.findLast(({ role }) => role !== 'model')?.parts ?? [];
  const made = turns.findLast(({ role }) => role === 'model')?.parts ?? [];
  const { config, ignored } = readImageConfig(sent, fields);
  await requireSound(fields, 'contents', 'inlineData');
  const prompt = [...instruction, ...last].flatMap(({ text }) => text ?? []).join('\n');
  if (prompt.trim() === '') throw missing('contents', 'required');
  const edited = imagesOf(last).length > 0 ? imagesOf(last) : imagesOf(made);
  const parts = turns.flatMap((turn) => turn.parts);
  const used = new Set<Part | Image>([...last, ...edited]);
  const earlier = parts.filter((part) => part.text !== undefined && !used.has(part));
  const unused = imagesOf(parts).filter((image) => !used.has(image));
  const decoded = edited.map(({ param, data }) => ({ param: `${param}.data`, file: decode(data) }));
  const files = new Map(decoded.map(({ file }) => file));
  const params = new Map(decoded.toReversed().map(({ param, file: [address] }) => [address, param]));
  const places = [...files.keys()].map((address) => params.get(address) ?? 'contents');
  const images = files.size === 0 ? {} : { image_urls: [...files.keys()] };
  const names = [...ignored, ...earlier.map(({ param }) => `${param}.text`), ...unused.map(({ param }) => param)];
  const warnings = warnOfUnknownFields(names);
  return { body: { prompt, ...images, ...config }, files, warnings, fieldOf: (name) => fieldOfBody(name, places) };
}

interface Part {
  param: string;
  text: string | undefined;
  image: Image | undefined;
}

interface Image {
  param: string;
  data: string;
}

function readTurns(contents: Json | undefined, fields: FieldReader): { role: Json | undefined; parts: Part[] }[] {
  return fields.list(contents, 'contents', Number.POSITIVE_INFINITY).map((turn, index) => {
    const param = `contents[${index}]`;
    const role = isJsonObject(turn) ? turn['role'] : undefined;
    return { role, parts: readParts(turn, param, { known: CONTENT_FIELDS, fields }) };
  });
}

interface Reading {
  /** Fields that a part may have. */
  known: readonly string[];
  fields: FieldReader;
}

function readParts(turn: Json, param: string, { known, fields }: Reading): Part[] {
  const parts = fields.object(turn, param)?.['parts'] ?? [];
  const list = fields.list(isJsonObject(parts) ? [parts] : parts, `${param}.parts`, Number.POSITIVE_INFINITY);
  return list.flatMap((value, index) => {
    const at = `${param}.parts[${index}]`;
    const part = fields.object(value, at);
    if (part === undefined) return [];
    const given = Object.keys(part).filter((name) => part[name] !== null);
    for (const name of given) if (!known.includes(name)) fields.unsupported(`${at}.${name}`);
    const text = part['text'] ?? undefined;
    const imageField = given.find((name) => IMAGE_FIELDS.includes(name));
    return [
      {
        param: at,
        text: text === undefined ? undefined : fields.text(text, `${at}.text`),
        image: imageField === undefined ? undefined : readImage(part[imageField], `${at}.${imageField}`, fields),
      },
    ];
  });
}

function readImage(value: Json | undefined, param: string, fields: FieldReader): Image | undefined {
  const data = fields.text(fields.object(value, param)?.['data'], `${param}.data`);
  if (data === undefined) return undefined;
  return isBase64(data) ? { param, data } : fields.invalid(`${param}.data`, 'must_be_base64');
}

function imagesOf(parts: readonly Part[]): Image[] {
  return parts.flatMap(({ image }) => image ?? []);
}

function decode(base64: string): [address: string, bytes: Buffer] {
  const bytes = Buffer.from(base64, 'base64');
  return [`https://attached.invalid/${createHash('sha256').update(bytes).digest('hex')}`, bytes];
}
