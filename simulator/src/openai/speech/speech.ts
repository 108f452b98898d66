import type { Request } from 'express';
import { linesWithoutDirectives } from '../../faults/directive';
import type { AudioStudio } from '../../media/audio/audio-studio';
import { type PlainFormat, piecesOf } from '../../media/speech/speech';
import type { Call, Endpoint, JsonObject, Reply, StreamedReply } from '../../vendor-call/contract';
import { textOf } from '../../vendor-call/request-body';
import { readJsonBody } from '../json-body';
import { contentBlocked } from '../wire';
import { checkSpeechRequest, type SpeechRequest } from './request';

const MAX_BODY_BYTES = 256 * 1024;

const contentTypes: Record<PlainFormat, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
};

/** `POST /v1/audio/speech`. */
export function createSpeech(studio: AudioStudio): Endpoint<JsonObject, SpeechRequest> {
  return {
    read: (request: Request) => readJsonBody(request, MAX_BODY_BYTES),
    describe: (_request, body) => ({ model: textOf(body['model']), prompt: textOf(body['input']) }),
    prepare: async (body) => checkSpeechRequest(body),
    isAtOnce: () => true,
    run: async (order, call) => answer(order, { studio, call }),
  };
}

function answer(order: SpeechRequest, { studio, call }: { studio: AudioStudio; call: Call }): Reply | StreamedReply {
  const { faults } = call;
  if (faults.take('policy-result')) return contentBlocked();
  if (faults.take('wrong-type')) return { status: 200, body: { audio: 42 } };
  const isEmpty = faults.take('empty-result') !== undefined;
  const { voice, speed, instructions } = order;
  const text = linesWithoutDirectives(order.input);
  const sound = isEmpty ? silence() : piecesOf(studio.speech({ text, voice, speed, instructions }, order.format));
  return { status: 200, headers: { 'content-type': contentTypes[order.format] }, chunks: sound };
}

async function* silence(): AsyncGenerator<Buffer> {}
