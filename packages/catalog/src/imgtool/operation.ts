import type { ImgtoolRequest } from '@mediagate/contracts';
import { allBillingKeys, billingKeys, pricesOf } from '../billing-keys';
import { pricedByKey } from '../key-pricing';
import { PRICES } from './prices';
import { IMGTOOL_VERSIONS } from './version';

const IMGTOOL = 'imgtool';
/** Speeds with prices of their own; `relax` has none. */
const PAID_SPEEDS = ['fast', 'turbo'] as const;

/** The only version whose images can be remixed. */
export const REMIXED_VERSION = 'v8.1';

/** The parts that all operations of the image tool share; the price depends on version and speed. */
export function imgtoolOperation(action: ImgtoolRequest['action']) {
  const known = allBillingKeys(IMGTOOL, action, { versions: IMGTOOL_VERSIONS, speeds: PAID_SPEEDS });
  return pricedAmong(action, known);
}

/** Remixes are of one version and have no speed. */
export function remixOperation(action: ImgtoolRequest['action']) {
  return pricedAmong(action, allBillingKeys(IMGTOOL, action, { versions: [REMIXED_VERSION] }));
}

function pricedAmong(action: ImgtoolRequest['action'], known: readonly string[]) {
  return {
    ...identity(action),
    ...pricedByKey({
      known,
      keys: (input: object) => billingKeys(IMGTOOL, action, dimensionsOf(input)),
      prices: pricesOf(known, PRICES),
    }),
  };
}

/** Videos are priced by their size instead, and each that was made by itself. */
export function videoOperation() {
  const known = [`${IMGTOOL}@video-720p`, `${IMGTOOL}@video`, IMGTOOL];
  return {
    ...identity('video'),
    ...pricedByKey({
      known,
      keys: ({ video_type: type }: { video_type: string | number }) => (`${type}` === '720' ? known : known.slice(1)),
      prices: pricesOf(known, PRICES),
      times: ({ batch_size: videos }: { video_type: string | number; batch_size: number }) => videos,
      made: ({ videos }) => videos,
    }),
  };
}

function identity(action: ImgtoolRequest['action']) {
  return {
    id: IMGTOOL,
    family: 'imgtool',
    operation: `imgtool.${action.replaceAll('_', '-')}`,
    version: 1,
    // Channels of the image tool run few jobs at once, so that a task may wait long for one: the half hour counts from its beginning.
    startWithinSeconds: 86_400,
    deadlineMinutes: 30,
    resultLifetimeHours: 24,
  } as const;
}

/** The version is the caller's own, or that of the image worked on; without one the vendor chooses. */
function dimensionsOf(input: { version?: unknown; speed?: unknown } | object) {
  const version = 'version' in input && typeof input.version === 'string' ? input.version : undefined;
  const speed = 'speed' in input ? PAID_SPEEDS.find((paid) => paid === input.speed) : undefined;
  return { version, speed };
}
