import { type Failure, fieldFailure, isJsonObject, type Json, type JsonObject, message } from '@mediagate/contracts';
import type { FieldNames } from './legacy-words';
import { isBlank, oneImage } from './one-image';

/** A legacy body in the words of the catalogue. */
export interface LegacySubmission {
  operation: string;
  body: JsonObject;
  /** Faults of the fields that only a legacy body has. */
  faults: readonly Failure[];
  /** Names of the catalogue's fields in this body, where they are not those of every legacy body. */
  names?: FieldNames;
}

export type ReadLegacy = (sent: JsonObject) => LegacySubmission;

type Reading = Omit<LegacySubmission, 'body' | 'faults'> & { fields: Fields; faults?: readonly Failure[] };

/** Readers of the body for each route under `/submit`; whoever calls them finds other names of these fields. */
export const LEGACY_SUBMISSIONS = {
  legacyImagine: reader((sent) => {
    const { image_urls, ...named } = oneImage(sent, ['base64']);
    return {
      operation: 'imgtool.imagine',
      fields: { prompt: sent['prompt'], image_urls, niji: isNiji(sent) },
      ...named,
    };
  }),
  legacyBlend: reader((sent) => ({
    operation: 'imgtool.blend',
    fields: { image_urls: sent['base64Array'], dimensions: sent['dimensions'], niji: isNiji(sent) },
  })),
  legacyDescribe: reader((sent) => {
    const { image_urls, ...named } = oneImage(sent, ['base64', 'link']);
    return { operation: 'imgtool.describe', fields: { image_urls, niji: isNiji(sent) }, ...named };
  }),
  legacyShorten: reader((sent) => ({
    operation: 'imgtool.shorten',
    fields: { prompt: sent['prompt'], niji: isNiji(sent) },
  })),
  legacyEdits: reader((sent) => {
    const { image_urls, ...named } = oneImage(sent, ['image']);
    return {
      operation: 'imgtool.edits',
      fields: { prompt: sent['prompt'], image_urls, niji: isNiji(sent) },
      ...named,
    };
  }),
  legacyChange: reader(changed),
  legacySimpleChange: reader(changedByText),
  legacyAction: reader(pressed),
  legacyModal: reader(({ prompt, taskId, maskBase64 }) => ({
    operation: 'imgtool.modal',
    fields: { prompt, task_id: taskId, mask_url: maskBase64 },
  })),
  legacyVideo: reader((sent) => {
    const { image_urls, ...named } = oneImage(sent, ['image']);
    const { faults = [], ...names } = named;
    const place = fromOne(sent['index']);
    const fields = {
      prompt: sent['prompt'],
      image_urls,
      end_url: sent['endImage'],
      task_id: sent['taskId'],
      index: place.index,
      motion: sent['motion'],
      video_type: sent['videoType'],
      batch_size: sent['batchSize'],
    };
    return { operation: 'imgtool.video', fields, ...names, faults: [...faults, ...place.faults] };
  }),
} satisfies Record<string, ReadLegacy>;

const [FIRST, LAST] = [0, 3];

/** These clients count the images of a video's task from 0. */
function fromOne(index: Json | undefined): { index: Json | undefined; faults: readonly Failure[] } {
  if (typeof index !== 'number') return { index, faults: [] };
  const isPlace = index >= FIRST && index <= LAST;
  if (isPlace || !Number.isInteger(index)) return { index: index + 1, faults: [] };
  const fault = fieldFailure('invalid_parameter', 'index', 'must_be_in_range', { min: FIRST, max: LAST });
  return { index: 1, faults: [fault] };
}

/** Adds what every legacy body has to what the route reads of its own. */
function reader(read: (sent: JsonObject) => Reading): ReadLegacy {
  return (sent) => {
    const { fields, faults = [], ...rest } = read(sent);
    return { ...rest, body: present({ ...general(sent), ...fields }), faults: [...faults, ...generalFaults(sent)] };
  };
}

/** The operation whose fields judge a body that does not name one: every operation on a task has them. */
const ANY_FOLLOW_UP = 'imgtool.reroll';

const CHANGES: Readonly<Record<string, string>> = {
  UPSCALE: 'imgtool.upscale',
  VARIATION: 'imgtool.variation',
  REROLL: 'imgtool.reroll',
};

const NIJI = 'NIJI_JOURNEY';
const BOT_TYPES: readonly string[] = ['MID_JOURNEY', NIJI];

/** The longest `state`, the caller's own mark. */
const MAX_STATE_CHARACTERS = 2000;

/** Operations by the beginning of the button's id; the rest of the id becomes fields. */
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
  [/^MJ::JOB::animate_(low|high)::/, 'imgtool.video', ([, motion = '']) => ({ motion, index: 1 })],
  [
    /^MJ::JOB::animate_(low|high)_extend::([1-4])::/,
    'imgtool.video',
    ([, motion = '', video]) => ({ motion, index: Number(video) }),
  ],
];

