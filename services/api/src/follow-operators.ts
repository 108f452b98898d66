import { followPrices } from '@mediagate/billing';
import { type Channels, followOverrides, judgeOnce, openVendorSealer, watchOverrides } from '@mediagate/channels';
import type { Database } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import { createPartReader, type PartReader } from '@mediagate/settings';
import type { ApiConfig } from './config';
import type { followApiSettings } from './follow-settings';

type Steered = ReturnType<typeof followApiSettings>['steered'];

interface FollowOperatorsOptions extends Steered {
  database: Database;
  config: ApiConfig;
  judge?: PartReader;
  /** Reads channels with the keys that this process has; default: by the checks of the file. */
  reader?: PartReader;
  times: {
    /** Interval of looks at what operators have set. */
    followMs?: number | undefined;
    /** The clock by which prices take effect, in milliseconds. */
    priceClock?: (() => number) | undefined;
  };
}

/** Follows what operators set over the file, and opens what they set and read it with. */
export async function followOperators(
  scope: Scope,
  { config, database, times, ...options }: FollowOperatorsOptions,
): Promise<Pick<Channels, 'sealer' | 'reader' | 'keys'>> {
  const { overridable, followKnown, requireKnown } = options;
  const sealer = openVendorSealer(config);
  const { followMs: everyMs, priceClock: now } = times;
  scope.addReadinessCheck('prices', async () => requireKnown());
  const channels = await followOverrides(scope, { database, sealer, followed: overridable, everyMs });
  watchOverrides(scope.metrics, channels);
  followKnown({ channels, prices: await followPrices(scope, { database, everyMs, now }) });
  const { CHANNEL_ALLOW_ORIGINS: allowOrigins } = config;
  const ofFile = { allowOrigins, models: () => overridable.current().settings.models };
  return {
    sealer,
    reader: judgeOnce(options.judge ?? createPartReader(process.env, { ...ofFile, keysOf: new Set() })),
    keys: options.reader ?? createPartReader(process.env, ofFile),
  };
}
