import type { Request } from 'express';
import { linesWithoutDirectives } from '../faults/directive';
import type { AudioStudio } from '../media/audio/audio-studio';
import { piecesOf, type SpeechFormat, type VoiceName } from '../media/speech/speech';
import {
  type Call,
  type Endpoint,
  type JsonObject,
  Refusal,
  type Reply,
  type StreamedReply,
} from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { compileShape, type Of } from '../vendor-call/shape';
import { checked, contentTypeOf, outputFormat, readJsonBody } from './json-body';
import { readerOf, speechModel } from './models';
import { contentBlocked, invalid, notFound, withoutModel } from './wire';

interface SpeechOrder {
  text: string;
  reader: VoiceName;
  format: SpeechFormat;
  speed: number;
  credits: number;
}

const optionalNumber = { type: ['number', 'null'] } as const;
const optionalText = { type: ['string', 'null'] } as const;
const body = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: {
    text: { type: 'string' },
    model_id: { type: 'string' },
    language_code: optionalText,
    voice_settings: {
      type: ['object', 'null'],
      additionalProperties: false,
      properties: {
        stability: optionalNumber,
        similarity_boost: optionalNumber,
        style: optionalNumber,
        use_speaker_boost: { type: ['boolean', 'null'] },
        speed: optionalNumber,
      },
    },
    seed: { type: ['integer', 'null'] },
    previous_text: optionalText,
    next_text: optionalText,
    apply_text_normalization: { enum: ['auto', 'on', 'off'] },
  },
} as const;
const checkShape = compileShape(body);

const DEFAULT_MODEL = 'eleven_multilingual_v2';
const SPEED = { min: 0.7, max: 1.2 };

/** `POST /v1/text-to-speech/{voice_id}/stream`. */
export function createSpeech(studio: AudioStudio): Endpoint<JsonObject, SpeechOrder> {
  return {
    read: readJsonBody,
    describe: (_request, body) => ({ model: textOf(body['model_id']), prompt: textOf(body['text']) }),
    prepare: async (body, { request }) => checkOrder(request, checked(checkShape(body))),
    isAtOnce: () => true,
    run: async (order, call) => answer(order, { studio, call }),
  };
}

function checkOrder(
  request: Request,
  { text, model_id: id = DEFAULT_MODEL, voice_settings: settings }: Of<typeof body>,
) {
  const format = outputFormat(request);
  const voiceId = String(request.params['voice']);
  const reader = readerOf(voiceId);
  if (reader === undefined) {
    throw new Refusal(notFound('voice_not_found', `A voice with voice_id '${voiceId}' was not found.`));
  }
  const model = speechModel(id);
  if (model === undefined) throw new Refusal(withoutModel(id));
  if (text.trim() === '') throw invalid('text', 'empty_text', 'The text field cannot be empty.');
  const characters = Array.from(text).length;
  if (characters > model.maxCharacters) {
    const message = `This request's text has ${characters} characters and exceeds the character limit of ${model.maxCharacters} characters for model '${id}'.`;
    throw invalid('text', 'text_too_long', message);
  }
  const speed = settings?.speed ?? 1;
  if (speed < SPEED.min || speed > SPEED.max) {
    const message = `Invalid setting for speed received, expected to be greater or equal to ${SPEED.min} and less or equal to ${SPEED.max}, received ${speed}`;
    throw invalid('voice_settings', 'invalid_voice_settings', message);
  }
  return { text, reader, format, speed, credits: Math.ceil(characters * model.creditsPerCharacter) };
}

function answer(order: SpeechOrder, { studio, call }: { studio: AudioStudio; call: Call }): Reply | StreamedReply {
  const { faults } = call;
  if (faults.take('policy-result')) return contentBlocked;
  if (faults.take('wrong-type')) return { status: 200, body: { audio_base64: 42 } };
  const isEmpty = faults.take('empty-result') !== undefined;
  const { reader, speed, credits } = order;
  const wish = { text: linesWithoutDirectives(order.text), voice: reader, speed, instructions: '' };
  return {
    status: 200,
    headers: { 'content-type': contentTypeOf(order.format), 'character-cost': String(credits) },
    chunks: isEmpty ? silence() : piecesOf(studio.speech(wish, order.format)),
  };
}

async function* silence(): AsyncGenerator<Buffer> {}
