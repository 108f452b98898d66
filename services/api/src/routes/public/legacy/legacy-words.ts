import { GatewayError, type Message, renameFields } from '@mediagate/contracts';

export type FieldNames = Readonly<Record<string, string>>;

/** Names of the catalogue's fields in the older bodies. */
const FIELDS: FieldNames = {
  task_id: 'taskId',
  custom_id: 'customId',
  image_urls: 'base64Array',
  mask_url: 'maskBase64',
  end_url: 'endImage',
  video_type: 'videoType',
  batch_size: 'batchSize',
  speed: 'accountFilter.modes',
  niji: 'botType',
};

const FIELD = /^(?<field>\w+)(?<place>\[\d+\])?$/;

/** A field of ours as the body called it; `names`: those of this body, none of which is a list there. */
function legacyField(name: string, names: FieldNames): string {
  const { field = '', place = '' } = FIELD.exec(name)?.groups ?? {};
  if (Object.hasOwn(names, field)) return names[field] ?? name;
  return Object.hasOwn(FIELDS, field) ? `${FIELDS[field]}${place}` : name;
}

/** Renames the fields in an error as the body named them. */
export function inLegacyWords(error: unknown, names: FieldNames = {}): unknown {
  return error instanceof GatewayError ? error.withFields((name) => legacyField(name, names)) : error;
}

/** Renames the fields in a warning as the body named them. */
export function withLegacyFields(warning: Message, names: FieldNames = {}): Message {
  return renameFields(warning, (name) => legacyField(name, names));
}
