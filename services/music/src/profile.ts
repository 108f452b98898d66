import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import { type FamilyProfile, type StoredOutput, workerService } from '@mediagate/worker-runtime';

/** Music vendors accept at once and work for a minute or two; what ffmpeg does here takes seconds. */
export const musicProfile: FamilyProfile = {
  family: 'music',
  concurrency: 256,
  // Fetching, checking and storing the tracks of a job that has just ended.
  drainSeconds: 180,
  checks: { fromMs: 2000, toMs: 5000 },
  resultRoles: ['audio'],
  /**
   * `music[]` in the vendor's order, which callers count from 1; a field that a track lacks is an empty string. Other
   * results (lyrics, tempo) stand beside it, and sounds as `audios[]`, in the shape of images and videos.
   */
  describeResult(outputs, facts, operation) {
    const tracks = outputs.filter(({ role }) => role === 'audio');
    const covers = outputs.filter(({ role }) => role === 'cover');
    return {
      ...facts,
      ...firstText(facts),
      ...(tracks.length > 0 ? { music: tracks.map((track) => describe(track, covers)) } : {}),
      ...(operation !== null && SOUNDS.has(operation) ? { audios: tracks.map(asAudio) } : {}),
    };
  },
};

export const service = workerService(musicProfile);

const SOUNDS = new Set(['music.sounds', 'music.sound-effects']);

function asAudio({ url, seconds, expiresAt }: StoredOutput): JsonObject {
  const expires = Math.floor(expiresAt.getTime() / 1000);
  return { url: [url], expires_at: expires, ...(seconds === undefined ? {} : { duration: seconds }) };
}

function describe({ url, seconds, expiresAt, facts = {} }: StoredOutput, covers: readonly StoredOutput[]): JsonObject {
  const { trackId = '', title = '', lyrics = '', tags = '' } = facts;
  const cover = covers.find((image) => isOf(image, trackId));
  return {
    audio_id: trackId,
    title,
    lyrics,
    tags,
    ...(seconds === undefined ? {} : { duration: lengthOf(seconds, facts['seconds']) }),
    audio_url: url,
    image_url: cover?.url ?? '',
    expires_at: Math.floor(expiresAt.getTime() / 1000),
  };
}

/** A cover names the track that it is of; of a single track that no vendor knows, it names none. */
function isOf({ facts }: StoredOutput, trackId: unknown): boolean {
  return facts === undefined ? trackId === '' : trackId !== '' && facts['trackId'] === trackId;
}

/** An encoder adds at most this much silence at both ends. */
const ENCODED_SECONDS = 0.25;

/** The vendor's own length, because it refuses positions beyond it, unless the file is clearly of another length. */
function lengthOf(measured: number, reported: unknown): number {
  return typeof reported === 'number' && Math.abs(reported - measured) <= ENCODED_SECONDS ? reported : measured;
}

/** The first of the lyrics, for callers who want one text. */
function firstText({ lyrics }: JsonObject): JsonObject {
  const [first] = Array.isArray(lyrics) ? lyrics.filter(isJsonObject) : [];
  return first?.['text'] === undefined ? {} : { text: first['text'] };
}
