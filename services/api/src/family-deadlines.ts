import type { Family } from '@mediagate/contracts';

const MINUTE_MS = 60_000;

/** How long a task may take from its submission; then it fails and is refunded. The specification fixes `imgtool`'s. */
export function familyDeadlines({ imageSeconds }: { imageSeconds: number }): Readonly<Record<Family, number>> {
  return {
    image: imageSeconds * 1000,
    video: 60 * MINUTE_MS,
    music: 30 * MINUTE_MS,
    imgtool: 30 * MINUTE_MS,
    tts: 10 * MINUTE_MS,
    text: 10 * MINUTE_MS,
  };
}
