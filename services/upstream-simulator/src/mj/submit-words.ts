import { type Call, type Endpoint, type JsonObject, Refusal } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { checkPrompt, compileBody, field, readJsonBody } from './body';
import { bookTask, detailOf, type NewTask } from './booking';
import { captionsOf, numbered } from './captions';
import { drawingOf, drawnFrom, fourOf, tileCanvas } from './drawings';
import { type Photo, seedOf } from './picture';
import { photoOf, photoOfBase64 } from './pictures-in';
import { drawnWords, type ReadPrompt, readPrompt } from './prompt';
import type { TaskDetail } from './task';
import type { MjTools } from './tools';
import { DEFAULT_NIJI, DEFAULT_VERSION, versionName } from './version';
import { invalid } from './wire';

/** The submits that need no earlier task. */
export function createWordSubmits(tools: MjTools) {
  const endpoint = (
    prepare: (body: JsonObject, call: Call) => Promise<TaskDetail>,
  ): Endpoint<JsonObject, TaskDetail> => ({
    read: readJsonBody,
    describe(_request, body) {
      const prompt = textOf(body['prompt']);
      const { version } = readPrompt(prompt, { isNiji: body['botType'] === 'NIJI_JOURNEY' });
      return { model: versionName(version), prompt };
    },
    prepare,
    start: (detail, call) => bookTask(detail, call, tools),
  });
  return {
    imagine: endpoint((body, call) => imagine(body, call, tools)),
    blend: endpoint((body, call) => blend(body, call, tools)),
    edits: endpoint((body, call) => edits(body, call, tools)),
    describe: endpoint((body, call) => describe(body, call, tools)),
    shorten: endpoint(async (body, call) => shorten(body, call)),
  };
}

const MAX_PROMPT_PICTURES = 5;

const pictures = (least: number) => ({ type: 'array', minItems: least, maxItems: 5, items: field.picture });

const checkImagine = compileBody<{ prompt: string; base64Array?: string[] }>(
  { prompt: field.prompt, base64Array: pictures(0) },
  ['prompt'],
);

async function imagine(body: JsonObject, call: Call, tools: MjTools): Promise<TaskDetail> {
  const request = checkImagine(body, call);
  const read = checkPrompt(request.prompt, request);
  const given = await Promise.all(
    (request.base64Array ?? []).map((value) => photoOfBase64('base64Array', value, tools)),
  );
  if (read.words === '' && given.length + read.links.length === 0) throw invalid('prompt cannot be empty');
  const linked = await linkedPhotos(read, tools);
  const photos = [...given, ...linked.photos];
  const seed = seedFor(read, photos);
  const canvas = tileCanvas(read.ratio);
  // The weight goes up to 3; even then the words are seen.
  const share = 0.2 + 0.2 * read.imageWeight;
  const drawn = fourOf(seed, (each) => drawnFrom(drawingOf(read, canvas, each), photos, share));
  const words = wordsOf(read, 'imagine');
  const task: NewTask = { action: 'IMAGINE', ...words, seed, work: { kind: 'pictures', pictures: drawn } };
  return detailOf({ ...task, fault: read.fault ?? linked.fault }, request, call);
}

/** Pictures that the prompt begins with. One that cannot be had makes the work fail, not the submit. */
async function linkedPhotos(
  { links }: ReadPrompt,
  tools: MjTools,
): Promise<{ photos: Photo[]; fault: string | undefined }> {
  const photos: Photo[] = [];
  for (const link of links.slice(0, MAX_PROMPT_PICTURES)) {
    try {
      photos.push(await photoOf('prompt', link, tools));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { photos, fault: '[Invalid link] Could not fetch image. Received no data from the link' };
    }
  }
  return { photos, fault: undefined };
}

const dimensions = { PORTRAIT: 2 / 3, SQUARE: 1, LANDSCAPE: 3 / 2 };

const checkBlend = compileBody<{ base64Array: string[]; dimensions?: keyof typeof dimensions }>(
  { base64Array: pictures(2), dimensions: { enum: Object.keys(dimensions) } },
  ['base64Array'],
);