function byButton(_match: RegExpExecArray, customId: string): JsonObject {
  return { custom_id: customId };
}

function changed({ action, index, taskId }: JsonObject): Reading {
  const operation = CHANGES[upper(action)];
  if (operation === undefined) {
    const fault = isBlank(action)
      ? fieldFailure('missing_parameter', 'action', 'required')
      : fieldFailure('invalid_parameter', 'action', 'must_be_one_of', { values: Object.keys(CHANGES).join(', ') });
    return { operation: ANY_FOLLOW_UP, fields: { task_id: taskId }, faults: [fault] };
  }
  // Elsewhere a button may say it instead.
  const lacksIndex = operation !== CHANGES['REROLL'] && isBlank(index);
  const faults = lacksIndex ? [fieldFailure('missing_parameter', 'index', 'required')] : [];
  return { operation, fields: { task_id: taskId, index }, faults };
}

const CHANGES_IN_TEXT = '<taskId> U1 … U4, <taskId> V1 … V4, <taskId> R';
const CHANGE_IN_TEXT = /^(?<taskId>\S+)\s+(?:(?<letter>[UV])(?<index>[1-4])|R)$/i;

/** The task, the first letter of the action, and the place of its image: `<taskId> U2`. */
function changedByText({ content }: JsonObject): Reading {
  const { taskId, letter, index } =
    CHANGE_IN_TEXT.exec(typeof content === 'string' ? content.trim() : '')?.groups ?? {};
  if (taskId !== undefined) {
    const action = Object.keys(CHANGES).find((each) => each.startsWith(letter?.toUpperCase() ?? 'R')) ?? '';
    const change = changed({ taskId, action, ...(index === undefined ? {} : { index: Number(index) }) });
    return { ...change, names: { task_id: 'content', index: 'content' } };
  }
  const fault =
    faultOfText(content, 'content') ??
    fieldFailure('invalid_parameter', 'content', 'must_be_one_of', { values: CHANGES_IN_TEXT });
  // Without an id of a task the operation would miss one, too.
  return { operation: ANY_FOLLOW_UP, fields: { task_id: CHANGES_IN_TEXT }, faults: [fault] };
}

function pressed({ customId, taskId }: JsonObject): Reading {
  const button = typeof customId === 'string' ? customId : '';
  for (const [stem, operation, fields] of BUTTONS) {
    const match = stem.exec(button);
    if (!match) continue;
    const chosen = fields(match, button);
    const names = Object.fromEntries(Object.keys(chosen).map((name) => [name, 'customId']));
    return { operation, fields: { task_id: taskId, ...chosen }, names };
  }
  const fault =
    faultOfText(customId, 'customId') ??
    fieldFailure('invalid_parameter', 'customId', 'about_field', { problem: message('operation_not_offered') });
  return { operation: ANY_FOLLOW_UP, fields: { task_id: taskId }, faults: [fault] };
}

function faultOfText(text: Json | undefined, name: string): Failure | undefined {
  if (typeof text === 'string' ? text.trim() === '' : isBlank(text))
    return fieldFailure('missing_parameter', name, 'required');
  return typeof text === 'string' ? undefined : fieldFailure('invalid_parameter', name, 'must_be_string');
}

/** Speed, by the filter of accounts, and the caller's own mark, which comes back with the task. */
function general(sent: JsonObject): Fields {
  const { state, metadata, accountFilter } = sent;
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
  const isMark = typeof state === 'string' && state !== '';
  return isMark && (metadata === undefined || isJsonObject(metadata)) ? { ...metadata, state } : metadata;
}

function generalFaults({ botType, state, nsfwCheck }: JsonObject): Failure[] {
  const faults: Failure[] = [];
  if (!isBlank(nsfwCheck) && typeof nsfwCheck !== 'boolean') {
    faults.push(fieldFailure('invalid_parameter', 'nsfwCheck', 'must_be_boolean'));
  }
  if (!isBlank(botType) && !BOT_TYPES.includes(upper(botType))) {
    faults.push(fieldFailure('invalid_parameter', 'botType', 'must_be_one_of', { values: BOT_TYPES.join(', ') }));
  }
  if (!isBlank(state) && typeof state !== 'string') {
    faults.push(fieldFailure('invalid_parameter', 'state', 'must_be_string'));
  } else if (typeof state === 'string' && state.length > MAX_STATE_CHARACTERS) {
    faults.push(fieldFailure('invalid_parameter', 'state', 'too_many_characters', { limit: MAX_STATE_CHARACTERS }));
  }
  return faults;
}

function isNiji({ botType }: JsonObject): true | undefined {
  return upper(botType) === NIJI ? true : undefined;
}

function upper(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim().toUpperCase() : '';
}

type Fields = Record<string, Json | undefined>;

function present(fields: Fields): JsonObject {
  const sent = Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return Object.fromEntries(sent);
}
