import type { Call } from '../vendor-call/contract';

/** Short, so that a thousand test tracks are made in no time. */
const DEFAULT_TRACK_SECONDS = 12;
const MAX_TRACK_SECONDS = 480;

/** How long a new track is to be: what a fault list says (`seconds=30`), what the request says, or the usual. */
export function trackSeconds({ faults }: Call, requested: number | undefined): number {
  const asked = faults.take('seconds');
  const seconds = asked ? Number(asked.value) : (requested ?? DEFAULT_TRACK_SECONDS);
  return Math.min(MAX_TRACK_SECONDS, Math.max(1, seconds));
}
