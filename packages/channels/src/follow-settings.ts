import type { Settings } from '@mediagate/settings';
import { type ChannelChooser, createChannelChooser } from './channel-chooser';

/** What a process offers for it; `Scope` of `@mediagate/host` is one. */
export interface SettingsScope {
  logger: { info(event: 'settings.read', fields: { digest: string }): void };
  onReload(name: string, reload: () => { digest: string }): void;
}

export interface FollowedSettings<Read> {
  /** Chooses among the channels of the file as it was read last. */
  channels: ChannelChooser;
  /** What `read` returned last. */
  current(): Read;
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
  const { digest, channels, closedChannels } = current.settings;
  scope.logger.info('settings.read', { digest });
  const chooser = createChannelChooser(channels, { closed: closedChannels });
  scope.onReload('configuration file', () => {
    const next = read();
    chooser.replace(next.settings.channels, next.settings.closedChannels);
    current = next;
    return { digest: next.settings.digest };
  });
  return { channels: chooser, current: () => current };
}