async function blend(body: JsonObject, call: Call, tools: MjTools): Promise<TaskDetail> {
  const request = checkBlend(body, call);
  const photos = await Promise.all(request.base64Array.map((value) => photoOfBase64('base64Array', value, tools)));
  const read = checkPrompt('', request);
  const seed = seedFor(read, photos);
  const canvas = tileCanvas(dimensions[request.dimensions ?? 'SQUARE']);
  const drawn = fourOf(seed, (each) => drawnFrom(drawingOf(read, canvas, each), photos, 0.8));
  const words = { ...wordsOf(read, 'blend'), description: `/blend ${photos.length}` };
  return detailOf({ action: 'BLEND', ...words, seed, work: { kind: 'pictures', pictures: drawn } }, request, call);
}

const checkEdits = compileBody<{ prompt: string; image: string; maskBase64?: string }>(
  { prompt: field.prompt, image: field.picture, maskBase64: field.picture },
  ['prompt', 'image'],
);

async function edits(body: JsonObject, call: Call, tools: MjTools): Promise<TaskDetail> {
  const request = checkEdits(body, call);
  const read = checkPrompt(request.prompt, request);
  if (read.words === '') throw invalid('prompt cannot be empty');
  if (request.maskBase64 !== undefined) call.warn('maskBase64 of edits is not looked at');
  const photo = await photoOf('image', request.image, tools);
  const seed = seedFor(read, [photo]);
  const canvas = tileCanvas(read.ratio ?? photo.width / photo.height);
  const drawn = fourOf(seed, (each) => drawnFrom(drawingOf(read, canvas, each), [photo], 0.65));
  const words = wordsOf(read, 'edits');
  return detailOf({ action: 'EDITS', ...words, seed, work: { kind: 'pictures', pictures: drawn } }, request, call);
}

const checkDescribe = compileBody<{ base64?: string; link?: string }>(
  { base64: field.picture, link: field.picture },
  [],
);

async function describe(body: JsonObject, call: Call, tools: MjTools): Promise<TaskDetail> {
  const request = checkDescribe(body, call);
  const { base64, link } = request;
  if (base64 === undefined && link === undefined) throw invalid('base64 or link is required');
  const photo = await (base64 === undefined
    ? photoOf('link', link ?? '', tools)
    : photoOfBase64('base64', base64, tools));
  const texts = await captionsOf(await tools.gallery.picture(photo), photo, 0);
  const task: NewTask = {
    action: 'DESCRIBE',
    prompt: '',
    fullPrompt: numbered(texts),
    description: '/describe',
    version: request.botType === 'NIJI_JOURNEY' ? DEFAULT_NIJI : DEFAULT_VERSION,
    seed: seedOf(photo.key),
    work: { kind: 'texts', texts, of: photo },
  };
  return detailOf(task, request, call);
}

const checkShorten = compileBody<{ prompt: string }>({ prompt: field.prompt }, ['prompt']);

function shorten(body: JsonObject, call: Call): TaskDetail {
  const request = checkShorten(body, call);
  const read = checkPrompt(request.prompt, request);
  const all = drawnWords(read).split(/\s+/).filter(Boolean);
  if (all.length === 0) throw invalid('prompt cannot be empty');
  // Each text keeps fewer of the words, the longer ones first.
  const byLength = [...all].sort((one, other) => other.length - one.length);
  const texts = [0.8, 0.6, 0.4, 0.25, 0.1].map((part) => {
    const kept = byLength.slice(0, Math.max(1, Math.round(all.length * part)));
    return all.filter((word) => kept.includes(word)).join(' ');
  });
  const words = { ...wordsOf(read, 'shorten'), fullPrompt: numbered(texts) };
  const work = { kind: 'texts', texts, of: undefined } as const;
  return detailOf({ action: 'SHORTEN', ...words, seed: seedFor(read, []), work }, request, call);
}

function wordsOf(read: ReadPrompt, command: string) {
  return {
    read,
    prompt: read.text,
    fullPrompt: read.full,
    description: `/${command} ${read.full}`,
    version: read.version,
  };
}

function seedFor(read: ReadPrompt, photos: readonly Photo[]): number {
  return read.seed ?? seedOf(read.full, ...photos.map(({ key }) => key));
}
