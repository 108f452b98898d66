import type { Done, Fault, JsonObject, MusicRequest, Refused } from '@mediagate/contracts';
import { ended } from '../job';
import { list, object, present } from '../json-guards';
import { type AnsweredTrack, doneWithLyrics, doneWithTracks, isThere } from '../music-result';
import { stemTitle } from '../stem-titles';
import { separationOf } from './stems';

/** The facts of a job that are kept to ask about it and to read its answer. */
export type MusicJob = JsonObject & {
  since: number;
  taskId: string;
  operation: MusicRequest['operation'];
  /** Wanted, where it is not the vendor's own. */
  audioFormat?: 'm4a' | 'wav';
  /** For stems: their type, and the title of their track. */
  stemType?: string;
  title?: string;
};

export function musicJob(
  taskId: string,
  { operation, audioFormat: wanted, stemType, title, source }: MusicRequest,
): MusicJob {
  const audioFormat = wanted === 'mp3' ? undefined : wanted;
  const stems = operation === 'stems' ? { stemType, title: title ?? source?.title } : {};
  return present<MusicJob>({ taskId, operation, since: Date.now(), audioFormat, ...stems });
}

/** Each kind of job is asked about elsewhere. */
export function recordPath({ operation }: MusicJob): string {
  if (operation === 'lyrics') return '/lyrics/record-info';
  return operation === 'stems' ? '/vocal-removal/record-info' : '/generate/record-info';
}

/** The result of a job that has ended well. */
export function readResult(job: MusicJob, data: JsonObject): Done | Refused {
  const response = object(data['response']);
  if (job.operation === 'lyrics') {
    const { lyricsData, data: older } = response;
    return doneWithLyrics(
      (list(lyricsData) ?? list(older) ?? []).map(object).map(({ title, text }) => ({ title, text })),
    );
  }
  return job.operation === 'stems' ? readStems(job, response) : doneWithTracks(tracksIn(response), job);
}

/** Whether all the tracks that the vendor speaks of can be had. */
export function isWhole(data: JsonObject): boolean {
  const tracks = tracksIn(object(data['response']));
  return tracks.length > 0 && tracks.every(isThere);
}

function tracksIn({ sunoData }: JsonObject): AnsweredTrack[] {
  return (list(sunoData) ?? []).map((track) => {
    const { id, title, prompt, tags, imageUrl, audioUrl, duration } = object(track);
    return { trackId: id, title, lyrics: prompt, tags, imageUrl, link: audioUrl, seconds: duration };
  });
}

/** Other parts without the wanted one are the whole answer: the track does not have it. The vendor gives stems no ids. */
function readStems({ stemType, title }: MusicJob, response: JsonObject): Done | Refused {
  const { parts = [] } = separationOf(stemType) ?? {};
  const stems: AnsweredTrack[] = parts.map(([link, part]) => ({
    title: stemTitle(part, title),
    link: response[link],
  }));
  const others = Object.values(response).some((link) => isThere({ link }));
  if (others && !stems.some(isThere)) return ended(NO_SUCH_PART);
  return doneWithTracks(stems);
}

const NO_SUCH_PART: Fault = { code: 'generation_failed', detail: 'the song was separated, and has no such part' };
