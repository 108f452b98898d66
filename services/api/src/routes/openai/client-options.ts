import { failureOf, type Json, type JsonObject, refusedBody } from '@mediagate/contracts';
import { invalid } from '../../use-cases/invalid';

const IMAGE_FORMATS = ['url', 'b64_json'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/**
 * Takes out of a body what only this interface has. A form brings each field as a text.
 *
 * @param usual the format where the body names none.
 * @throws GatewayError `invalid_request` for another format, and for images in parts.
 */
export function takeImageOptions(body: JsonObject, usual: ImageFormat): ImageFormat {
  const { stream, partial_images: parts, response_format: format = usual } = body;
  for (const field of ['stream', 'partial_images', 'response_format']) Reflect.deleteProperty(body, field);
  if (isAsked(stream)) throw notStreamed('stream');
  if (isAsked(parts)) throw notStreamed('partial_images');
  const wanted = isBlank(format) ? usual : format;
  const known = IMAGE_FORMATS.find(
    (each) => each === (typeof wanted === 'string' ? wanted.trim().toLowerCase() : wanted),
  );
  if (known === undefined) throw invalid('response_format', 'must_be_one_of', { values: IMAGE_FORMATS.join(', ') });
  return known;
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
