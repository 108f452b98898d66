import { aboutField, type KnownMedia, message } from '@mediagate/contracts';
import type { MediaProblem } from '../entry';

/** Encoders fill the last frame, so that a clip may be some hundredths longer than meant; each clip has this margin. */
const MARGIN_SECONDS = 0.05;

/** Length of all files of a role together, in seconds: a sum of milliseconds, so that 5.1 + 4.9 + 5 is no more than 15. */
export function totalSeconds(media: readonly KnownMedia[], role: KnownMedia['role']): number {
  const files = media.filter((file) => file.role === role);
  return files.reduce((sum, { seconds = 0 }) => sum + Math.round(seconds * 1000), 0) / 1000;
}

/** Whether it is longer than it may be, beyond the margin of the files it is the length of. */
export function exceeds(
  seconds: number,
  { maxSeconds, media, role }: { maxSeconds: number; media: readonly KnownMedia[]; role: KnownMedia['role'] },
): boolean {
  const files = media.filter((file) => file.role === role).length;
  return Math.round((seconds - maxSeconds - files * MARGIN_SECONDS) * 1000) > 0;
}

/** The problem of files of a role that are longer together than they may be; undefined: they are not. */
export function tooLongTogether(
  media: readonly KnownMedia[],
  { role, maxSeconds }: { role: KnownMedia['role']; maxSeconds: number },
): MediaProblem | undefined {
  const found = totalSeconds(media, role);
  if (!exceeds(found, { maxSeconds, media, role })) return undefined;
  const files = media.filter((file) => file.role === role).map(({ field }) => field);
  const problem = message('together_too_long', { seconds: found, limit: maxSeconds });
  return { param: files[0] ?? '', message: aboutField(files.join(', '), problem) };
}
