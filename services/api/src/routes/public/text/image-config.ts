import { createNameFinder, isSent } from '@mediagate/catalog';
import { type Json, type JsonObject, listed } from '@mediagate/contracts';
import type { FieldReader } from '../openai/field-reader';

/** Fields that change the image: where each stands, and what the model calls it. */
const FIELDS = {
  candidate_count: { path: 'generationConfig.candidateCount', own: 'n' },
  aspect_ratio: { path: 'generationConfig.imageConfig.aspectRatio', own: 'size' },
  image_size: { path: 'generationConfig.imageConfig.imageSize', own: 'resolution' },
} as const;
const CONFIG = namesOf('candidate_count');
const IMAGE_CONFIG = namesOf('aspect_ratio', 'image_size');
const READ = ['contents', 'systemInstruction', 'system_instruction', 'generationConfig', 'generation_config', 'model'];
const READ_OF_CONFIG = ['imageConfig', 'image_config', 'responseModalities', 'response_modalities'];

const findName = createNameFinder(FIELDS, { count: 'candidate_count' });
/** Fields in another place than their own, and those that this interface has no field for. */
const MEANT = new Map<string, readonly string[]>([
  ...Object.entries({ ...CONFIG, ...IMAGE_CONFIG }).map(([name, { path }]) => [name, [path]] as const),
  ['webhook', []],
  ['max_cost', ['Max-Cost']],
  ['maxCost', ['Max-Cost']],
  ['expires_in', []],
]);

/** Where a field stands that is meant by another name, or in another place. Without it another image would be made; undefined: it is unknown. */
function meantBy(name: string): readonly string[] | undefined {
  return MEANT.get(name) ?? findName(name)?.flatMap(pathsOf);
}

/** Reads what is asked beside the prompt, and names the fields that are not read. */
export function readImageConfig(sent: JsonObject, fields: FieldReader): { config: JsonObject; ignored: string[] } {
  const config: JsonObject = {};
  const ignored: string[] = [];
  const ignore = (from: JsonObject, name: string, path: string) => {
    const meant = meantBy(name);
    if (meant !== undefined && isSent(from, name)) refuse(path, meant, fields);
    else ignored.push(path);
  };
  for (const name of Object.keys(sent)) if (!READ.includes(name)) ignore(sent, name, name);
  const take = (from: JsonObject, param: string, names: Readonly<Record<string, Field>>) => {
    for (const [name, value] of Object.entries(from)) {
      const field = Object.hasOwn(names, name) ? names[name] : undefined;
      if (field !== undefined && value !== null) config[field.own] = value as Json;
      else if (value !== null && !READ_OF_CONFIG.includes(name)) ignore(from, name, `${param}.${name}`);
    }
  };
  const generation = fields.object(sent['generationConfig'] ?? sent['generation_config'] ?? {}, 'generationConfig');
  const image = generation?.['imageConfig'] ?? generation?.['image_config'] ?? {};
  take(generation ?? {}, 'generationConfig', CONFIG);
  take(fields.object(image, 'generationConfig.imageConfig') ?? {}, 'generationConfig.imageConfig', IMAGE_CONFIG);
  requireImages(generation?.['responseModalities'] ?? generation?.['response_modalities'], fields);
  return { config, ignored };
}

const PATHS: Readonly<Record<string, string>> = {
  prompt: 'contents',
  max_cost: 'Max-Cost',
  ...Object.fromEntries(Object.values(FIELDS).map(({ own, path }) => [own, path])),
};

/** A field of the model as the body called it; `images`: where each of its images stands. */
export function fieldOfBody(name: string, images: readonly string[]): string {
  const [, field = name, index] = /^(\w+)(?:\[(\d+)\])?/.exec(name) ?? [];
  if (field === 'image_urls') return images[Number(index ?? 0)] ?? 'contents';
  return PATHS[field] ?? name;
}

type Field = (typeof FIELDS)[keyof typeof FIELDS];

/** The fields by the names that clients spell them with: `aspectRatio` and `aspect_ratio`. */
function namesOf(...names: (keyof typeof FIELDS)[]): Record<string, Field> {
  return Object.fromEntries(
    names.flatMap((name) => [FIELDS[name].path.split('.').at(-1), name].map((spelt) => [spelt, FIELDS[name]])),
  );
}

function pathsOf(name: string): string[] {
  return Object.hasOwn(FIELDS, name) ? [FIELDS[name as keyof typeof FIELDS].path] : [];
}

function refuse(param: string, paths: readonly string[], fields: FieldReader): void {
  if (paths.length === 0) fields.unsupported(param);
  else fields.otherName(param, listed('or', paths));
}

/** An answer of texts alone would be an image that nobody asked for. */
function requireImages(modalities: Json | undefined, fields: FieldReader): void {
  if (modalities === undefined || modalities === null || (Array.isArray(modalities) && modalities.length === 0)) return;
  if (!Array.isArray(modalities) || !modalities.some((word) => typeof word === 'string' && /^image$/i.test(word)))
    fields.invalid('generationConfig.responseModalities', 'must_be_one_of', { values: 'IMAGE, TEXT + IMAGE' });
}
