import { type ChannelChooser, ChannelSlots } from '@mediagate/channels';
import { FAMILIES } from '@mediagate/contracts';
import type { AwaitedModel, Database } from '@mediagate/database';
import type { Queues } from '@mediagate/queue';
import type { Channel } from '@mediagate/settings';
import { Gauge, type Registry } from 'prom-client';
import { type Job, readOr } from '../job';

const EVERY_MS = 1000;
/** A row that is left of a task which began or ended elsewhere holds others up until then, at a channel with slots free. */
const FORGET_EVERY_MS = 5_000;
const PROBE_EVERY_LOOKS = 15;

export interface HandOverSlotsDeps {
  database: Pick<Database, 'listAwaitedModels' | 'handOverSlots' | 'forgetSlotTakers' | 'listOpenBreakers'>;
  channels: Pick<ChannelChooser, 'serving'>;
  queues: Pick<Queues, 'enqueueTask'>;
  metrics: Registry;
}

/**
 * Hands over slots that nobody else did: whose holder died, of a channel that was opened, enlarged or added, or that works
 * again. Where nobody waits it is one look-up.
 */
export function handOverSlots({ database, channels, queues, metrics }: HandOverSlotsDeps): Job {
  const readAwaited = measureAwaited(database, metrics);
  let handedOver = 0;
  const channelSlots = new ChannelSlots({
    database,
    enqueueTask: async (task) => {
      handedOver += 1;
      await queues.enqueueTask(task);
    },
  });
  let forgetAt = performance.now();
  const passedOver = brokenChannels(database);

  async function forgetNowAndThen(): Promise<void> {
    if (performance.now() < forgetAt) return;
    await database.forgetSlotTakers();
    forgetAt = performance.now() + FORGET_EVERY_MS;
  }

  return {
    name: 'hand-over-slots',
    everyMs: EVERY_MS,
    async run() {
      handedOver = 0;
      const models = await readAwaited();
      if (models.length === 0) return { done: 0, more: false };
      await forgetNowAndThen();
      const broken = await passedOver();
      const serving = new Map<string, Channel>();
      for (const channel of models.flatMap((model) => channels.serving(model))) serving.set(channel.id, channel);
      for (const channel of serving.values()) if (!broken.has(channel.id)) await channelSlots.handOver(channel);
      return { done: handedOver, more: false };
    },
  };
}

/** One process that finds a channel broken may be alone with that: now and then none is passed over, and a task tries. */
function brokenChannels(database: Pick<Database, 'listOpenBreakers'>): () => Promise<ReadonlySet<string>> {
  let looks = 0;
  return async () => {
    looks += 1;
    if (looks % PROBE_EVERY_LOOKS === 0) return new Set();
    const open = await database.listOpenBreakers();
    return new Set(open.flatMap(({ channelId, model }) => (model === null ? [channelId] : [])));
  };
}

/** Reads which models are waited for, and shows how many tasks wait. */
function measureAwaited(database: Pick<Database, 'listAwaitedModels'>, metrics: Registry) {
  const awaiting = new Gauge({
    name: 'mediagate_tasks_awaiting_slot',
    help: 'Tasks that wait because every channel of their model is full; NaN: not known',
    labelNames: ['family'],
    registers: [metrics],
  });
  function setAll(value: number): void {
    for (const family of FAMILIES) awaiting.set({ family }, value);
  }
  setAll(Number.NaN);
  return async (): Promise<AwaitedModel[]> => {
    const models = await readOr(() => setAll(Number.NaN), database.listAwaitedModels());
    setAll(0);
    for (const { family, tasks } of models) awaiting.inc({ family }, tasks);
    return models;
  };
}
