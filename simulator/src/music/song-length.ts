import type { Call } from '../vendor-call/contract';

/** Short, so that a thousand test songs are made in no time. */
const DEFAULT_SONG_SECONDS = 12;
const MAX_SONG_SECONDS = 480;

/** How long a new song is to be: what a fault list says (`seconds=30`), what the request says, or the usual. */
export function songSeconds({ faults }: Call, requested: number | undefined): number {
  const asked = faults.take('seconds');
  const seconds = asked ? Number(asked.value) : (requested ?? DEFAULT_SONG_SECONDS);
  return Math.min(MAX_SONG_SECONDS, Math.max(1, seconds));
}
