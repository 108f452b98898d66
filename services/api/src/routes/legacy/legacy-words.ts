import { GatewayError } from '@mediagate/contracts';

/** What the older bodies call the fields of the catalogue. */
const FIELDS: Readonly<Record<string, string>> = {
  task_id: 'taskId',
  custom_id: 'customId',
  image_urls: 'base64Array',
  mask_url: 'maskBase64',
  end_url: 'endImage',
  video_type: 'videoType',
  batch_size: 'batchSize',
  speed: 'accountFilter.modes',
  metadata: 'state',
};

const FIELD = new RegExp(`\\b(${Object.keys(FIELDS).join('|')})\\b(\\[\\d+\\])?`, 'g');

/** A sentence of ours with its fields called as the body did; `pictureField`: its one picture, which is no list there. */
export function inLegacyWords(sentence: string, pictureField: string | undefined): string {
  return sentence.replace(FIELD, (_all, field: string, place = '') => {
    if (field === 'image_urls' && pictureField !== undefined) return pictureField;
    return `${FIELDS[field]}${place}`;
  });
}

/** A complaint names the fields as the body did. */
export function legacyComplaint(error: unknown, pictureField: string | undefined): unknown {
  if (!(error instanceof GatewayError) || error.param === undefined) return error;
  const { code, reason, message, param } = error;
  const [field = param] = inLegacyWords(param, pictureField).split('[');
  return new GatewayError(code, inLegacyWords(message, pictureField), { reason, param: field, cause: error });
}
