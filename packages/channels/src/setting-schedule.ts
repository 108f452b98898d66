import type { JsonObject } from '@mediagate/contracts';
import type { SettingStep, StoredSettings } from '@mediagate/database';

/** The settings of operators over the file, as they count at one moment. */
export interface Overrides {
  /** Fields as the file would have them, by the channel's id. */
  channels: ReadonlyMap<string, JsonObject>;
  /** The fields of the section `webhooks`. */
  webhooks: JsonObject;
}

export const NO_OVERRIDES: Overrides = { channels: new Map(), webhooks: {} };

interface ScheduledStep extends Pick<SettingStep, 'section' | 'name' | 'field' | 'value'> {
  /** By the process's own clock. */
  atMs: number;
}

/**
 * The settings of operators as a process knows them, each from its moment on. An older version never takes the place of a newer, and
 * a setting that has taken effect here stays in effect, however the next reading of the database's clock turns out.
 */
export class SettingSchedule {
  #version: bigint | undefined;
  #steps: readonly ScheduledStep[] = [];
  readonly #moments = new Map<string, number>();
  #current = NO_OVERRIDES;
  /** Until then `#current` counts. */
  #untilMs = Number.POSITIVE_INFINITY;

  isAt(version: bigint): boolean {
    return this.#version === version;
  }

  get version(): bigint {
    return this.#version ?? 0n;
  }

  /** @param askedAtMs the process's clock as the database answered. */
  replace({ version, steps }: Pick<StoredSettings, 'version' | 'steps'>, askedAtMs: number): void {
    if (this.#version !== undefined && version < this.#version) return;
    this.#version = version;
    this.#steps = steps.map(({ id, effectiveInMs, ...step }) => {
      const atMs = this.#moments.get(id) ?? askedAtMs + effectiveInMs;
      this.#moments.set(id, atMs);
      return { ...step, atMs };
    });
    const known = new Set(steps.map(({ id }) => id));
    for (const id of this.#moments.keys()) if (!known.has(id)) this.#moments.delete(id);
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }

  /** The overrides that count: the same object until they change. */
  at(nowMs: number): Overrides {
    if (nowMs < this.#untilMs) return this.#current;
    const overrides = foldSteps(this.#steps.filter(({ atMs }) => atMs <= nowMs));
    if (textOf(overrides) !== textOf(this.#current)) this.#current = overrides;
    this.#untilMs = Math.min(...this.#steps.map(({ atMs }) => atMs).filter((atMs) => atMs > nowMs));
    return this.#current;
  }
}

/** @param steps in the order of their moments: the last one of each field counts. */
export function foldSteps(steps: readonly Pick<SettingStep, 'section' | 'name' | 'field' | 'value'>[]): Overrides {
  const channels = new Map<string, JsonObject>();
  let webhooks: JsonObject = {};
  for (const { section, name, field, value } of steps) {
    if (section === 'webhooks') webhooks = withField(webhooks, field, value);
    else channels.set(name, withField(channels.get(name) ?? {}, field, value));
  }
  return { channels: new Map([...channels].filter(([, fields]) => Object.keys(fields).length > 0)), webhooks };
}

function withField(fields: JsonObject, field: string, value: SettingStep['value']): JsonObject {
  const { [field]: _, ...others } = fields;
  return value === null ? others : { ...others, [field]: value };
}

function textOf({ channels, webhooks }: Overrides): string {
  return JSON.stringify([[...channels].sort(([one], [other]) => (one < other ? -1 : 1)), webhooks]);
}
