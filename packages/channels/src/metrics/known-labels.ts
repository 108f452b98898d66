import { MODERATION_MODEL } from '@mediagate/settings';
import type { ChannelChooser } from '../channel-chooser';

/** The label of every value that no file names. */
const OTHER = 'other';

/**
 * The values that labels may take: models are those of the catalogue, channels those of the operator's file. Whatever else a row
 * of the database names is folded into one value, so that no label grows with what callers send or files once said.
 */
export interface KnownLabels {
  /** The ids of all models that there are now. */
  models: ReadonlySet<string>;
  model(id: string): string;
  channel(id: string): string;
  /** Whether the channel serves test keys alone: callers make it fail on purpose. */
  isTest(channelId: string): boolean;
}

export interface LabelSources {
  catalogue: { entries: readonly { id: string }[] };
  channels: Pick<ChannelChooser, 'find'>;
}

export function knownLabels({ catalogue, channels }: LabelSources): KnownLabels {
  let last: { entries: LabelSources['catalogue']['entries']; models: ReadonlySet<string> } | undefined;
  const models = () => {
    const { entries } = catalogue;
    if (last?.entries !== entries)
      last = { entries, models: new Set([MODERATION_MODEL, ...entries.map(({ id }) => id)]) };
    return last.models;
  };
  return {
    get models() {
      return models();
    },
    model: (id) => (models().has(id) ? id : OTHER),
    isTest: (id) => channels.find(id)?.isTest === true,
    channel: (id) => (channels.find(id) === undefined ? OTHER : id),
  };
}
