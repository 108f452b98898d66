import {
  type Done,
  type JsonObject,
  type MediaBytes,
  type MusicRequest,
  message,
  type Output,
  type Refused,
} from '@mediagate/contracts';
import type { CallContext, Lack, StartRequest } from '../contract';
import type { ErrorDialect } from '../error-dialect';
import type { HttpClient } from '../http-client';
import { present } from '../json-guards';
import { lack } from '../lacks';
import { readMusicCall } from '../music-call';
import { callVendorForFile, refused } from '../vendor-call';
import { musicErrors, soundErrors } from './errors';
import { creditsIn, elevenLabsKey, timeoutMs } from './wire';

/** The work is done in the call. */
const TIMEOUT_SECONDS = 300;
/** Ten minutes at 128 kilobits a second are 10 MB. */
const TRACK_MAX_BYTES = 64 * 1024 * 1024;
/** Lower plans have no other rate of this thickness. */
const OUTPUT_FORMAT = 'mp3_44100_128';

interface Maker {
  path: string;
  /** Fields of the request that the vendor has words for. */
  carried: ReadonlySet<string>;
  seconds: { min: number; max: number };
  fields(music: MusicRequest, model: string): JsonObject;
  dialect: ErrorDialect;
}

const MAKERS: { readonly [Name in MusicRequest['operation']]?: Maker } = {
  create: {
    path: '/music',
    carried: new Set(['operation', 'custom', 'description', 'instrumental', 'seconds', 'audioFormat']),
    seconds: { min: 3, max: 600 },
    fields: ({ description, seconds, instrumental }, model) =>
      present<JsonObject>({
        prompt: description,
        music_length_ms: seconds === undefined ? undefined : Math.round(seconds * 1000),
        force_instrumental: instrumental ?? false,
        model_id: model,
      }),
    dialect: musicErrors,
  },
  sounds: {
    path: '/sound-generation',
    carried: new Set(['operation', 'prompt', 'soundType', 'seconds', 'audioFormat']),
    seconds: { min: 0.5, max: 30 },
    fields: ({ prompt, seconds, soundType }, model) =>
      present<JsonObject>({
        text: prompt,
        duration_seconds: seconds,
        loop: soundType === 'loop',
        model_id: model,
      }),
    dialect: soundErrors,
  },
};

export function musicLack(music: MusicRequest): Lack | undefined {
  const maker = MAKERS[music.operation];
  if (maker === undefined) return lack(message('takes_no_operation', { name: music.operation }));
  if (music.custom) return lack(message('takes_no_such_field', { name: 'custom' }), 'custom');
  const beyond = Object.keys(music).find((name) => !maker.carried.has(name));
  if (beyond !== undefined) return lack(message('takes_no_such_field', { name: beyond }), beyond);
  const { seconds = maker.seconds.min } = music;
  const isWithin = seconds >= maker.seconds.min && seconds <= maker.seconds.max;
  return isWithin ? undefined : lack(message('takes_no_length', { seconds }), 'seconds');
}

/** A track or a sound, which the vendor answers with. It does not say how long it is. */
export async function makeSound(
  http: HttpClient,
  request: StartRequest,
  context: CallContext,
): Promise<Done | Refused> {
  const { music, confidential } = readMusicCall(request, context);
  const { endpoint, signal, newFile } = context;
  const maker = MAKERS[music.operation];
  if (maker === undefined) throw new TypeError(`no operation ${music.operation}`);
  const reply = await callVendorForFile(http, {
    method: 'POST',
    url: `${endpoint.baseUrl}${maker.path}?output_format=${OUTPUT_FORMAT}`,
    headers: { accept: 'audio/*', 'content-type': 'application/json' },
    key: { credentials: elevenLabsKey, endpoint },
    body: { json: maker.fields(music, endpoint.model) },
    signal,
    newFile,
    timeoutMs: timeoutMs(endpoint, TIMEOUT_SECONDS),
    maxResponseBytes: TRACK_MAX_BYTES,
    dialect: maker.dialect,
    confidential,
  });
  if (!reply.ok) return refused(reply.fault, [reply.requestId]);
  return present<Done>({
    kind: 'done',
    outputs: [outputOf(reply.bytes, music)],
    usage: {},
    credits: creditsIn(reply.headers),
    requestIds: reply.requestId === undefined ? undefined : [reply.requestId],
  });
}

/** The vendor has neither M4A nor WAV. */
function outputOf(bytes: MediaBytes, { audioFormat }: MusicRequest): Output {
  const output = { role: 'audio', contentType: 'audio/mpeg', bytes } as const;
  return audioFormat === undefined || audioFormat === 'mp3' ? output : { ...output, audioFormat };
}
