import type { ChannelOverride } from '@mediagate/database';
import type { Settings } from '@mediagate/settings';
import { type ChannelChooser, createChannelChooser } from './channel-chooser';
import { overrideChannels } from './override-channels';

/** What a process offers for it; `Scope` of `@mediagate/host` is one. */
export interface SettingsScope {
  logger: { info(event: 'settings.read', fields: { digest: string }): void };
  onReload(name: string, reload: () => { digest: string }): void;
}

export interface FollowedSettings<Read> {
  /** Chooses among the channels of the file as it was read last, with the operators' overrides. */
  channels: ChannelChooser;
  /** What `read` returned last. */
  current(): Read;
  /** Those that take tasks now: the same array until that changes. */
  openChannels(): Settings['channels'];
  /** Those that it took last. */
  overrides(): readonly ChannelOverride[];
  /** Takes all overrides there are now. */
  override(overrides: readonly ChannelOverride[]): void;
}

/**
 * Reads the configuration file, and again on SIGHUP. What is made from it belongs into `read`: where that throws, the process
 * continues with everything as it was.
 */
export function followSettings<Read extends { settings: Settings }>(
  scope: SettingsScope,
  read: () => Read,
): FollowedSettings<Read> {
  let current = read();
  let overrides: readonly ChannelOverride[] = [];
  let open = current.settings.channels;
  const { digest, channels, closedChannels } = current.settings;
  scope.logger.info('settings.read', { digest });
  const chooser = createChannelChooser(channels, { closed: closedChannels });

  function apply(): void {
    const overridden = overrideChannels(current.settings, overrides);
    open = overridden.channels;
    chooser.replace(overridden.channels, overridden.closedChannels);
  }

  scope.onReload('configuration file', () => {
    current = read();
    apply();
    return { digest: current.settings.digest };
  });
  return {
    channels: chooser,
    current: () => current,
    openChannels: () => open,
    overrides: () => overrides,
    override(next) {
      if (JSON.stringify(next) === JSON.stringify(overrides)) return;
      overrides = next;
      apply();
    },
  };
}
