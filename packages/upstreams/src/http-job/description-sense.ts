import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import type { OptionFault } from '../contract';
import { segmentsOf } from '../templates/request-view';
import type { Template } from '../templates/template';
import type { Description, Spot } from './description';
import { NEW_WORDS, SHOWN_WORDS, SIGNED_WORDS } from './hmac';

const OF_START = ['endpoint', 'model'];
const OF_JOB = [...OF_START, 'id'];

/** Faults of a description that fits the schema and cannot be meant. */
export function* senseFaults(description: Description): Generator<OptionFault> {
  yield* partFaults(description);
  yield* fileFaults(description);
  yield* spotFaults(description);
  yield* signatureFaults(description);
  const { start = {}, status, result = {}, cancel, probe } = description;
  yield* wordFaults(start.path, 'start.path', OF_START);
  yield* wordFaults(probe?.path, 'probe.path', ['model']);
  yield* jobPathFaults(status?.path, 'status.path');
  yield* jobPathFaults(cancel?.path, 'cancel.path');
  const from = Object.keys(result.from ?? {});
  yield* wordFaults(result.path, 'result.path', [...OF_JOB, ...from]);
  const unused = from.find((name) => !result.path?.includes(`{${name}}`));
  if (unused !== undefined)
    yield { field: `result.from.${unused}`, problem: `is not used: \`result.path\` has no {${unused}}` };
}

/** Parts that need one another. */
function* partFaults({ start = {}, status, result = {}, cancel }: Description): Generator<OptionFault> {
  if (start.id !== undefined && status === undefined)
    yield {
      field: 'status',
      problem: 'is missing: a start that is answered by an id needs a way to ask about the job',
    };
  if (start.id === undefined && status !== undefined)
    yield { field: 'start.id', problem: 'is missing: say where a start’s answer has the id of the job' };
  if (start.id === undefined && cancel !== undefined)
    yield { field: 'cancel', problem: 'needs `start.id` and `status`: only a job can be cancelled' };
  if (start.id === undefined && result.path !== undefined)
    yield { field: 'result.path', problem: 'needs `start.id`: without a job the answer to the start holds the result' };
  if (status !== undefined && !Object.values(status.words).includes('succeeded'))
    yield { field: 'status.words', problem: 'has no word for succeeded' };
}

/** Ways to the files that cannot be gone. */
function* fileFaults({ auth, start = {}, result = {}, cost }: Description): Generator<OptionFault> {
  const { path, files } = result;
  const isOfJob = start.id !== undefined;
  if (files === 'body' && isOfJob && path === undefined)
    yield { field: 'result.path', problem: 'is missing: say where the file of a job is' };
  if (files === 'body' && cost !== undefined)
    yield { field: 'cost', problem: 'is never read: with `files: body` no answer has it, so leave it out' };
  const needsHeader = files === 'keyed_links' || (files === 'body' && isOfJob);
  if (!needsHeader || typeof auth !== 'object') return;
  if ('query' in auth)
    yield { field: 'result.files', problem: 'needs a key in a header: files are fetched with headers alone' };
  if ('aws4' in auth || 'hmac' in auth)
    yield { field: 'result.files', problem: 'needs a key that is shown as it is: no file is fetched with a signature' };
}

/** Places that two parts of a description say something at. */
function* spotFaults({ auth = 'bearer', headers = {}, start = {} }: Description): Generator<OptionFault> {
  const { reference, callback } = start;
  const occupied = new Set(Object.keys(headers).map((name) => placeOf({ header: name })));
  const ofKey = keyPlaces(auth);
  if (ofKey.some((place) => occupied.has(place)))
    yield { field: 'auth', problem: 'is shown in one of `headers`: leave that out' };
  for (const place of ofKey) occupied.add(place);
  for (const [word, spot] of Object.entries({ reference, callback })) {
    if (spot === undefined) continue;
    if (occupied.has(placeOf(spot)))
      yield { field: `start.${word}`, problem: 'is where something else is said already' };
    occupied.add(placeOf(spot));
  }
}

const AWS4_HEADERS = ['x-amz-date', 'x-amz-content-sha256', 'x-amz-security-token'];

function keyPlaces(auth: NonNullable<Description['auth']>): string[] {
  if (typeof auth === 'string') return [];
  if ('aws4' in auth) return AWS4_HEADERS.map((header) => placeOf({ header }));
  if ('hmac' in auth) return Object.keys(auth.hmac.headers).map((header) => placeOf({ header }));
  return [placeOf(auth)];
}

/** Signatures that no vendor could check. */
function* signatureFaults({ auth }: Description): Generator<OptionFault> {
  if (typeof auth !== 'object' || !('hmac' in auth)) return;
  const { sign, headers } = auth.hmac;
  yield* wordFaults(sign, 'auth.hmac.sign', SIGNED_WORDS);
  for (const [name, text] of Object.entries(headers)) yield* wordFaults(text, `auth.hmac.headers.${name}`, SHOWN_WORDS);
  const isShown = (word: string) => Object.values(headers).some((text) => text.includes(`{${word}}`));
  if (!isShown('signature')) yield { field: 'auth.hmac.headers', problem: 'has no {signature}' };
  const secret = NEW_WORDS.find((word) => sign.includes(`{${word}}`) && !isShown(word));
  if (secret !== undefined)
    yield { field: 'auth.hmac.headers', problem: `has no {${secret}}, which is signed and which nobody else knows` };
}

function placeOf(spot: Spot | { header: string }): string {
  if ('header' in spot) return `header ${spot.header.toLowerCase()}`;
  return 'query' in spot ? `query ${spot.query}` : `at ${spot.at}`;
}

/** A place of the body that a template says something at, and the description, too; undefined: there is none. */
export function overwrittenPlace({ start = {} }: Description, templates: JsonObject): OptionFault | undefined {
  const forms = Object.values(templates).flatMap((template) => template as unknown as Template);
  for (const [word, spot] of Object.entries({ reference: start.reference, callback: start.callback })) {
    if (spot === undefined || !('at' in spot)) continue;
    const isFilled = forms.some(({ input }) => isFilledAt(input as JsonObject, segmentsOf(spot.at)));
    if (isFilled) return { field: `start.${word}.at`, problem: 'is a field of a template, which it would overwrite' };
  }
  return undefined;
}

/** Maps that hold further fields are gone into; a map with `from` or another word of templates is a value. */
function isFilledAt(part: JsonObject, [name = '', ...rest]: readonly string[]): boolean {
  if ('from' in part) return true;
  if (!Object.hasOwn(part, name)) return false;
  const inner = part[name];
  const isMap = isJsonObject(inner) && !('literal' in inner) && !Array.isArray(inner['first_of']);
  return rest.length === 0 || !isMap || isFilledAt(inner, rest);
}

function* jobPathFaults(path: string | undefined, field: string): Generator<OptionFault> {
  yield* wordFaults(path, field, OF_JOB);
  if (path?.includes('{id}') === false) yield { field, problem: 'has no {id}: every job would be the same one' };
}

function* wordFaults(text = '', field: string, known: readonly string[]): Generator<OptionFault> {
  const unknown = [...text.matchAll(/\{([^{}]*)\}/g)]
    .map(([, name = '']) => name)
    .find((name) => !known.includes(name));
  if (unknown !== undefined)
    yield { field, problem: `{${unknown}} is not known here: use ${known.map((name) => `{${name}}`).join(', ')}` };
}
