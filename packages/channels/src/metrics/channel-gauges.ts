import type { Channel } from '@mediagate/settings';
import { Gauge, type Registry } from 'prom-client';
import type { ChannelChooser } from '../channel-chooser';

export interface WatchedChannels {
  channels: Pick<ChannelChooser, 'breaker'>;
  /** The channels that take tasks now. */
  openChannels(): readonly Channel[];
  /** Where this process keeps the limits of channels itself. */
  slotsInUse?: (channelId: string) => number;
}

/** A channel of texts has its limit in each process; any other channel has one for all processes, and its slots are rows. */
export const SLOTS_IN_USE = 'Jobs that the channel has, by rows (reconciler); texts that an API process has there.';

/** Watches the channels that take tasks, those of test keys left out, as this process sees them when it is scraped. */
export function watchChannels(register: Registry, { channels, openChannels, slotsInUse }: WatchedChannels): void {
  const gauge = (name: string, help: string, read: (channel: Channel) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['channel'],
      registers: [register],
      collect() {
        this.reset();
        for (const channel of openChannels()) {
          const value = channel.isTest ? undefined : read(channel);
          if (value !== undefined) this.set({ channel: channel.id }, value);
        }
      },
    });
  gauge(
    'mediagate_channel_breaker_open',
    '1 while this process skips the channel, until a probe succeeds.',
    (channel) => (channels.breaker(channel.id).open() ? 1 : 0),
  );
  gauge(
    'mediagate_channel_cooldown_seconds',
    'Seconds until this process probes the channel; 0: it is not waiting.',
    (channel) => channels.breaker(channel.id).cooldownMs() / 1000,
  );
  gauge(
    'mediagate_channel_slots_limit',
    'Jobs that the channel may have at once; absent: no limit.',
    ({ maxConcurrency }) => maxConcurrency,
  );
  watchModels(register, { channels, openChannels });
  if (slotsInUse === undefined) return;
  gauge('mediagate_channel_slots_in_use', SLOTS_IN_USE, ({ id, maxConcurrency }) =>
    maxConcurrency === undefined ? undefined : slotsInUse(id),
  );
}

function watchModels(register: Registry, { channels, openChannels }: WatchedChannels): void {
  new Gauge({
    name: 'mediagate_channel_model_breaker_open',
    help: '1 while this process skips the channel for this model, until a probe succeeds.',
    labelNames: ['channel', 'model'],
    registers: [register],
    collect() {
      this.reset();
      for (const { id: channel, isTest } of openChannels()) {
        if (isTest) continue;
        for (const { model, openedBy } of channels.breaker(channel).models())
          this.set({ channel, model }, openedBy === undefined ? 0 : 1);
      }
    },
  });
}

/** Shows the version of the overrides that this process goes by: the same everywhere within two seconds of a change. */
export function watchOverrides(register: Registry, overrides: { version(): bigint }): void {
  new Gauge({
    name: 'mediagate_settings_version',
    help: "Version of the operators' settings that are in force in this process.",
    registers: [register],
    collect() {
      this.set(Number(overrides.version()));
    },
  });
}
