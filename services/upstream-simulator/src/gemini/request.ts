import type { ErrorObject } from 'ajv';
import type { Refusal } from '../vendor-call/contract';
import { compileShape, pathOf } from '../vendor-call/shape';
import { invalidArgument } from './wire';

/** The part of `GenerateContentRequest` that is the same for every kind of model. */
export interface GenerateContentRequest {
  contents: Content[];
  systemInstruction?: Content;
  generationConfig?: GenerationConfig;
  tools?: object[];
}

export interface Content {
  role?: 'user' | 'model';
  parts: Part[];
}

export interface Part {
  text?: string;
  inlineData?: { mimeType: string; data: string };
  fileData?: { mimeType?: string; fileUri: string };
}

export interface GenerationConfig {
  responseModalities?: ('TEXT' | 'IMAGE' | 'AUDIO')[];
  imageConfig?: { aspectRatio?: string; imageSize?: string };
  candidateCount?: number;
  seed?: number;
}

const text = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const anyObject = { type: 'object' };
const anyObjects = { type: 'array', items: anyObject };

/** Proto JSON knows every field by name and refuses others. */
const message = (properties: Record<string, object>, required: string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});

const part = message({
  text,
  inlineData: message({ mimeType: text, data: text }, ['mimeType', 'data']),
  fileData: message({ mimeType: text, fileUri: text }, ['fileUri']),
  functionCall: anyObject,
  functionResponse: anyObject,
  thought: boolean,
  thoughtSignature: text,
});

const content = message({ role: { enum: ['user', 'model'] }, parts: { type: 'array', minItems: 1, items: part } }, [
  'parts',
]);

const generationConfig = message({
  temperature: number,
  topP: number,
  topK: number,
  candidateCount: integer,
  maxOutputTokens: integer,
  stopSequences: { type: 'array', items: text },
  presencePenalty: number,
  frequencyPenalty: number,
  seed: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  responseMimeType: text,
  responseSchema: anyObject,
  responseJsonSchema: anyObject,
  responseModalities: { type: 'array', items: { enum: ['TEXT', 'IMAGE', 'AUDIO'] } },
  thinkingConfig: anyObject,
  imageConfig: message({ aspectRatio: text, imageSize: text }),
});

const checkShape = compileShape<GenerateContentRequest>(
  message(
    {
      model: text,
      contents: { type: 'array', minItems: 1, items: content },
      systemInstruction: content,
      generationConfig,
      safetySettings: anyObjects,
      tools: anyObjects,
      toolConfig: anyObject,
      cachedContent: text,
    },
    ['contents'],
  ),
);

/** The typed request; throws the vendor's refusal of the first fault. */
export function checkRequest(body: unknown): GenerateContentRequest {
  const shape = checkShape(body);
  if (!shape.ok) throw shapeRefusal(shape.error);
  for (const [index, { parts }] of shape.value.contents.entries()) {
    const empty = parts.findIndex((candidate) => Object.keys(candidate).length === 0);
    if (empty !== -1) {
      const field = `contents[${index}].parts[${empty}].data`;
      throw invalidArgument(
        `* GenerateContentRequest.${field}: required oneof field 'data' must have one initialized field\n`,
      );
    }
  }
  return shape.value;
}

function shapeRefusal(error: ErrorObject): Refusal {
  const steps = pathOf(error).map(protoName);
  const field = joinPath(steps);
  switch (error.keyword) {
    case 'additionalProperties': {
      const place = steps.length > 1 ? ` at '${joinPath(steps.slice(0, -1))}'` : '';
      return invalidArgument(
        `Invalid JSON payload received. Unknown name "${error.params['additionalProperty']}"${place}: Cannot find field.`,
        field,
      );
    }
    case 'required':
    case 'minItems':
      return invalidArgument(`* GenerateContentRequest.${field}: ${field} is not specified\n`);
    default:
      return invalidArgument(`Invalid value at '${field}': ${error.message ?? 'unexpected value'}`, field);
  }
}

function joinPath(steps: string[]): string {
  return steps.reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), '');
}

/** `imageConfig` as the error messages call it: `image_config`. */
function protoName(step: string): string {
  return step.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}
