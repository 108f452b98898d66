import type { MusicRequest } from '@mediagate/contracts';
import { allBillingKeys, billingKeys, pricesOf } from '../billing-keys';
import { pricedByKey } from '../key-pricing';

const MODEL = 'musicgen';
/** Versions of the models behind it. */
export const MUSIC_VERSIONS = ['v5', 'v5.5'] as const;

/** Currency units of one task by billing key: first operations that make tracks, then those that make less. */
const PRICES: Readonly<Record<string, number>> = {
  musicgen: 0.08,
  'musicgen@upload': 0.01,
  'musicgen@crop': 0.02,
  'musicgen@remove': 0.02,
  'musicgen@fade': 0.02,
  'musicgen@adjust_speed': 0.02,
  'musicgen@stems': 0.1,
  'musicgen@sounds': 0.03,
  'musicgen@lyrics': 0.01,
  'musicgen@concat': 0.02,
  'musicgen@midi': 0.02,
  'musicgen@bpm': 0.01,
  'musicgen@aligned_lyrics': 0.01,
};

/** The parts that all operations of the music model share. With `versioned` the price may depend on the version. */
export function musicOperation(action: MusicRequest['operation'], { versioned = false }: { versioned?: boolean } = {}) {
  const known = allBillingKeys(MODEL, action, versioned ? { versions: MUSIC_VERSIONS } : {});
  return {
    id: MODEL,
    family: 'music',
    operation: `music.${action.replaceAll('_', '-')}`,
    version: 1,
    deadlineMinutes: 30,
    resultLifetimeHours: 24,
    ...pricedByKey({
      known,
      keys: (input: object) => billingKeys(MODEL, action, versionOf(input)),
      prices: pricesOf(known, PRICES),
    }),
  } as const;
}

/** Operations without versions have no such field, whatever their callers send. */
function versionOf(input: { version?: string } | object): { version?: string | undefined } {
  return 'version' in input ? { version: input.version } : {};
}
