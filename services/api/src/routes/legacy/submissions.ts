import { isJsonObject, type Json, type JsonObject, message } from '@mediagate/contracts';
import { invalid, missing } from '../../use-cases/invalid';

/** A legacy body in the words of the catalogue. */
export interface LegacySubmission {
  operation: string;
  body: JsonObject;
  /** What the body calls its one image; absent: images are a list. */
  imageField?: string;
}

export type ReadLegacy = (sent: JsonObject) => LegacySubmission;

/** What each route under `/submit` reads of its body; anything else there, `notifyHook` and `webhook` too, means nothing. */
export const LEGACY_SUBMISSIONS = {
  legacyImagine: (sent) => ({
    operation: 'imgtool.imagine',
    body: present({ ...words(sent), image_urls: sent['base64Array'], niji: isNiji(sent) }),
  }),
  legacyBlend: (sent) => ({
    operation: 'imgtool.blend',
    body: present({ ...general(sent), image_urls: sent['base64Array'], dimensions: sent['dimensions'] }),
  }),
  legacyDescribe(sent) {
    const { image_urls, ...named } = oneImage(sent, ['base64', 'link']);
    return { operation: 'imgtool.describe', body: present({ ...general(sent), image_urls }), ...named };
  },
  legacyShorten: (sent) => ({ operation: 'imgtool.shorten', body: present(words(sent)) }),
  legacyChange: changed,
  legacyAction: pressed,
  legacyModal: (sent) => ({
    operation: 'imgtool.modal',
    body: present({ ...words(sent), task_id: sent['taskId'], mask_url: sent['maskBase64'] }),
  }),
  legacyVideo(sent) {
    const { image_urls, ...named } = oneImage(sent, ['image']);
    const body = present({
      ...words(sent),
      image_urls,
      end_url: sent['endImage'],
      task_id: sent['taskId'],
      index: sent['index'],
      motion: sent['motion'],
      video_type: sent['videoType'],
      batch_size: sent['batchSize'],
    });
    return { operation: 'imgtool.video', body, ...named };
  },
} satisfies Record<string, ReadLegacy>;

const CHANGES: Readonly<Record<string, string>> = {
  UPSCALE: 'imgtool.upscale',
  VARIATION: 'imgtool.variation',
  REROLL: 'imgtool.reroll',
};

const NIJI = 'NIJI_JOURNEY';
const BOT_TYPES: readonly string[] = ['MID_JOURNEY', NIJI];

/** Of the caller's own mark. */
const MAX_STATE_CHARACTERS = 2000;

/** Operations by the beginning of the button that does them; what it says beyond that becomes fields. */
const BUTTONS: readonly [
  stem: RegExp,
  operation: string,
  fields: (match: RegExpExecArray, customId: string) => JsonObject,
][] = [
  [/^MJ::JOB::upsample/, 'imgtool.upscale', byButton],
  [/^MJ::JOB::variation::/, 'imgtool.variation', byButton],
  [/^MJ::JOB::high_variation::/, 'imgtool.high-variation', byButton],
  [/^MJ::JOB::low_variation::/, 'imgtool.low-variation', byButton],
  [/^MJ::JOB::reroll::/, 'imgtool.reroll', () => ({})],
  [/^MJ::Outpaint::(50|75)::/, 'imgtool.zoom', ([, percent]) => ({ zoom_ratio: percent === '75' ? 1.5 : 2 })],
  [/^MJ::JOB::pan_(left|right|up|down)::/, 'imgtool.pan', ([, direction = '']) => ({ direction })],
  [/^MJ::Inpaint::/, 'imgtool.inpaint', () => ({})],
  [/^MJ::JOB::animate_(low|high)::/, 'imgtool.video', ([, motion = '']) => ({ motion, index: 0 })],
  // Videos are counted from 1 by their buttons, and from 0 by the operation.
  [
    /^MJ::JOB::animate_(low|high)_extend::([1-4])::/,
    'imgtool.video',
    ([, motion = '', video]) => ({ motion, index: Number(video) - 1 }),
  ],
];

function byButton(_match: RegExpExecArray, customId: string): JsonObject {
  return { custom_id: customId };
}

function changed(sent: JsonObject): LegacySubmission {
  const action = upper(sent['action']);
  if ((sent['action'] ?? '') === '') throw missing('action', 'required');
  const operation = CHANGES[action];
  if (operation === undefined) throw invalid('action', 'must_be_one_of', { values: Object.keys(CHANGES).join(', ') });
  const { index } = sent;
  // Elsewhere a button may say it instead.
  if (action !== 'REROLL' && (index ?? '') === '') throw missing('index', 'required');
  return { operation, body: present({ ...general(sent), task_id: sent['taskId'], index }) };
}

function pressed(sent: JsonObject): LegacySubmission {
  const { customId } = sent;
  if (typeof customId !== 'string' || customId.trim() === '') throw missing('customId', 'required');
  for (const [stem, operation, fields] of BUTTONS) {
    const match = stem.exec(customId);
    if (match)
      return { operation, body: present({ ...general(sent), task_id: sent['taskId'], ...fields(match, customId) }) };
  }
  throw invalid('customId', 'about_field', { problem: message('operation_not_offered') });
}

function words(sent: JsonObject): Fields {
  return { prompt: sent['prompt'], ...general(sent) };
}

/** Speed, by the filter of accounts, and the caller's own mark, which comes back with the task. */
function general(sent: JsonObject): Fields {
  const { state, metadata, accountFilter, botType } = sent;
  if ((botType ?? '') !== '' && !BOT_TYPES.includes(upper(botType))) {
    throw invalid('botType', 'must_be_one_of', { values: BOT_TYPES.join(', ') });
  }
  const modes = isJsonObject(accountFilter) ? accountFilter['modes'] : undefined;
  return {
    speed: Array.isArray(modes) ? modes[0] : modes,
    metadata: marked(metadata, state),
    max_cost: sent['max_cost'],
    expires_in: sent['expires_in'],
  };
}

/** The mark is an entry of the metadata. */
function marked(metadata: Json | undefined, state: Json | undefined): Json | undefined {
  if ((state ?? '') === '') return metadata;
  if (typeof state !== 'string') throw invalid('state', 'must_be_string');
  if (state.length > MAX_STATE_CHARACTERS) {
    throw invalid('state', 'too_many_characters', { limit: MAX_STATE_CHARACTERS });
  }
  if (metadata !== undefined && !isJsonObject(metadata)) throw invalid('metadata', 'must_be_object');
  return { ...metadata, state };
}

function isNiji({ botType }: JsonObject): true | undefined {
  return upper(botType) === NIJI ? true : undefined;
}

function upper(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim().toUpperCase() : '';
}

/** The image by the first of the names that has one; clients send a list as well, as they do elsewhere. */
function oneImage(sent: JsonObject, names: readonly [string, ...string[]]) {
  const name = names.find((each) => sent[each] !== undefined && sent[each] !== '');
  if (name !== undefined) return { image_urls: [sent[name] as Json], imageField: name };
  const { base64Array } = sent;
  return base64Array === undefined ? { imageField: names[0] } : { image_urls: base64Array };
}

type Fields = Record<string, Json | undefined>;

function present(fields: Fields): JsonObject {
  const sent = Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return Object.fromEntries(sent);
}
