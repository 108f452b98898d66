import type { Request } from 'express';
import type { Clock } from '../clock';
import { withoutDirectives } from '../faults/directive';
import type { Endpoint, JsonObject } from '../vendor-call/contract';
import { type Form, readForm } from '../vendor-call/form';
import { textOf } from '../vendor-call/request-body';
import { compileShape, type Fields } from '../vendor-call/shape';
import { readFormUploads } from './edit-uploads';
import { type ImageJob, runImageJob } from './image-job';
import { checkImages, checkMask } from './input-images';
import { tooLarge } from './json-body';
import { imageParameterShapes, resolveParameters, shapeRefusal } from './parameters';
import { resolveSize } from './size';
import { invalidRequest } from './wire';

const MAX_FORM_BYTES = 256 * 1024 * 1024;

const editParameterShapes = { ...imageParameterShapes, input_fidelity: { enum: ['high', 'low', null] } } as const;
type EditParameters = Fields<typeof editParameterShapes, 'model' | 'prompt'>;

const checkForm = compileShape({
  type: 'object',
  required: ['model', 'prompt'],
  additionalProperties: false,
  properties: editParameterShapes,
});

/** `POST /v1/images/edits`, as a multipart form with files. */
export function createEdits({ clock }: { clock: Clock }): Endpoint<Form, ImageJob> {
  return {
    read(request: Request) {
      const broken = () => invalidRequest(null, null, 'Could not parse multipart form.');
      return readForm(request, { maxBytes: MAX_FORM_BYTES, tooLarge, broken });
    },
    describe: (_request, { fields }) => ({ model: textOf(fields['model']), prompt: textOf(fields['prompt']) }),
    async prepare(form) {
      const parameters = readParameters(form);
      const resolved = resolveParameters(parameters);
      refuseInputFidelity(parameters);
      const uploads = readFormUploads(form.files);
      const inputs = await checkImages(uploads.images);
      if (uploads.mask) await checkMask(uploads.mask, inputs);
      const prompt = withoutDirectives(parameters.prompt);
      const canvas = resolveSize(resolved.size, { prompt, firstImage: inputs[0] });
      return { ...resolved, ...canvas, prompt, inputs, createdAtMs: clock.now() };
    },
    run: runImageJob,
  };
}

function readParameters({ fields }: Form): EditParameters {
  const shape = checkForm(typedFields(fields));
  if (!shape.ok) throw shapeRefusal(shape.error);
  return shape.value;
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
