import type { ErrorObject } from 'ajv';
import type { Refusal } from '../vendor-call/contract';
import { isJsonObject } from '../vendor-call/request-body';
import { closedObject, compileShape, type Of, pathOf } from '../vendor-call/shape';
import { invalidArgument } from './wire';

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const integer = { type: 'integer' } as const;
const boolean = { type: 'boolean' } as const;
const anyObject = { type: 'object' } as const;
const anyObjects = { type: 'array', items: anyObject } as const;

const part = closedObject({
  text,
  inlineData: closedObject({ mimeType: text, data: text }, ['mimeType', 'data']),
  fileData: closedObject({ mimeType: text, fileUri: text }, ['fileUri']),
  functionCall: anyObject,
  functionResponse: closedObject({ id: text, name: text, response: anyObject }, ['name', 'response']),
  videoMetadata: anyObject,
  thought: boolean,
  thoughtSignature: text,
});

const content = closedObject(
  { role: { enum: ['user', 'model', 'function'] }, parts: { type: 'array', minItems: 1, items: part } },
  ['parts'],
);

const generationConfig = closedObject({
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
  thinkingConfig: closedObject({ includeThoughts: boolean, thinkingBudget: integer, thinkingLevel: text }),
  imageConfig: closedObject({ aspectRatio: text, imageSize: text }),
});

const instruction = closedObject({ role: text, parts: { type: 'array', minItems: 1, items: part } }, ['parts']);

const declaration = closedObject(
  {
    name: text,
    description: text,
    parameters: anyObject,
    parametersJsonSchema: anyObject,
    response: anyObject,
    responseJsonSchema: anyObject,
  },
  ['name'],
);

const tool = closedObject({
  functionDeclarations: { type: 'array', items: declaration },
  googleSearch: anyObject,
  googleSearchRetrieval: anyObject,
  codeExecution: anyObject,
  urlContext: anyObject,
});

const callingConfig = closedObject({
  mode: { enum: ['AUTO', 'ANY', 'NONE', 'VALIDATED'] },
  allowedFunctionNames: { type: 'array', items: text },
});
const toolConfig = closedObject({ functionCallingConfig: callingConfig, retrievalConfig: anyObject });

const requestSchema = closedObject(
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

const checkShape = compileShape(requestSchema);

/** The part of `GenerateContentRequest` that is the same for every kind of model. */
export type GenerateContentRequest = Of<typeof requestSchema>;
export type Content = Of<typeof content>;
export type Part = Of<typeof part>;
export type GenerationConfig = Of<typeof generationConfig>;
export type Tool = Of<typeof tool>;
export type FunctionDeclaration = Of<typeof declaration>;
export type FunctionCallingConfig = Of<typeof callingConfig>;

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
  properties?: Record<string, object>;
  items?: object;
}

/** Proto JSON takes a field under its name in the proto too: `system_instruction`. What a caller names itself stays. */
function camelNames(value: unknown, schema: object): unknown {
  const { items, properties }: Schema = schema;
  if (Array.isArray(value) && items) {
    return value.map((item) => camelNames(item, items));
  }
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
