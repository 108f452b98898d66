import type { Scope } from './scope';

interface Looking {
  /** For the log of the process's end. */
  name: string;
  everyMs: number;
  look(): Promise<void>;
  /** Called for the first of several failures in a row. */
  onAway(error: unknown): void;
}

/**
 * Looks at once, and then in every period, whatever a look came to; never twice at once. Resolves after the first look, with what looks
 * now, or waits for the look that is under way, and throws where that fails.
 */
export async function keepLooking(
  scope: Pick<Scope, 'defer'>,
  { name, everyMs, look, onAway }: Looking,
): Promise<() => Promise<void>> {
  let looking: Promise<void> | undefined;
  let isAway = false;
  const lookNow = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const lookOn = async () => {
    try {
      await lookNow();
      isAway = false;
    } catch (error) {
      if (!isAway) onAway(error);
      isAway = true;
    }
  };
  await lookOn();
  const timer = setInterval(lookOn, everyMs);
  scope.defer(name, async () => {
    clearInterval(timer);
    await looking?.catch(() => undefined);
  });
  return lookNow;
}
