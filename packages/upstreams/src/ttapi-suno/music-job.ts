import type { JsonObject, MusicRequest } from '@mediagate/contracts';
import type { Job } from '../job';
import { present } from '../json-guards';

/** The facts of a job that are kept to ask about it and to read its answer. */
export type MusicJob = Job & {
  jobId: string;
  operation: MusicRequest['operation'];
  /** Wanted, where it is not the vendor's own. */
  audioFormat?: 'm4a' | 'wav';
  /** For stems: their type, and the title of their track. */
  stemType?: string;
  title?: string;
  /** The known words of a track that was handed over; the vendor does not know them of its copy. */
  of?: Words;
};

type Words = JsonObject & { title?: string; lyrics?: string; tags?: string };

/** Operations whose result is the track that went in. */
const SAME_TRACK: ReadonlySet<MusicRequest['operation']> = new Set(['extend', 'replace', 'remaster', 'concat']);

export function musicJob(jobId: string, music: MusicRequest, { isForeign }: { isForeign: boolean }): MusicJob {
  const { operation, audioFormat, stemType, source, title } = music;
  const { title: sourceTitle, lyrics, tags } = source ?? {};
  const words = present<Words>({ title: title ?? sourceTitle, lyrics, tags: music.tags ?? tags });
  return present<MusicJob>({
    jobId,
    operation,
    since: Date.now(),
    audioFormat: audioFormat === 'mp3' ? undefined : audioFormat,
    ...(operation === 'stems' ? { stemType, title: sourceTitle } : {}),
    ...(isForeign && SAME_TRACK.has(operation) ? { of: words } : {}),
  });
}
