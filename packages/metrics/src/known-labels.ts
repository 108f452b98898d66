import type { ChannelChooser } from '@mediagate/channels';
import { MODERATION_MODEL } from '@mediagate/settings';

/** What stands for every value that no file names. */
const OTHER = 'other';

/**
 * The values that labels may take: models are those of the catalogue, channels those of the operator's file. Whatever else a row
 * of the database names is folded into one value, so that no label grows with what callers send or files once said.
 */
export interface KnownLabels {
  /** All there are. */
  models: ReadonlySet<string>;
  model(id: string): string;
  channel(id: string): string;
}

export interface LabelSources {
  catalogue: { entries: readonly { id: string }[] };
  channels: Pick<ChannelChooser, 'find'>;
}

export function knownLabels({ catalogue, channels }: LabelSources): KnownLabels {
  const models = new Set([MODERATION_MODEL, ...catalogue.entries.map(({ id }) => id)]);
  return {
    models,
    model: (id) => (models.has(id) ? id : OTHER),
    channel: (id) => (channels.find(id) === undefined ? OTHER : id),
  };
}
