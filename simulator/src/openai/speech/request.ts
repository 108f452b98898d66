import { type PlainFormat, type VoiceName, voiceNames } from '../../media/speech/speech';
import { type JsonObject, Refusal } from '../../vendor-call/contract';
import { type Finding, findingOf } from '../../vendor-call/finding';
import { compileShape } from '../../vendor-call/shape';
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
  if (!shape.ok) throw refusal(findingOf(shape.error), shape.error.data);
  const { model, input, voice, instructions, response_format: format, speed, stream_format: stream } = shape.value;
  const isOlder = OLDER_MODELS.includes(model);
  if (!isOlder && !NEWER_MODELS.includes(model)) throw unknownModel(model);
  if (isOlder && !olderVoices.includes(voice)) {
    const msg = `Input should be one of ${olderVoices.join(', ')}`;
    throw refusal({ type: 'enum', loc: ['body', 'voice'], msg }, voice);
  }
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

const MAX_SHOWN_CHARS = 200;

/** The vendor's other endpoints name the field in `param`; this one shows what its validator found, as Python prints it. */
function refusal({ type, loc, msg }: Finding, input: unknown): Refusal {
  const shown = typeof input === 'string' ? `'${input.slice(0, MAX_SHOWN_CHARS)}'` : JSON.stringify(input);
  const place = loc.map((step) => `'${step}'`).join(', ');
  const found = `[{'type': '${type}', 'loc': (${place}), 'msg': ${JSON.stringify(msg)}, 'input': ${shown}}]`;
  return invalidRequest(null, null, found);
}
