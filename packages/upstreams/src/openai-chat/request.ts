import { isJsonObject, type Json, type JsonObject, message } from '@mediagate/contracts';
import type { Endpoint, Lack } from '../contract';
import { list, object, text } from '../json-guards';
import { lack } from '../lacks';
import { field } from '../text-request';
import type { TextCall } from '../text-upstream';
import { signLostCalls } from '../thought-signatures';
import { toMessages } from './messages';
import { UncarriedError } from './uncarried';

export type ChatRequest = { ok: true; body: JsonObject } | { ok: false; lack: Lack };

/** A request of the one shape of text as a chat completion of the endpoint's model, or what it cannot carry. */
export function toChatRequest(
  { method, sse, json, parallelToolCalls = true }: TextCall,
  endpoint: Endpoint,
): ChatRequest {
  if (method === 'countTokens') return { ok: false, lack: lack(message('no_such_operation')) };
  try {
    const request = signLostCalls(json, endpoint.model);
    return {
      ok: true,
      body: {
        model: endpoint.model,
        messages: toMessages(request, endpoint.model),
        ...toSampling(object(field(request, 'generationConfig')), endpoint),
        ...toTools(request, parallelToolCalls),
        ...(sse ? { stream: true, stream_options: { include_usage: true } } : {}),
      },
    };
  } catch (error) {
    if (error instanceof UncarriedError) return { ok: false, lack: error.lack };
    throw error;
  }
}

/** By their names in chat completions. */
const SAME: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stopSequences: 'stop',
  candidateCount: 'n',
};
const UNCARRIED = ['responseLogprobs', 'logprobs', 'speechConfig', 'imageConfig'];

function toSampling(config: JsonObject, { options }: Endpoint): JsonObject {
  for (const name of UNCARRIED) if (field(config, name) !== undefined) throw new UncarriedError(name);
  const modalities = list(field(config, 'responseModalities')) ?? [];
  if (modalities.some((each) => String(each).toUpperCase() !== 'TEXT')) throw new UncarriedError('responseModalities');
  const same = Object.entries(SAME).map(([name, theirs]): [string, Json] => [theirs, field(config, name) ?? null]);
  const limit = field(config, 'maxOutputTokens');
  const limitName = text(options['max_tokens_field']) ?? 'max_completion_tokens';
  return {
    ...Object.fromEntries(same.filter(([, value]) => value !== null)),
    ...(limit === undefined || limit === null ? {} : { [limitName]: limit }),
    ...toFormat(config),
    ...toEffort(object(field(config, 'thinkingConfig'))),
  };
}

function toFormat(config: JsonObject): JsonObject {
  const type = text(field(config, 'responseMimeType')) ?? 'text/plain';
  const schema = field(config, 'responseJsonSchema') ?? toJsonSchema(field(config, 'responseSchema'));
  if (type === 'text/plain') return {};
  if (type !== 'application/json') throw new UncarriedError(type);
  if (!isJsonObject(schema)) return { response_format: { type: 'json_object' } };
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } };
}

/** Up to so many tokens of thought, by effort. */
const EFFORTS: readonly [tokens: number, effort: string][] = [
  [0, 'none'],
  [512, 'minimal'],
  [4096, 'low'],
  [16_384, 'medium'],
  [Number.POSITIVE_INFINITY, 'high'],
];

/** A level that is no effort counts as none; a negative budget leaves the effort to the model. */
function toEffort(thinking: JsonObject): JsonObject {
  const [level, budget] = [field(thinking, 'thinkingLevel'), field(thinking, 'thinkingBudget')];
  const named = EFFORTS.find(([, effort]) => effort === text(level)?.toLowerCase());
  const allowed = typeof budget === 'number' && budget >= 0 ? EFFORTS.find(([tokens]) => budget <= tokens) : undefined;
  const [, effort] = named ?? allowed ?? [];
  return effort === undefined ? {} : { reasoning_effort: effort };
}

function toTools(request: JsonObject, parallelToolCalls: boolean): JsonObject {
  if (field(request, 'cachedContent') !== undefined) throw new UncarriedError('cachedContent');
  const declared = (list(field(request, 'tools')) ?? []).map(object).flatMap(declarationsOf);
  const { mode, allowed } = choiceOf(request);
  const functions = allowed === undefined ? declared : declared.filter(({ name }) => allowed.includes(String(name)));
  if (functions.length === 0) return {};
  const [only, ...others] = allowed ?? [];
  const isOne = mode === 'ANY' && only !== undefined && others.length === 0;
  const choice = isOne ? { type: 'function', function: { name: only } } : CHOICES[mode];
  return {
    tools: functions.map((each) => ({ type: 'function', function: each })),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(parallelToolCalls ? {} : { parallel_tool_calls: false }),
  };
}

const CHOICES: Readonly<Record<string, string>> = { ANY: 'required', NONE: 'none', AUTO: 'auto' };

function choiceOf(request: JsonObject): { mode: string; allowed: string[] | undefined } {
  const config = object(field(object(field(request, 'toolConfig')), 'functionCallingConfig'));
  const names = list(field(config, 'allowedFunctionNames'));
  return { mode: (text(config['mode']) ?? '').toUpperCase(), allowed: names?.map(String) };
}

/** The vendor's own tools have no word here. */
function declarationsOf(tool: JsonObject): JsonObject[] {
  const declarations = list(field(tool, 'functionDeclarations')) ?? [];
  const [other] = Object.keys(tool).filter((name) => !/^function_?declarations$/i.test(name) && tool[name] !== null);
  if (other !== undefined) throw new UncarriedError(other);
  return declarations.map(object).map((declaration) => {
    const { name = '', description } = declaration;
    const parameters = field(declaration, 'parametersJsonSchema') ?? toJsonSchema(declaration['parameters']);
    return {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(isJsonObject(parameters) ? { parameters } : {}),
    };
  });
}

/** The shape's own schemas write types in capitals. */
function toJsonSchema<T>(value: T): T {
  if (Array.isArray(value)) return value.map(toJsonSchema) as T;
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([name, member]) => [
    name,
    name === 'type' && typeof member === 'string' ? member.toLowerCase() : toJsonSchema(member),
  ]);
  return Object.fromEntries(fields) as T;
}
