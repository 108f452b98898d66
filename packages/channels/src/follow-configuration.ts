import type { Scope } from '@mediagate/host';
import type { Sealer } from '@mediagate/identity';
import { createPartReader, type PartReader, type Settings } from '@mediagate/settings';
import { type FollowedOverrides, type FollowOverridesOptions, followOverrides } from './follow-overrides';
import { type FollowedSettings, followSettings } from './follow-settings';
import { watchOverrides } from './metrics/channel-gauges';
import { openVendorSealer, type SealingVariables } from './vendor-secrets';

export interface FollowConfigurationOptions<Read>
  extends Pick<FollowOverridesOptions, 'database' | 'paces' | 'channelSlots' | 'everyMs'> {
  config: SealingVariables & { CHANNEL_ALLOW_ORIGINS: readonly string[] };
  /** Reads the operator's file; whatever is made from it must be made here. */
  read(): Read;
  /** Protocols of the channels whose keys the process has; absent: all. */
  keysOf?: ReadonlySet<string> | undefined;
  /** Reads what operators have set over the file; default: by the checks of the file. */
  reader?: PartReader | undefined;
}

export interface FollowedConfiguration<Read> extends FollowedSettings<Read> {
  /** Whether what operators have set is known. */
  known: FollowedOverrides;
  /** Opens the secrets that the database keeps; undefined: this process has no key for them. */
  sealer: Sealer | undefined;
}

/** Follows the operator's file, and what operators have set over it. Every service that goes by channels opens them so. */
export async function followConfiguration<Read extends { settings: Settings }>(
  scope: Scope,
  { config, read, keysOf, ...options }: FollowConfigurationOptions<Read>,
): Promise<FollowedConfiguration<Read>> {
  const reader =
    options.reader ?? createPartReader(process.env, { keysOf, allowOrigins: config.CHANNEL_ALLOW_ORIGINS });
  const followed = followSettings(scope, { read, reader });
  const sealer = openVendorSealer(config);
  const known = await followOverrides(scope, { ...options, followed, sealer });
  watchOverrides(scope.metrics, known);
  return { ...followed, known, sealer };
}
