import type { Request } from 'express';
import type { Asset } from '../assets/asset-store';
import { contentOfBytes } from '../assets/content';
import { linkExpirySeconds, type VendorJob } from '../jobs/vendor-job';
import type { AudioStudio } from '../media/audio/audio-studio';
import { renderImage } from '../media/render';
import type { MusicDetail, MusicJobs } from './music-jobs';
import type { Track } from './track';

export interface TrackLinks {
  audio: string;
  cover: string;
}

/** The absolute links to a track and its cover, which work for the vendor's time from the end of the job. */
export function trackLinks<Detail extends MusicDetail>(
  request: Request,
  { jobs, job, track }: { jobs: MusicJobs<Detail>; job: VendorJob<Detail>; track: Track },
): TrackLinks {
  const name = `${jobs.wire}-${job.id}-${job.detail.tracks.indexOf(track) + 1}`;
  const link = (extension: string) =>
    `http://${request.get('host')}/assets/${name}.${extension}?exp=${linkExpirySeconds(job)}`;
  return { audio: link('mp3'), cover: link('jpeg') };
}

/** The file behind such a link, made when it is first fetched. */
export function findTrackFile<Detail extends MusicDetail>(
  name: string,
  { jobs, studio }: { jobs: MusicJobs<Detail>; studio: AudioStudio },
): Asset | undefined {
  const [, wire, jobId = '', place, extension] = /^([a-z]+)-([A-Za-z0-9-]+)-(\d{1,2})\.([a-z0-9]+)$/.exec(name) ?? [];
  const job = wire === jobs.wire ? jobs.findFile(jobId) : undefined;
  const track = job && jobs.readyTracks(job)[Number(place) - 1];
  if (!job || !track || (extension !== 'mp3' && extension !== 'jpeg')) return undefined;
  return {
    expiresAtMs: linkExpirySeconds(job) * 1_000,
    // The faults of downloads are those of the tracks; a cover is never what a test is after.
    fault: extension === 'jpeg' ? undefined : job.detail.fileFault,
    open: () => (extension === 'jpeg' ? drawCover(track) : studio.audio(track.recording)),
  };
}

const COVER_PIXELS = 512;

async function drawCover({ title, tags }: Track) {
  const size = { width: COVER_PIXELS, height: COVER_PIXELS };
  const image = await renderImage({
    ...size,
    prompt: `${title} ${tags}`.trim(),
    seed: 0,
    format: 'jpeg',
    quality: 85,
  });
  return contentOfBytes(image, 'image/jpeg');
}
