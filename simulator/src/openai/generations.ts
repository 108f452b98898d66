import type { Request } from 'express';
import type { Clock } from '../clock';
import { withoutDirectives } from '../faults/directive';
import type { Endpoint, JsonObject } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { compileShape } from '../vendor-call/shape';
import { type ImageJob, runImageJob } from './image-job';
import { readJsonBody } from './json-body';
import { imageParameterShapes, resolveParameters, shapeRefusal } from './parameters';
import { resolveSize } from './size';

const MAX_BODY_BYTES = 1024 * 1024;

const checkShape = compileShape({
  type: 'object',
  required: ['model', 'prompt'],
  additionalProperties: false,
  properties: imageParameterShapes,
});

/** `POST /v1/images/generations`. */
export function createGenerations({ clock }: { clock: Clock }): Endpoint<JsonObject, ImageJob> {
  return {
    read: (request: Request) => readJsonBody(request, MAX_BODY_BYTES),
    describe: (_request, body) => ({ model: textOf(body['model']), prompt: textOf(body['prompt']) }),
    async prepare(body) {
      const shape = checkShape(body);
      if (!shape.ok) throw shapeRefusal(shape.error);
      const resolved = resolveParameters(shape.value);
      const prompt = withoutDirectives(shape.value.prompt);
      const canvas = resolveSize(resolved.size, { prompt, firstImage: undefined });
      return { ...resolved, ...canvas, prompt, inputs: [], createdAtMs: clock.now() };
    },
    run: runImageJob,
  };
}
