import type { CheckOutcome, Done, JsonObject, LoadedMedia, MusicRequest, Output, Refused } from '@mediagate/contracts';
import { decimal, decimalText, httpUrl, identifier, list, object, text } from '../json-guards';
import {
  type AnsweredTrack,
  doneWithAlignment,
  doneWithFacts,
  doneWithLyrics,
  doneWithTracks,
  notes,
  trackFacts,
} from '../music-result';
import { stemTitle, stemTypesOf } from '../stem-titles';
import { refused, unreadable } from '../vendor-call';
import type { MusicJob } from './music-job';

/** The tracks of an answer, those that are not there yet among them. */
export function tracksIn({ musics }: JsonObject): AnsweredTrack[] {
  return (list(musics) ?? []).map((music) => {
    const { musicId, title, prompt, tags, imageLargeUrl, imageUrl, audioUrl, duration } = object(music);
    const image = httpUrl(imageLargeUrl) ?? imageUrl;
    const facts = { trackId: musicId, title, lyrics: prompt, tags, imageUrl: image };
    return { ...facts, link: audioUrl, seconds: duration };
  });
}

/** The result of a job that has ended well, with the vendor's figure of its cost, unless handing over its track was paid for too. */
export function readResult(job: MusicJob, data: JsonObject): CheckOutcome {
  const read = readTracks(job, data);
  const credits = job.of === undefined ? decimalText(data['quota']) : undefined;
  if (credits === undefined) return read;
  if (read.kind === 'refused') return { ...read, fault: { ...read.fault, credits } };
  return read.kind === 'done' ? { ...read, credits } : read;
}

function readTracks(job: MusicJob, data: JsonObject): CheckOutcome {
  const { operation, audioFormat } = job;
  if (operation === 'lyrics') return readLyrics(data);
  const tracks = operation === 'stems' ? stemsIn(data, job) : tracksIn(data);
  return doneWithTracks(
    tracks.map((track) => ({ ...track, ...wordsFor(track, job) })),
    { audioFormat },
  );
}

/** The vendor calls its copy of a track that was handed over as it likes, and knows none of its words. */
function wordsFor({ lyrics, tags }: AnsweredTrack, { of }: MusicJob): Partial<AnsweredTrack> {
  if (of === undefined) return {};
  return { ...of, lyrics: text(lyrics) ?? of.lyrics, tags: text(tags) ?? of.tags };
}

/** The vendor gives with every stem the track without it, which alone says so in its title. */
function stemsIn(data: JsonObject, { stemType, title: trackTitle }: MusicJob): AnsweredTrack[] {
  const tracks = tracksIn(data);
  const isRest = ({ title }: AnsweredTrack) => /\bwithout\b/i.test(text(title) ?? '');
  const inOrder = [...tracks.filter((track) => !isRest(track)), ...tracks.filter(isRest)];
  return stemTypesOf(stemType).flatMap((type, index) => {
    const track = inOrder[index];
    return track === undefined ? [] : [{ ...track, title: stemTitle(type, trackTitle) }];
  });
}

/** Operations that the vendor answers at once; undefined: the answer is a job. */
export function readAtOnce(
  music: MusicRequest,
  data: JsonObject,
  audio: LoadedMedia | undefined,
): Done | Refused | undefined {
  switch (music.operation) {
    case 'upload':
      return readUpload(music, data, audio);
    case 'midi': {
      const instruments = list(data['instruments']);
      return instruments === undefined
        ? refused(unreadable('no instruments'))
        : doneWithFacts({ midi: { instruments: notes(instruments) } });
    }
    case 'bpm': {
      const bpm = decimal(data['avg_bpm']) ?? decimal(data['bpm']);
      return bpm === undefined ? refused(unreadable('no tempo')) : doneWithFacts({ bpm });
    }
    case 'aligned_lyrics':
      return doneWithAlignment(data['alignment'], { start: 'start_s', end: 'end_s' });
    default:
      return undefined;
  }
}

/** The vendor has taken in the caller's own sound: what is kept here is that, with the vendor's id of it. */
function readUpload(
  { audioUrl, title }: MusicRequest,
  data: JsonObject,
  audio: LoadedMedia | undefined,
): Done | Refused {
  const trackId = identifier(data['music_id']) ?? identifier(data['musicId']);
  if (trackId === undefined) return refused(unreadable('no song id'));
  return {
    kind: 'done',
    outputs: [{ ...soundOf(audioUrl, audio), facts: trackFacts({ trackId, title }) }],
    usage: audio?.seconds === undefined ? {} : { seconds: Math.round(audio.seconds) },
  };
}

function soundOf(audioUrl: string | undefined, audio: LoadedMedia | undefined): Output {
  if (audio !== undefined) return { role: 'audio', contentType: audio.contentType, bytes: audio.bytes };
  if (audioUrl === undefined) throw new TypeError('an upload without a sound');
  return { role: 'audio', url: audioUrl };
}

/** Where the words stand is not described: as lyrics by themselves, or where those of a track stand. */
function readLyrics(data: JsonObject): Done | Refused {
  const { lyrics, musics } = data;
  if (text(lyrics) !== undefined) return doneWithLyrics([{ ...data, text: lyrics }]);
  const tracks = list(lyrics) ?? list(musics) ?? [object(lyrics)];
  return doneWithLyrics(
    tracks.map(object).map(({ title, tags, text: words, lyrics: sung, prompt }) => {
      return { title, tags, text: words ?? sung ?? prompt };
    }),
  );
}
