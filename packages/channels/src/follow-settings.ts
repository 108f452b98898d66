import { isDeepStrictEqual } from 'node:util';
import type { PartReader, Settings, StoredSecrets } from '@mediagate/settings';
import { type ChannelChooser, createChannelChooser } from './channel-chooser';
import { type LaidSettings, layOverrides } from './lay-overrides';
import { NO_OVERRIDES, type Overrides } from './setting-schedule';

/** What a process offers for it; `Scope` of `@mediagate/host` is one. */
export interface SettingsScope {
  logger: {
    info(event: 'settings.read', fields: { digest: string }): void;
    error(event: 'settings.override_refused', fields: { reason: string; detail: string }): void;
  };
  onReload(name: string, reload: () => { digest: string }): void;
}

export interface FollowedSettings<Read> {
  /** Chooses among the channels that count now. */
  channels: ChannelChooser;
  /** What `read` returned last: the file alone. */
  current(): Read;
  /** The file with what operators have set over it: the same object until that changes. */
  laid(): LaidSettings;
  /** What operators have set of it, as it was taken last. */
  overrides(): Overrides;
  /** A secret of the database, as it was known last. */
  ofDatabase: StoredSecrets;
  /** Takes all overrides there are now, and the secrets of the database. */
  override(overrides: Overrides, ofDatabase?: StoredSecrets): void;
}

/**
 * Reads the configuration file, and again on SIGHUP. What is made from it belongs into `read`: where that throws, the process
 * continues with everything as it was. Overrides stay over whatever is read.
 */
export function followSettings<Read extends { settings: Settings }>(
  scope: SettingsScope,
  { read, reader }: { read: () => Read; reader: PartReader },
): FollowedSettings<Read> {
  let current = read();
  let overrides = NO_OVERRIDES;
  let ofDatabase: StoredSecrets | undefined;
  scope.logger.info('settings.read', { digest: current.settings.digest });
  let laid = lay();
  const chooser = createChannelChooser(laid.channels, { closed: laid.closedChannels });

  function lay(before?: LaidSettings): LaidSettings {
    const next = layOverrides(current.settings, overrides, { reader, ofDatabase });
    reportFaulty(scope, next);
    return before ? keepSame(next, before) : next;
  }

  function apply(): void {
    laid = lay(laid);
    chooser.replace(laid.channels, laid.closedChannels);
  }

  scope.onReload('configuration file', () => {
    current = read();
    apply();
    return { digest: current.settings.digest };
  });
  return {
    channels: chooser,
    current: () => current,
    laid: () => laid,
    overrides: () => overrides,
    ofDatabase: (name) => ofDatabase?.(name),
    override(next, secrets) {
      overrides = next;
      ofDatabase = secrets;
      apply();
    },
  };
}

function reportFaulty({ logger }: SettingsScope, { faulty }: LaidSettings): void {
  for (const { name, faults } of faulty) {
    const detail = faults.map(({ field, message }) => `${field}: ${message}`).join('; ');
    logger.error('settings.override_refused', { reason: name, detail });
  }
}

/** What is made from the section stays while it is the same. */
function keepSame(next: LaidSettings, before: LaidSettings): LaidSettings {
  return isDeepStrictEqual(next.webhooks, before.webhooks) ? { ...next, webhooks: before.webhooks } : next;
}
