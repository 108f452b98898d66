import type { Request } from 'express';
import type { SpeechFormat } from '../media/speech/speech';
import { type JsonObject, Refusal } from '../vendor-call/contract';
import { findingOf } from '../vendor-call/finding';
import { isJsonObject, parseJson, readBytes, textOf } from '../vendor-call/request-body';
import type { ShapeCheck } from '../vendor-call/shape';
import { fault } from './wire';

const MAX_BODY_BYTES = 256 * 1024;

/** The JSON object of a request; throws the vendor's refusal. */
export async function readJsonBody(request: Request): Promise<JsonObject> {
  const read = await readBytes(request, MAX_BODY_BYTES);
  if (read.kind === 'too-large') {
    const message = 'The request body exceeds the maximum allowed size.';
    throw new Refusal(fault(400, { type: 'invalid_request', code: 'request_too_large', message }));
  }
  const body = parseJson(read.bytes);
  if (isJsonObject(body)) return body;
  throw unprocessable({ type: 'json_invalid', loc: ['body', 0], msg: 'JSON decode error' });
}

/** The typed body; throws what the vendor's validator finds first. */
export function checked<T>(shape: ShapeCheck<T>): T {
  if (shape.ok) return shape.value;
  throw unprocessable(findingOf(shape.error));
}

function unprocessable(finding: JsonObject): Refusal {
  return new Refusal({ status: 422, body: { detail: [finding] } });
}

const MP3 = ['22050_32', '24000_48', '44100_32', '44100_64', '44100_96', '44100_128', '44100_192'];
const PCM = ['8000', '16000', '22050', '24000', '32000', '44100', '48000'];
const OPUS = ['48000_32', '48000_64', '48000_96', '48000_128', '48000_192'];
const FORMATS: readonly string[] = [
  ...MP3.map((shape) => `mp3_${shape}`),
  ...PCM.map((shape) => `pcm_${shape}`),
  ...OPUS.map((shape) => `opus_${shape}`),
];

const DEFAULT = 'mp3_44100_128';

/** The format that the query asks for; throws the vendor's refusal of what it does not know. */
export function outputFormat({ query }: Request): SpeechFormat {
  const format = query['output_format'] === undefined ? DEFAULT : textOf(query['output_format']);
  if (FORMATS.includes(format)) return format as SpeechFormat;
  const msg = `Input should be one of ${FORMATS.join(', ')}`;
  throw unprocessable({ type: 'enum', loc: ['query', 'output_format'], msg });
}

export function contentTypeOf(format: SpeechFormat): string {
  if (format.startsWith('mp3')) return 'audio/mpeg';
  return format.startsWith('opus') ? 'audio/opus' : 'audio/pcm';
}
