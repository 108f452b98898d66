import { type JsonObject, message, type SpeechRequest, type Streaming } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, Endpoint, Lack, StartRequest } from '../contract';
import type { HttpClient } from '../http-client';
import { present, text } from '../json-guards';
import { lack } from '../lacks';
import { createOpenAiProbe } from '../openai-models';
import type { Clients } from '../protocol';
import { cannotCarry, refused } from '../vendor-call';
import { streamVendor } from '../vendor-stream';
import { speechErrors } from './errors';

/** `organization` and `project` name who pays, on keys of several accounts. */
const OPTIONS: OptionRules = {
  organization: { kind: 'text' },
  project: { kind: 'text' },
  timeout_seconds: { kind: 'integer', min: 1, max: 120 },
};

/** Until the audio begins. */
const TIMEOUT_SECONDS = 60;
/** Between two pieces of audio. */
const STALL_MS = 30_000;
/** 4096 Chinese characters at a quarter of the speed are an hour of 24 kHz samples. */
const AUDIO_MAX_BYTES = 256 * 1024 * 1024;

/**
 * Speech by `POST /audio/speech`, given on as the vendor makes it. The vendor promises nothing about a repeated request, so
 * a lost answer is never re-sent.
 */
export default function createOpenAiSpeech({ http }: Clients): Adapter {
  return {
    protocol: 'openai-speech',
    families: ['tts'],
    afterLostAnswer: 'never',
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createOpenAiProbe(http),
    async start(request, context) {
      const speech = readSpeech(request);
      const missing = isFirstModel(context.endpoint) ? beyondFirstModels(speech) : undefined;
      if (missing !== undefined) return cannotCarry(missing);
      return speak(http, request.attemptId, speech, context);
    },
  };
}

/** `tts-1`, `tts-1-hd` and their dated names, also behind the name of who resells them. */
function isFirstModel({ model }: Endpoint): boolean {
  return /(?:^|\/)tts-1\b/.test(model);
}

const LATER_VOICES: ReadonlySet<string> = new Set(['ballad', 'cedar', 'marin', 'verse']);

/** Left out, it would not be what was asked for; sent, the vendor would refuse it as the caller's mistake. */
function beyondFirstModels({ voice, instructions }: SpeechRequest): Lack | undefined {
  if (LATER_VOICES.has(voice)) return lack(message('takes_no_voice', { name: voice }), 'voice');
  return instructions === undefined ? undefined : lack(message('takes_no_instructions'), 'instructions');
}

async function speak(
  http: HttpClient,
  attemptId: string,
  speech: SpeechRequest,
  { endpoint, signal, onSent }: CallContext,
) {
  const seconds = endpoint.options['timeout_seconds'];
  const reply = await streamVendor(http, {
    method: 'POST',
    url: `${endpoint.baseUrl}/audio/speech`,
    headers: headersOf(attemptId, endpoint),
    endpoint,
    body: Buffer.from(JSON.stringify(fieldsOf(endpoint.model, speech))),
    signal,
    onSent,
    headersTimeoutMs: (typeof seconds === 'number' ? seconds : TIMEOUT_SECONDS) * 1000,
    bodyTimeoutMs: STALL_MS,
    maxBodyBytes: AUDIO_MAX_BYTES,
    accepts: isAudio,
    dialect: speechErrors,
    confidential: { apiKey: endpoint.apiKey, prompt: `${speech.input}\n${speech.instructions ?? ''}` },
  });
  if (!reply.ok) return refused(reply.fault, [reply.requestId]);
  const requestIds = reply.requestId === undefined ? undefined : [reply.requestId];
  return present<Streaming>({ kind: 'streaming', body: reply.answer.body, requestIds });
}

/** The client's request id has no effect at the vendor but being findable there, should the answer be lost. */
function headersOf(attemptId: string, { apiKey, options }: Endpoint): Record<string, string> {
  return present<Record<string, string>>({
    accept: 'application/octet-stream',
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'x-client-request-id': attemptId,
    'openai-organization': text(options['organization']),
    'openai-project': text(options['project']),
  });
}

/** The voice's own speed is left unsaid, because not every model that speaks this protocol knows another. */
function fieldsOf(model: string, { input, voice, format, speed, instructions }: SpeechRequest): JsonObject {
  return present<JsonObject>({
    model,
    input,
    voice,
    response_format: format,
    speed: speed === 1 ? undefined : speed,
    instructions,
  });
}

/** Any sound is accepted: the request has named the format, and imitators of the vendor do not always know its name. */
function isAudio(mediaType: string): boolean {
  return /^(audio\/.+|application\/(ogg|octet-stream))$/.test(mediaType);
}

/** @throws TypeError when the request is no speech request: a catalogue entry's bug, never a caller's mistake. */
function readSpeech({ request }: StartRequest): SpeechRequest {
  const { input, voice, format, speed } = request;
  if (![input, voice, format].every((word) => typeof word === 'string') || typeof speed !== 'number') {
    throw new TypeError('not a speech request: input, voice, format and speed are required');
  }
  return request as unknown as SpeechRequest;
}
