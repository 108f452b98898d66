import type { Request } from 'express';
import { fileInAnswer } from '../assets/file-in-answer';
import type { AudioStudio } from '../media/audio/audio-studio';
import { type Recording, TEMPO } from '../media/audio/recording';
import { makeSound, trackSeconds } from '../music/asked-music';
import {
  type Call,
  type Endpoint,
  type JsonObject,
  Refusal,
  type Reply,
  type StreamedReply,
} from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { compileShape } from '../vendor-call/shape';
import { checked, outputFormat, readJsonBody } from './json-body';
import { contentBlocked, fault, invalid, withoutModel } from './wire';

/** The sound to be made, and its price in the account's credits, where the vendor says so. */
interface SoundOrder {
  prompt: string;
  record(seconds: number | undefined): Recording;
  seconds: number | undefined;
  credits: number | undefined;
}

const MUSIC_MODELS = ['music_v1', 'music_v2', 'music_v2_5'];
const EFFECT_MODEL = 'eleven_text_to_sound_v2';
const CREDITS_A_SOUND = 100;
const CREDITS_A_SECOND = 20;

const checkMusic = compileShape({
  type: 'object',
  additionalProperties: false,
  properties: {
    prompt: { type: ['string', 'null'] },
    music_length_ms: { type: ['integer', 'null'], minimum: 3_000, maximum: 600_000 },
    force_instrumental: { type: 'boolean' },
    model_id: { type: 'string' },
    sign_with_c2pa: { type: 'boolean' },
    store_for_inpainting: { type: 'boolean' },
  },
});

const checkEffect = compileShape({
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: {
    text: { type: 'string' },
    duration_seconds: { type: ['number', 'null'], minimum: 0.5, maximum: 30 },
    loop: { type: 'boolean' },
    prompt_influence: { type: ['number', 'null'], minimum: 0, maximum: 1 },
    model_id: { type: 'string' },
  },
});

/** `POST /v1/music`, by a prompt. */
export function createMusic(studio: AudioStudio): Endpoint<JsonObject, SoundOrder> {
  return endpointOf(studio, 'prompt', (body) => {
    const {
      prompt,
      music_length_ms: ms,
      force_instrumental: instrumental,
      model_id: model = 'music_v1',
    } = checked(checkMusic(body));
    if (!MUSIC_MODELS.includes(model)) throw new Refusal(withoutModel(model));
    if (!prompt)
      throw invalid('prompt', 'missing_required_field', 'Either prompt or composition_plan must be provided.');
    return {
      prompt,
      seconds: ms == null ? undefined : ms / 1_000,
      credits: undefined,
      record: (seconds = 0) => ({ seconds, bpm: TEMPO, words: `${prompt}\n${instrumental}` }),
    };
  });
}

/** `POST /v1/sound-generation`. */
export function createSoundEffects(studio: AudioStudio): Endpoint<JsonObject, SoundOrder> {
  return endpointOf(studio, 'text', (body) => {
    const {
      text,
      duration_seconds: seconds,
      loop = false,
      model_id: model = EFFECT_MODEL,
    } = checked(checkEffect(body));
    if (model !== EFFECT_MODEL) throw new Refusal(withoutModel(model));
    if (text.trim() === '') throw invalid('text', 'empty_text', 'The text field cannot be empty.');
    return {
      prompt: text,
      seconds: seconds ?? undefined,
      credits: seconds == null ? CREDITS_A_SOUND : Math.ceil(seconds * CREDITS_A_SECOND),
      record(length) {
        const made = makeSound({ description: text, isLoop: loop, variation: 1 });
        return length === undefined ? made : { ...made, seconds: length };
      },
    };
  });
}

function endpointOf(
  studio: AudioStudio,
  promptField: string,
  orderOf: (body: JsonObject) => SoundOrder,
): Endpoint<JsonObject, SoundOrder> {
  return {
    read: readJsonBody,
    describe: (_request, body) => ({ model: textOf(body['model_id']), prompt: textOf(body[promptField]) }),
    async prepare(body, { request }) {
      requireMp3(request);
      return orderOf(body);
    },
    run: (order, call) => answer(order, { studio, call }),
  };
}

/** Others are not made here. */
function requireMp3(request: Request): void {
  if (request.query['output_format'] === 'auto' || outputFormat(request).startsWith('mp3')) return;
  throw invalid('output_format', 'invalid_output_format', 'The requested output format is not supported.');
}

async function answer(
  { prompt: _, record, seconds, credits }: SoundOrder,
  { studio, call }: { studio: AudioStudio; call: Call },
): Promise<Reply | StreamedReply> {
  const { faults } = call;
  if (faults.take('policy-result')) return contentBlocked;
  if (faults.take('wrong-type')) return { status: 200, body: { audio_base64: 42 } };
  const isEmpty = faults.take('empty-result') !== undefined;
  const content = await studio.audio(record(credits === undefined ? trackSeconds(call, seconds) : seconds));
  const bytes = isEmpty ? Buffer.alloc(0) : fileInAnswer(await content.bytes(), faults);
  return {
    status: 200,
    headers: { 'content-type': 'audio/mpeg', ...(credits !== undefined && { 'character-cost': String(credits) }) },
    chunks: once(bytes),
  };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}

/** The vendor's words for a prompt of music that it will not follow, with one that it would. */
export function promptRefused(): Reply {
  return fault(400, {
    type: 'validation_error',
    code: 'bad_prompt',
    message:
      'Your prompt was flagged for containing copyrighted material. We have generated a suggestion that you may use.',
    data: { prompt_suggestion: 'A song in the same mood, by nobody in particular' },
  });
}
