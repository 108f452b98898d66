import {
  type Done,
  type Json,
  type JsonObject,
  message,
  type Output,
  type Refused,
  type TrackFacts,
} from '@mediagate/contracts';
import { decimal, httpUrl, identifier, list, object, present, text } from './json-guards';
import { refused, unreadable } from './vendor-call';

/** One track as a vendor answers it: no field is known to have the right type. */
export type AnsweredTrack = { [K in keyof TrackFacts]?: unknown } & { link: unknown; seconds?: unknown };

/** Whether the track can be downloaded already. */
export function isThere({ link }: AnsweredTrack): boolean {
  return httpUrl(link) !== undefined;
}

/** The tracks of a job that has succeeded, and their covers. Without a track that can be downloaded the job is checked again. */
export function doneWithTracks(
  tracks: readonly AnsweredTrack[],
  { audioFormat }: { audioFormat?: Output['audioFormat'] | undefined } = {},
): Done | Refused {
  const there = tracks.filter(isThere);
  if (there.length === 0) return refused(unreadable('no link to a song'));
  const lengths = there.map(({ seconds }) => decimal(seconds)).filter((seconds) => seconds !== undefined);
  const total = lengths.reduce((sum, seconds) => sum + seconds, 0);
  return {
    kind: 'done',
    outputs: [...there.map((track) => trackOf(track, audioFormat)), ...there.flatMap(coverOf)],
    usage: lengths.length === there.length ? { seconds: Math.round(total) } : {},
  };
}

/** It is stored with the task, and is part of every poll, callback and batch. */
const FACTS_MAX_BYTES = 512 * 1024;

/** A result without files; a failure if its facts are larger than a record can hold, since asking again makes them no smaller. */
export function doneWithFacts(facts: JsonObject): Done | Refused {
  const bytes = Buffer.byteLength(JSON.stringify(facts));
  if (bytes <= FACTS_MAX_BYTES) return { kind: 'done', outputs: [], facts, usage: {} };
  const tooLarge = message('result_too_large', { limit: FACTS_MAX_BYTES / 1024 });
  return refused({ code: 'generation_failed', message: tooLarge, detail: `a result of ${bytes} bytes of JSON` });
}

/** Deeper than the notes of a track are nested. */
const NOTES_MAX_DEPTH = 8;

/**
 * The notes of a track, whatever the vendor calls their parts: texts as they can be stored, and figures to a thousandth, which
 * is a millisecond of their times.
 */
export function notes(value: Json, depth = 0): Json {
  if (typeof value === 'string') return text(value) ?? '';
  if (typeof value === 'number') return Math.round(value * 1000) / 1000;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === NOTES_MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((each) => notes(each, depth + 1));
  const fields = Object.entries(value).map(([name, each]) => [text(name) ?? '', notes(each, depth + 1)]);
  return Object.fromEntries(fields) as JsonObject;
}

/** The vendor's facts about a track, as far as they can be used. */
export function trackFacts(track: { [K in keyof TrackFacts]?: unknown }): JsonObject & TrackFacts {
  return present<JsonObject & TrackFacts>({
    trackId: identifier(track.trackId),
    title: text(track.title),
    lyrics: text(track.lyrics),
    tags: wordList(track.tags),
    imageUrl: httpUrl(track.imageUrl),
  });
}

/** Lyrics for the task's result: `{ lyrics: [{ title, text, tags }] }`. What has no words is left out. */
export function doneWithLyrics(tracks: readonly { title?: unknown; text: unknown; tags?: unknown }[]): Done | Refused {
  const lyrics = tracks.flatMap((track) => {
    const words = text(track.text);
    if (words === undefined) return [];
    return [present<JsonObject>({ title: text(track.title), text: words, tags: wordList(track.tags) })];
  });
  return lyrics.length === 0 ? refused(unreadable('no lyrics')) : doneWithFacts({ lyrics });
}

/**
 * When each word of a track is sung, in seconds: `{ alignment: [{ word, start_s, end_s }] }`. A track that is not sung has
 * none.
 */
export function doneWithAlignment(words: unknown, names: { start: string; end: string }): Done | Refused {
  const answered = list(words);
  if (answered === undefined) return refused(unreadable('no alignment'));
  const alignment = answered.flatMap((answer) => {
    const { word, [names.start]: start, [names.end]: end } = object(answer);
    const [from, to] = [decimal(start), decimal(end)];
    const sung = text(word);
    return sung === undefined || from === undefined || to === undefined
      ? []
      : [{ word: sung, start_s: from, end_s: to }];
  });
  return answered.length > 0 && alignment.length === 0
    ? refused(unreadable('no word with its times'))
    : doneWithFacts({ alignment });
}

function trackOf(track: AnsweredTrack, audioFormat: Output['audioFormat']): Output {
  const facts = present<JsonObject>({ ...trackFacts(track), seconds: decimal(track.seconds) });
  const format = audioFormat === undefined ? {} : { audioFormat };
  return { role: 'audio', url: httpUrl(track.link) ?? '', ...format, facts };
}

/** Its facts name the track. */
function coverOf(track: AnsweredTrack): Output[] {
  const { trackId, imageUrl } = trackFacts(track);
  return trackId === undefined || imageUrl === undefined ? [] : [{ role: 'cover', url: imageUrl, facts: { trackId } }];
}

/** Styles come as one text or as a list of them. */
function wordList(words: unknown): string | undefined {
  const several = list(words)?.flatMap((word) => text(word) ?? []);
  return text(several === undefined ? words : several.join(', '));
}
