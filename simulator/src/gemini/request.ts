import type { ErrorObject } from 'ajv';
import type { JsonObject, Refusal } from '../vendor-call/contract';
import { isJsonObject } from '../vendor-call/request-body';
import { compileShape, pathOf } from '../vendor-call/shape';
import { invalidArgument } from './wire';

/** The part of `GenerateContentRequest` that is the same for every kind of model. */
export interface GenerateContentRequest {
  contents: Content[];
  systemInstruction?: Content;
  generationConfig?: GenerationConfig;
  tools?: Tool[];
  toolConfig?: { functionCallingConfig?: FunctionCallingConfig };
}

export interface Tool {
  functionDeclarations?: FunctionDeclaration[];
}

export interface FunctionDeclaration {
  name: string;
  parameters?: JsonObject;
  parametersJsonSchema?: JsonObject;
}

export interface FunctionCallingConfig {
  mode?: 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED';
  allowedFunctionNames?: string[];
}

export interface Content {
  role?: 'user' | 'model' | 'function';
  parts: Part[];
}

export interface Part {
  text?: string;
  inlineData?: { mimeType: string; data: string };
  fileData?: { mimeType?: string; fileUri: string };
  functionResponse?: { name: string; response: JsonObject };
}

export interface GenerationConfig {
  responseModalities?: ('TEXT' | 'IMAGE' | 'AUDIO')[];
  imageConfig?: { aspectRatio?: string; imageSize?: string };
  candidateCount?: number;
  maxOutputTokens?: number;
  stopSequences?: string[];
  responseMimeType?: string;
  responseSchema?: JsonObject;
  responseJsonSchema?: JsonObject;
  thinkingConfig?: { thinkingBudget?: number; includeThoughts?: boolean };
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
  functionResponse: message({ id: text, name: text, response: anyObject }, ['name', 'response']),
  videoMetadata: anyObject,
  thought: boolean,
  thoughtSignature: text,
});

const content = message(
  { role: { enum: ['user', 'model', 'function'] }, parts: { type: 'array', minItems: 1, items: part } },
  ['parts'],
);

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
  responseLogprobs: boolean,
  logprobs: integer,
  enableEnhancedCivicAnswers: boolean,
  mediaResolution: text,
  speechConfig: anyObject,
  responseModalities: { type: 'array', items: { enum: ['TEXT', 'IMAGE', 'AUDIO'] } },
  thinkingConfig: message({ includeThoughts: boolean, thinkingBudget: integer, thinkingLevel: text }),
  imageConfig: message({ aspectRatio: text, imageSize: text }),
});

const instruction = message({ role: text, parts: { type: 'array', minItems: 1, items: part } }, ['parts']);

const tool = message({
  functionDeclarations: {
    type: 'array',
    items: message(
      {
        name: text,
        description: text,
        parameters: anyObject,
        parametersJsonSchema: anyObject,
        response: anyObject,
        responseJsonSchema: anyObject,
      },
      ['name'],
    ),
  },
  googleSearch: anyObject,
  googleSearchRetrieval: anyObject,
  codeExecution: anyObject,
  urlContext: anyObject,
});

const toolConfig = message({
  functionCallingConfig: message({
    mode: { enum: ['AUTO', 'ANY', 'NONE', 'VALIDATED'] },
    allowedFunctionNames: { type: 'array', items: text },
  }),
  retrievalConfig: anyObject,
});

const requestSchema = message(
  {
    model: text,
    contents: { type: 'array', minItems: 1, items: content },
    systemInstruction: instruction,
    generationConfig,
    safetySettings: anyObjects,
    tools: { type: 'array', items: tool },
    toolConfig,
    cachedContent: text,
  },
  ['contents'],
);

const checkShape = compileShape<GenerateContentRequest>(requestSchema);

/** The typed request; throws the vendor's refusal of the first fault. */
export function checkRequest(body: unknown): GenerateContentRequest {
  const shape = checkShape(camelNames(body, requestSchema));
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

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** Proto JSON takes a field under its name in the proto too: `system_instruction`. What a caller names itself stays. */
function camelNames(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value) && schema.items) {
    const { items } = schema;
    return value.map((item) => camelNames(item, items));
  }
  const { properties } = schema;
  if (!properties || !isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => {
    const camel = name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    const known = properties[camel];
    return known ? [camel, camelNames(field, known)] : [name, field];
  });
  return Object.fromEntries(fields);
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
