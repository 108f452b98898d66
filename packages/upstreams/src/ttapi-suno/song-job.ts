import type { JsonObject, MusicRequest } from '@mediagate/contracts';
import type { Job } from '../job';
import { present } from '../json-guards';

/** What of a job has to be kept to ask about it and to read its answer. */
export type SongJob = Job & {
  jobId: string;
  operation: MusicRequest['operation'];
  /** Wanted, where it is not the vendor's own. */
  audioFormat?: 'm4a' | 'wav';
  /** Of stems: which, and of what song. */
  stemType?: string;
  title?: string;
  /** What is known of a song that was handed over, which the vendor does not know of its copy. */
  of?: Words;
};

type Words = JsonObject & { title?: string; lyrics?: string; tags?: string };

/** What comes out of these is the song that went in. */
const SAME_SONG: ReadonlySet<MusicRequest['operation']> = new Set(['extend', 'replace', 'remaster', 'concat']);

export function songJob(jobId: string, music: MusicRequest, { isForeign }: { isForeign: boolean }): SongJob {
  const { operation, audioFormat, stemType, source, title } = music;
  const { title: sourceTitle, lyrics, tags } = source ?? {};
  const words = present<Words>({ title: title ?? sourceTitle, lyrics, tags: music.tags ?? tags });
  return present<SongJob>({
    jobId,
    operation,
    since: Date.now(),
    audioFormat: audioFormat === 'mp3' ? undefined : audioFormat,
    ...(operation === 'stems' ? { stemType, title: sourceTitle } : {}),
    ...(isForeign && SAME_SONG.has(operation) ? { of: words } : {}),
  });
}
