import type { Request } from 'express';
import { linesWithoutDirectives } from '../../faults/directive';
import type { PlainFormat } from '../../media/speech/encoder';
import type { SpeechStudio } from '../../media/speech/speech-studio';
import {
  type Call,
  type Endpoint,
  type JsonObject,
  Refusal,
  type Reply,
  type StreamedReply,
} from '../../vendor-call/contract';
import { textOf } from '../../vendor-call/request-body';
import { readJsonBody } from '../json-body';
import { overloaded } from '../wire';
import { eventHeaders, eventsOf, spoilingEvents } from './events';
import { checkSpeechRequest, type SpeechRequest } from './request';
import { contentBlocked } from './wire';

const MAX_BODY_BYTES = 256 * 1024;

/** Orders that wait to be read; one more is refused as by a vendor that is overloaded. */
const MAX_WAITING = 1_000;

const contentTypes: Record<PlainFormat, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
};

/** `POST /v1/audio/speech`. */
export function createSpeech(studio: SpeechStudio): Endpoint<JsonObject, SpeechRequest> {
  return {
    read: (request: Request) => readJsonBody(request, MAX_BODY_BYTES),
    describe: (_request, body) => ({ model: textOf(body['model']), prompt: textOf(body['input']) }),
    async prepare(body) {
      const order = checkSpeechRequest(body);
      if (studio.work().waiting < MAX_WAITING) return order;
      throw new Refusal(overloaded());
    },
    pace: () => 'synchronousMs',
    run: async (order, call) => answer(order, { studio, call }),
  };
}

function answer(order: SpeechRequest, { studio, call }: { studio: SpeechStudio; call: Call }): Reply | StreamedReply {
  const { faults, stop } = call;
  if (faults.take('policy-result')) return contentBlocked();
  if (faults.take('wrong-type')) return { status: 200, body: { audio: 42 } };
  const isEmpty = faults.take('empty-result') !== undefined;
  const { voice, speed, instructions } = order;
  const text = linesWithoutDirectives(order.input);
  const format = faults.take('wrong-media') ? otherFormat(order.format) : order.format;
  const sound = isEmpty ? silence() : studio.speak({ text, voice, speed, instructions }, format, stop);
  if (!order.asEvents) return { status: 200, headers: { 'content-type': contentTypes[order.format] }, chunks: sound };
  return { status: 200, headers: eventHeaders, chunks: eventsOf(sound, text), spoiling: spoilingEvents };
}

function otherFormat(format: PlainFormat): PlainFormat {
  return format === 'wav' ? 'mp3' : 'wav';
}

async function* silence(): AsyncGenerator<Buffer> {}
