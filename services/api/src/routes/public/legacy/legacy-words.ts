import { GatewayError, type Message, renameFields } from '@mediagate/contracts';

/** Names of the catalogue's fields in the older bodies. */
const FIELDS: Readonly<Record<string, string>> = {
  task_id: 'taskId',
  custom_id: 'customId',
  image_urls: 'base64Array',
  mask_url: 'maskBase64',
  end_url: 'endImage',
  video_type: 'videoType',
  batch_size: 'batchSize',
  speed: 'accountFilter.modes',
};

const FIELD = /^(?<field>\w+)(?<place>\[\d+\])?$/;

/** A field of ours as the body called it; `imageField`: its one image, which is no list there. */
function legacyField(name: string, imageField: string | undefined): string {
  const { field = '', place = '' } = FIELD.exec(name)?.groups ?? {};
  if (!Object.hasOwn(FIELDS, field)) return name;
  return field === 'image_urls' && imageField !== undefined ? imageField : `${FIELDS[field]}${place}`;
}

/** Renames the fields in an error as the body named them. */
export function inLegacyWords(error: unknown, imageField: string | undefined): unknown {
  return error instanceof GatewayError ? error.withFields((name) => legacyField(name, imageField)) : error;
}

/** Renames the fields in a warning as the body named them. */
export function withLegacyFields(warning: Message, imageField: string | undefined): Message {
  return renameFields(warning, (name) => legacyField(name, imageField));
}
