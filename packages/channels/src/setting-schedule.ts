import type { JsonObject } from '@mediagate/contracts';
import type { SettingStep } from '@mediagate/database';

/** The settings of operators over the file, as they count at one moment. */
export interface Overrides {
  /** Fields as the file would have them, by the channel's id. */
  channels: ReadonlyMap<string, JsonObject>;
  /** The fields of the section `webhooks`. */
  webhooks: JsonObject;
}

export const NO_OVERRIDES: Overrides = { channels: new Map(), webhooks: {} };

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

export function fingerprintOf({ channels, webhooks }: Overrides): string {
  return JSON.stringify([[...channels].sort(([one], [other]) => (one < other ? -1 : 1)), webhooks]);
}
