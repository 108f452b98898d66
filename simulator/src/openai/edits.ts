import type { Request } from 'express';
import type { Clock } from '../clock';
import { withoutDirectives } from '../faults/directive';
import type { ImageSource } from '../media/image-source';
import type { Endpoint, JsonObject } from '../vendor-call/contract';
import { type Form, readForm } from '../vendor-call/form';
import { textOf } from '../vendor-call/request-body';
import { compileShape, type Fields } from '../vendor-call/shape';
import { readFormUploads, readLinkedUploads, type Uploads } from './edit-uploads';
import { type ImageJob, runImageJob } from './image-job';
import { checkImages, checkMask } from './input-images';
import { readJsonBody, tooLarge } from './json-body';
import { imageParameterShapes, resolveParameters, shapeRefusal } from './parameters';
import { resolveSize } from './size';
import { invalidRequest } from './wire';

/** Sixteen data URLs of 20,971,520 characters would be more than a test needs; this holds a handful. */
const MAX_JSON_BYTES = 128 * 1024 * 1024;
const MAX_FORM_BYTES = 256 * 1024 * 1024;

export type EditBody = { form: Form } | { json: JsonObject };

const editParameterShapes = { ...imageParameterShapes, input_fidelity: { enum: ['high', 'low', null] } } as const;

const checkForm = compileShape({
  type: 'object',
  required: ['model', 'prompt'],
  additionalProperties: false,
  properties: editParameterShapes,
});

const linkedImage = {
  type: 'object',
  additionalProperties: false,
  properties: { image_url: { type: 'string', maxLength: 20_971_520 }, file_id: { type: 'string' } },
} as const;
const jsonShapes = {
  ...editParameterShapes,
  images: { type: 'array', minItems: 1, maxItems: 16, items: linkedImage },
  mask: { ...linkedImage, type: ['object', 'null'] },
} as const;
type EditParameters = Fields<typeof jsonShapes, 'model' | 'prompt'>;

const checkJson = compileShape({
  type: 'object',
  required: ['model', 'prompt', 'images'],
  additionalProperties: false,
  properties: jsonShapes,
});

/** `POST /v1/images/edits`, as a multipart form with files or as JSON with links. */
export function createEdits({ clock, bringIn }: { clock: Clock; bringIn: ImageSource }): Endpoint<EditBody, ImageJob> {
  return {
    async read(request: Request) {
      if (!request.is('multipart/form-data')) return { json: await readJsonBody(request, MAX_JSON_BYTES) };
      const broken = () => invalidRequest(null, null, 'Could not parse multipart form.');
      return { form: await readForm(request, { maxBytes: MAX_FORM_BYTES, tooLarge, broken }) };
    },
    describe(_request, body) {
      const fields = 'form' in body ? body.form.fields : body.json;
      return { model: textOf(fields['model']), prompt: textOf(fields['prompt']) };
    },
    async prepare(body) {
      const parameters = readParameters(body);
      const resolved = resolveParameters(parameters);
      refuseInputFidelity(parameters);
      const uploads = await readUploads(body, parameters, bringIn);
      const inputs = await checkImages(uploads.images);
      const mask = uploads.mask && (await checkMask(uploads.mask, inputs));
      const prompt = withoutDirectives(parameters.prompt);
      const canvas = resolveSize(resolved.size, { prompt, firstImage: inputs[0] });
      return { ...resolved, ...canvas, prompt, inputs, mask, createdAtMs: clock.now() };
    },
    run: runImageJob,
  };
}

function readParameters(body: EditBody): EditParameters {
  const shape = 'form' in body ? checkForm(typedFields(body.form.fields)) : checkJson(body.json);
  if (!shape.ok) throw shapeRefusal(shape.error);
  return shape.value;
}

async function readUploads(body: EditBody, parameters: EditParameters, bringIn: ImageSource): Promise<Uploads> {
  if ('form' in body) return readFormUploads(body.form.files);
  return readLinkedUploads({ images: parameters.images ?? [], mask: parameters.mask ?? undefined }, bringIn);
}

/** A form carries text only: what should be a number or a boolean is read as one, the rest is left for the check. */
function typedFields(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typedField(name, textOf(value))]));
}

function typedField(name: string, text: string): unknown {
  if (integerFields.has(name) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (name === 'stream' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

const integerFields = new Set(['n', 'output_compression', 'partial_images']);

/** These models always look at their input closely, and say so instead of ignoring the parameter. */
function refuseInputFidelity(parameters: EditParameters): void {
  if (parameters.input_fidelity == null) return;
  const message = `The model '${parameters.model}' does not support the 'input_fidelity' parameter.`;
  throw invalidRequest('input_fidelity', 'invalid_input_fidelity_model', message);
}
