import type { JsonObject, LoadedMedia, MusicRequest } from '@mediagate/contracts';
import { isJsonObject } from '@mediagate/contracts';
import type { CallContext, Endpoint, StartRequest } from './contract';
import type { Confidential } from './fault-detail';
import { object, text } from './json-guards';

/** The parts of one start of a music job. */
export interface MusicCall {
  music: MusicRequest;
  /** The track that the job works on or registers, where the catalogue entry had it fetched. */
  audio: LoadedMedia | undefined;
  confidential: Confidential;
}

/** @throws TypeError when the request is no music request: a catalogue entry's bug, never a caller's mistake. */
export function readMusicCall({ request, media }: StartRequest, { endpoint }: CallContext): MusicCall {
  const music = readMusicRequest(request);
  const audio = media.find(({ role, bytes }) => role === 'audio' && bytes.length > 0);
  return { music, audio, confidential: { apiKey: endpoint.apiKey, prompt: wordsOf(music) } };
}

/**
 * The vendor's id of the track that the job works on, if this channel made it: another account does not know it, however
 * well it speaks the protocol.
 */
export function ownTrack({ source }: MusicRequest, { channelId }: Endpoint): string | undefined {
  return source?.channelId === channelId ? source.trackId : undefined;
}

/**
 * The vendor's word for the version asked for: that of the channel's option `versions`, else the protocol's own; without a
 * version, what the channel calls the model.
 */
export function versionName(
  { version }: MusicRequest,
  { model, options }: Endpoint,
  names: Readonly<Record<NonNullable<MusicRequest['version']>, string>>,
): string {
  return version === undefined ? model : (text(object(options['versions'])[version]) ?? names[version]);
}

/** All that the caller wrote. */
function wordsOf({ prompt, description, title, tags, negativeTags, infillLyrics }: MusicRequest): string {
  return [prompt, description, infillLyrics, title, tags, negativeTags]
    .filter((words) => words !== undefined)
    .join('\n');
}

export function readMusicRequest(request: JsonObject): MusicRequest {
  const { operation, source } = request;
  if (typeof operation !== 'string' || (source !== undefined && !isJsonObject(source))) {
    throw new TypeError('not a music request: operation is required, and source is an object');
  }
  return request as unknown as MusicRequest;
}
