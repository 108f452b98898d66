import { failureOf, type Json, type JsonObject, type Message, message, refusedBody } from '@mediagate/contracts';
import { invalid } from '../../../use-cases/invalid';

const IMAGE_FORMATS = ['url', 'b64_json'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export interface ImageOptions {
  format: ImageFormat;
  /** The images come as events, whole: parts of unfinished ones are never sent. */
  stream: boolean;
  warnings: readonly Message[];
}

/**
 * Takes out of a body what only this interface has. A form brings each field as a text.
 *
 * @param usual the format where the body names none; events have the images themselves.
 * @throws GatewayError `invalid_request` for another format, and for parts of images without a stream, or strictly.
 */
export function takeImageOptions(
  body: JsonObject,
  { usual, strict }: { usual: ImageFormat; strict: boolean },
): ImageOptions {
  const { stream: asked, partial_images: parts, response_format: format } = body;
  for (const field of ['stream', 'partial_images', 'response_format']) Reflect.deleteProperty(body, field);
  const stream = isAsked(asked);
  if (isAsked(parts) && (strict || !stream)) throw notStreamed('partial_images');
  const formats = stream ? IMAGE_FORMATS.slice(1) : IMAGE_FORMATS;
  const wanted = isBlank(format) ? (stream ? 'b64_json' : usual) : format;
  const known = formats.find((each) => each === (typeof wanted === 'string' ? wanted.trim().toLowerCase() : wanted));
  if (known === undefined) throw invalid('response_format', 'must_be_one_of', { values: formats.join(', ') });
  const warnings = isAsked(parts) ? [message('ignored_unknown', { field: 'partial_images' })] : [];
  return { format: known, stream, warnings };
}

function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function isAsked(value: Json | undefined): boolean {
  return value !== undefined && ![false, 0, '', 'false', '0'].includes(value as string | number | boolean);
}

/**
 * Reads a speech as OpenAI's clients mean it: MP3 where they name no format.
 *
 * @throws GatewayError `invalid_request` for speech as events, whose audio is in base64.
 */
export function readSpeechOptions(body: JsonObject): void {
  if (body['stream_format'] === 'sse') throw notStreamed('stream_format');
  if (isBlank(body['response_format'])) body['response_format'] = 'mp3';
}

function notStreamed(field: string) {
  return refusedBody('invalid_request', [failureOf('unsupported_parameter', field, ['not_streamed'])]);
}
