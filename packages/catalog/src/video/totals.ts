import type { LoadedMedia } from '@mediagate/contracts';
import type { MediaProblem } from '../entry';

/** Length of all files of a role together, in seconds: a sum of milliseconds, so that 5.1 + 4.9 + 5 is no more than 15. */
export function totalSeconds(media: readonly LoadedMedia[], role: LoadedMedia['role']): number {
  const files = media.filter((file) => file.role === role);
  return files.reduce((sum, { seconds = 0 }) => sum + Math.round(seconds * 1000), 0) / 1000;
}

/** What is wrong when files of a role are longer together than they may be. */
export function tooLongTogether(
  media: readonly LoadedMedia[],
  { role, maxSeconds }: { role: LoadedMedia['role']; maxSeconds: number },
): MediaProblem | undefined {
  const found = totalSeconds(media, role);
  if (found <= maxSeconds) return undefined;
  const files = media.filter((file) => file.role === role).map(({ field }) => field);
  return {
    field: files[0] ?? '',
    message: `${files.join(', ')}: together they last ${found} s; at most ${maxSeconds} s are accepted.`,
  };
}
