import {
  type JsonObject,
  message,
  type SpeechFormat,
  type SpeechRequest,
  type StartOutcome,
  type Streaming,
} from '@mediagate/contracts';
import type { CallContext, Endpoint, Lack, StartRequest } from '../contract';
import type { HttpClient } from '../http-client';
import { object, present, text } from '../json-guards';
import { lack } from '../lacks';
import { refused } from '../vendor-call';
import { streamVendor } from '../vendor-stream';
import { speechErrors } from './errors';
import { asWave } from './wave';
import { creditsIn, elevenLabsKey, timeoutMs } from './wire';

/** Until the audio begins. */
const TIMEOUT_SECONDS = 60;
/** Between two pieces of audio. */
const STALL_MS = 30_000;
/** 10,000 characters at the slowest speed are a quarter of an hour, of which 24 kHz samples take the most. */
const AUDIO_MAX_BYTES = 256 * 1024 * 1024;

const HERTZ = 24_000;
/** The vendor's words for the formats. It has no AAC and no FLAC; a WAV is its samples behind a header of our own. */
const FORMATS: Readonly<Partial<Record<SpeechFormat, string>>> = {
  mp3: 'mp3_44100_128',
  opus: 'opus_48000_64',
  pcm: `pcm_${HERTZ}`,
  wav: `pcm_${HERTZ}`,
};

const SPEED = { min: 0.7, max: 1.2 } as const;

export function speechLack(
  { voice, format, speed, instructions }: SpeechRequest,
  endpoint: Endpoint,
): Lack | undefined {
  if (voiceIn(endpoint, voice) === undefined) return lack(message('takes_no_voice', { name: voice }), 'voice');
  if (FORMATS[format] === undefined) return lack(message('takes_no_result_format', { name: format }), 'format');
  if (speed < SPEED.min || speed > SPEED.max) {
    return lack(message('takes_no_speed', { name: String(speed) }), 'speed');
  }
  return instructions === undefined ? undefined : lack(message('takes_no_instructions'), 'instructions');
}

/** The vendor's id of a voice that callers name, which the channel's option `voices` gives. */
function voiceIn({ options }: Endpoint, name: string): string | undefined {
  const voices = object(options['voices']);
  return Object.hasOwn(voices, name) ? text(voices[name]) : undefined;
}

/** Given on as the vendor makes it. */
export async function speak(http: HttpClient, request: StartRequest, context: CallContext): Promise<StartOutcome> {
  const speech = readSpeech(request.request);
  const { endpoint, signal, onSent } = context;
  const reply = await streamVendor(http, {
    method: 'POST',
    url: urlOf(endpoint, speech),
    headers: { accept: 'audio/*', 'content-type': 'application/json' },
    key: { credentials: elevenLabsKey, endpoint },
    body: Buffer.from(JSON.stringify(fieldsOf(endpoint.model, speech))),
    signal,
    onSent,
    headersTimeoutMs: timeoutMs(endpoint, TIMEOUT_SECONDS),
    bodyTimeoutMs: STALL_MS,
    maxBodyBytes: AUDIO_MAX_BYTES,
    accepts: isSound,
    dialect: speechErrors,
    confidential: { apiKey: endpoint.apiKey, prompt: speech.input },
  });
  if (!reply.ok) return refused(reply.fault, [reply.requestId]);
  return present<Streaming>({
    kind: 'streaming',
    body: speech.format === 'wav' ? asWave(reply.answer.body, HERTZ) : reply.answer.body,
    credits: creditsIn(reply.answer.headers),
    requestIds: reply.requestId === undefined ? undefined : [reply.requestId],
  });
}

function urlOf(endpoint: Endpoint, { voice, format }: SpeechRequest): string {
  const voiceId = encodeURIComponent(voiceIn(endpoint, voice) ?? '');
  return `${endpoint.baseUrl}/text-to-speech/${voiceId}/stream?output_format=${FORMATS[format]}`;
}

/** The voice's own speed is left unsaid: settings of the voice stay as its owner made them. */
function fieldsOf(model: string, { input, speed }: SpeechRequest): JsonObject {
  return present<JsonObject>({
    text: input,
    model_id: model,
    voice_settings: speed === 1 ? undefined : { speed },
  });
}

/** Any sound is accepted: the request has named the format. */
function isSound(mediaType: string): boolean {
  return /^(audio\/.+|application\/octet-stream)$/.test(mediaType);
}

/** @throws TypeError when the request is no speech request: a catalogue entry's bug, never a caller's mistake. */
export function readSpeech(request: JsonObject): SpeechRequest {
  const { input, voice, format, speed } = request;
  if (![input, voice, format].every((word) => typeof word === 'string') || typeof speed !== 'number') {
    throw new TypeError('not a speech request: input, voice, format and speed are required');
  }
  return request as unknown as SpeechRequest;
}
