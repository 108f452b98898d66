import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import type { FamilyProfile, StoredOutput } from '@mediagate/worker-runtime';

/** Music vendors accept at once and work for a minute or two; what ffmpeg does here takes seconds. */
export const musicProfile: FamilyProfile = {
  family: 'music',
  needsFfmpeg: true,
  concurrency: 256,
  // Fetching, checking and storing the songs of a job that has just ended.
  drainSeconds: 180,
  checks: { fromMs: 2000, toMs: 5000 },
  /**
   * `music[]` in the vendor's order, which callers count from 1; what a track lacks is an empty string. What is no song
   * (lyrics, tempo) stands beside it.
   */
  describeResult(outputs, facts) {
    const songs = outputs.filter(({ role }) => role === 'audio');
    const covers = outputs.filter(({ role }) => role === 'cover');
    return {
      ...facts,
      ...firstText(facts),
      ...(songs.length > 0 ? { music: songs.map((song) => describe(song, covers)) } : {}),
    };
  },
};

function describe({ url, seconds, expiresAt, facts = {} }: StoredOutput, covers: readonly StoredOutput[]): JsonObject {
  const { trackId = '', title = '', lyrics = '', tags = '' } = facts;
  const cover = covers.find((picture) => isOf(picture, trackId));
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

/** Of what an encoder adds at either end. */
const ENCODED_SECONDS = 0.25;

/** As the vendor counts it, who refuses moments beyond it, unless its file says something else altogether. */
function lengthOf(heard: number, counted: unknown): number {
  return typeof counted === 'number' && Math.abs(counted - heard) <= ENCODED_SECONDS ? counted : heard;
}

/** Of lyrics, for who wants no more than one. */
function firstText({ lyrics }: JsonObject): JsonObject {
  const [first] = Array.isArray(lyrics) ? lyrics.filter(isJsonObject) : [];
  return first?.['text'] === undefined ? {} : { text: first['text'] };
}
