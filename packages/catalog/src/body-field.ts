import { isJsonObject, type JsonObject, type MediaReference } from '@mediagate/contracts';
import type { NamedAddress } from './entry';

/** Parts of requests that bodies call otherwise; of several names that of the model counts. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  aspectRatio: ['aspect_ratio', 'size'],
  description: ['gpt_description', 'prompt'],
  elements: ['element_list'],
  end: ['end_s'],
  fadeIn: ['fade_in_s'],
  fadeOut: ['fade_out_s'],
  format: ['response_format'],
  parent: ['task_id'],
  resolution: ['resolution', 'mode', 'size'],
  rewriteFast: ['fast_pretreatment'],
  rewritePrompt: ['prompt_extend', 'prompt_optimizer'],
  seconds: ['duration'],
  shots: ['multi_prompt'],
  soundType: ['type', 'loop'],
  source: ['task_id'],
  start: ['start_s'],
  subjects: ['ref_images'],
  weirdness: ['weirdness_constraint'],
  zoom: ['zoom_ratio'],
};

interface Body {
  request: JsonObject;
  /** Names of the model's fields. */
  fields: ReadonlySet<string>;
  files: readonly (MediaReference | NamedAddress)[];
}

/**
 * Where the body says what a part of the request does. The part is a field of the request, the role of one of its inputs, or
 * a file by its name in the body. Undefined: nowhere.
 */
export function bodyField(part: string, { request, fields, files }: Body): string | undefined {
  if (files.some(({ field }) => field === part)) return part;
  const names = [...(NAMES[part] ?? []), snakeCase(part)];
  return names.find((name) => fields.has(name)) ?? fieldOfRole(part, request, files);
}

function fieldOfRole(role: string, { inputs }: JsonObject, files: Body['files']): string | undefined {
  if (!Array.isArray(inputs)) return undefined;
  const input = inputs.filter(isJsonObject).find((each) => each['role'] === role);
  return files.find(({ url }) => url === input?.['url'])?.field;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
