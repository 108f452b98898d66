import type { Done, JsonObject, Output, Refused, TrackFacts } from '@mediagate/contracts';
import { decimal, httpUrl, identifier, list, object, present, text } from './json-guards';
import { refused, unreadable } from './vendor-call';

/** One song as a vendor answers it: nothing of it is known to have the right type. */
export type AnsweredTrack = { [K in keyof TrackFacts]?: unknown } & { link: unknown; seconds?: unknown };

/** Whether the song can be had already. */
export function isThere({ link }: AnsweredTrack): boolean {
  return httpUrl(link) !== undefined;
}

/** The songs of a job that has ended well, and their covers; without a song that can be had it is asked about again. */
export function doneWithTracks(tracks: readonly AnsweredTrack[]): Done | Refused {
  const there = tracks.filter(isThere);
  if (there.length === 0) return refused(unreadable('no link to a song'));
  const lengths = there.map(({ seconds }) => decimal(seconds)).filter((seconds) => seconds !== undefined);
  const total = lengths.reduce((sum, seconds) => sum + seconds, 0);
  return {
    kind: 'done',
    outputs: [...there.map(songOf), ...there.flatMap(coverOf)],
    usage: lengths.length === there.length ? { seconds: Math.round(total) } : {},
  };
}

/** What was made and is no file. */
export function doneWithFacts(facts: JsonObject): Done {
  return { kind: 'done', outputs: [], facts, usage: {} };
}

/** What the vendor says of a song, as far as it can be used. */
export function trackFacts(track: { [K in keyof TrackFacts]?: unknown }): JsonObject & TrackFacts {
  return present<JsonObject & TrackFacts>({
    trackId: identifier(track.trackId),
    title: text(track.title),
    lyrics: text(track.lyrics),
    tags: wordList(track.tags),
    imageUrl: httpUrl(track.imageUrl),
    videoUrl: httpUrl(track.videoUrl),
  });
}

/** Lyrics for the task's result: `{ lyrics: [{ title, text, tags }] }`. What has no words is left out. */
export function doneWithLyrics(songs: readonly { title?: unknown; text: unknown; tags?: unknown }[]): Done | Refused {
  const lyrics = songs.flatMap((song) => {
    const words = text(song.text);
    if (words === undefined) return [];
    return [present<JsonObject>({ title: text(song.title), text: words, tags: wordList(song.tags) })];
  });
  return lyrics.length === 0 ? refused(unreadable('no lyrics')) : doneWithFacts({ lyrics });
}

/**
 * When each word of a song is sung, in seconds: `{ alignment: [{ word, start_s, end_s }] }`. A song that is not sung has
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

function songOf(track: AnsweredTrack): Output {
  return { role: 'audio', url: httpUrl(track.link) ?? '', facts: trackFacts(track) };
}

/** Its facts say of which song. */
function coverOf(track: AnsweredTrack): Output[] {
  const { trackId, imageUrl } = trackFacts(track);
  return trackId === undefined || imageUrl === undefined ? [] : [{ role: 'cover', url: imageUrl, facts: { trackId } }];
}

/** Styles come as one text or as a list of them. */
function wordList(words: unknown): string | undefined {
  const several = list(words)?.flatMap((word) => text(word) ?? []);
  return text(several === undefined ? words : several.join(', '));
}
