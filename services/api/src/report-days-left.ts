import { listRetirements } from '@mediagate/channels';
import type { JsonObject } from '@mediagate/contracts';
import { Gauge, type Registry } from 'prom-client';

/** Measured whenever it is read, by the file as it was read last. Every API reports the same. */
export function reportDaysLeft(metrics: Registry, channelSources: () => ReadonlyMap<string, JsonObject>): void {
  new Gauge({
    name: 'mediagate_channel_model_days_left',
    help: 'Days until the vendor ends a model, by served_until of the configuration file; 0 or less: it has ended',
    labelNames: ['channel', 'model'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [channel, source] of channelSources()) {
        if (source['test'] === true) continue;
        for (const { model, daysLeft } of listRetirements(source)) this.set({ channel, model }, daysLeft);
      }
    },
  });
}
