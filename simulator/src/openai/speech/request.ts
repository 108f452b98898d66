import type { ErrorObject } from 'ajv';
import { type PlainFormat, type VoiceName, voiceNames } from '../../media/speech/speech';
import { type JsonObject, Refusal } from '../../vendor-call/contract';
import { compileShape, pathOf } from '../../vendor-call/shape';
import { invalidRequest, openaiError } from '../wire';

/** A checked order of speech. */
export interface SpeechRequest {
  model: string;
  /** As sent. */
  input: string;
  voice: VoiceName;
  format: PlainFormat;
  speed: number;
  instructions: string;
}

const MAX_INPUT_CHARS = 4_096;
const FORMATS: PlainFormat[] = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'];

/** The older models have neither the newest voices nor instructions. */
const OLDER_MODELS = ['tts-1', 'tts-1-1106', 'tts-1-hd', 'tts-1-hd-1106'];
const NEWER_MODELS = ['gpt-4o-mini-tts', 'gpt-4o-mini-tts-2025-03-20', 'gpt-4o-mini-tts-2025-12-15'];
export const SPEECH_MODELS: readonly string[] = [...OLDER_MODELS, ...NEWER_MODELS];
const NEWER_VOICES: VoiceName[] = ['ballad', 'verse', 'marin', 'cedar'];
const olderVoices = voiceNames.filter((name) => !NEWER_VOICES.includes(name));

const checkShape = compileShape({
  type: 'object',
  required: ['model', 'input', 'voice'],
  additionalProperties: false,
  properties: {
    model: { type: 'string' },
    input: { type: 'string', minLength: 1, maxLength: MAX_INPUT_CHARS },
    voice: { enum: voiceNames },
    instructions: { type: ['string', 'null'], maxLength: MAX_INPUT_CHARS },
    response_format: { enum: [...FORMATS, null] },
    speed: { type: ['number', 'null'], minimum: 0.25, maximum: 4 },
    stream_format: { enum: ['audio', 'sse', null] },
  },
});

/** The typed order with the vendor's defaults; throws its refusal of the first fault. */
export function checkSpeechRequest(body: JsonObject): SpeechRequest {
  const shape = checkShape(body);
  if (!shape.ok) throw invalidField(shape.error);
  const { model, input, voice, instructions, response_format: format, speed, stream_format: stream } = shape.value;
  const isOlder = OLDER_MODELS.includes(model);
  if (!isOlder && !NEWER_MODELS.includes(model)) throw unknownModel(model);
  if (isOlder && !olderVoices.includes(voice)) throw refusal([notOneOf(['voice'], olderVoices, voice)]);
  if (isOlder && instructions) throw unsupported('instructions', model);
  // The newer models have events; they are not played here, since no adapter asks for them.
  if (stream === 'sse') throw unsupported('stream_format', model);
  return {
    model,
    input,
    voice,
    format: format ?? 'mp3',
    speed: speed ?? 1,
    instructions: instructions ?? '',
  };
}

function unknownModel(model: string): Refusal {
  const message = `The model \`${model.slice(0, 100)}\` does not exist or you do not have access to it.`;
  return new Refusal(
    openaiError(404, { message, type: 'invalid_request_error', param: null, code: 'model_not_found' }),
  );
}

function unsupported(param: string, model: string): Refusal {
  return invalidRequest(
    param,
    'unsupported_parameter',
    `Unsupported parameter: '${param}' is not supported with ${model}.`,
  );
}

/** The vendor's other endpoints name the field in `param`; this one shows what its validator found, and names it there. */
function refusal(findings: JsonObject[]): Refusal {
  return invalidRequest(null, null, asPython(findings));
}

function invalidField(error: ErrorObject): Refusal {
  const loc = pathOf(error);
  const params: JsonObject = error.params;
  const limit = Number(params['limit']);
  const found = (type: string, msg: string, ctx?: JsonObject) =>
    refusal([{ type, loc: ['body', ...loc], msg, input: shown(error.data), ...(ctx && { ctx }) }]);
  switch (error.keyword) {
    case 'required':
      return refusal([{ type: 'missing', loc: ['body', ...loc], msg: 'Field required' }]);
    case 'additionalProperties':
      return found('extra_forbidden', 'Extra inputs are not permitted');
    case 'enum':
      return refusal([notOneOf(loc, params['allowedValues'], error.data)]);
    case 'minLength':
      return found('string_too_short', 'String should have at least 1 character', { min_length: limit });
    case 'maxLength':
      return found('string_too_long', `String should have at most ${limit} characters`, { max_length: limit });
    case 'minimum':
      return found('greater_than_equal', `Input should be greater than or equal to ${limit}`, { ge: limit });
    case 'maximum':
      return found('less_than_equal', `Input should be less than or equal to ${limit}`, { le: limit });
    default: {
      const [type] = [params['type']].flat();
      return found(`${type}_type`, `Input should be a valid ${type}`);
    }
  }
}

function notOneOf(loc: string[], allowed: unknown, input: unknown): JsonObject {
  const names = (Array.isArray(allowed) ? allowed : []).filter((name) => name !== null).map((name) => `'${name}'`);
  const expected = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  const finding = { type: 'enum', loc: ['body', ...loc], msg: `Input should be ${expected}`, input: shown(input) };
  return { ...finding, ctx: { expected } };
}

const MAX_SHOWN_CHARS = 200;

function shown(input: unknown): unknown {
  return typeof input === 'string' ? input.slice(0, MAX_SHOWN_CHARS) : input;
}

/** As the vendor's validator prints it: `[{'type': 'missing', 'loc': ('body', 'voice'), …}]`. */
function asPython(value: unknown, tuple = false): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => asPython(item)).join(', ');
    return tuple ? `(${items})` : `[${items}]`;
  }
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, field]) => `'${name}': ${asPython(field, name === 'loc')}`)
      .join(', ')}}`;
  }
  if (typeof value === 'string') return value.includes("'") ? JSON.stringify(value) : `'${value}'`;
  return value === null || value === undefined ? 'None' : String(value);
}
