import type { Clock } from '../clock';
import type { AudioStudio } from '../media/audio/audio-studio';
import type { Recording } from '../media/audio/recording';
import { fetchBounded } from '../media/fetch-bounded';

/** Tools that every music vendor works with. */
export interface MusicTools {
  clock: Clock;
  studio: AudioStudio;
  /** Hosts from which links in requests may be fetched. */
  fetchHosts: string[];
}

const MAX_UPLOAD_BYTES = 20 * 1024 * 1024;

/** Fetches a sound that a request names; the problem is a sentence fit for a vendor's error message. */
export async function fetchClip(
  link: string,
  { studio, fetchHosts }: MusicTools,
): Promise<{ clip: Recording } | { problem: string }> {
  const fetched = await fetchBounded(link, { allowedHosts: fetchHosts, maxBytes: MAX_UPLOAD_BYTES });
  if (fetched.kind === 'failed') return { problem: fetched.sentence };
  if (!fetched.isWhole) return { problem: 'the audio file is too large' };
  const clip = await studio.clip(fetched.bytes);
  return clip ? { clip } : { problem: 'the file is not a supported audio' };
}
