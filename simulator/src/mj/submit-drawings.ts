import { type Call, type JsonObject, Refusal } from '../vendor-call/contract';
import { checkPrompt, compileBody, field, photoOf, photoOfBase64 } from './body';
import { detailOf, freshSubmit, type NewTask, wordsOf } from './booking';
import { gridOf, tileCanvas } from './image';
import type { ReadPrompt } from './prompt';
import type { MjTools, TaskDetail, Work } from './task';
import { invalid } from './wire';

/** The submits that draw something new. */
export function createDrawingSubmits(tools: MjTools) {
  return {
    imagine: freshSubmit((body, call) => imagine(body, call, tools), tools),
    blend: freshSubmit((body, call) => blend(body, call, tools), tools),
    edits: freshSubmit((body, call) => edits(body, call, tools), tools),
  };
}

const MAX_PROMPT_IMAGES = 5;

const images = (least: number) => ({ type: 'array', minItems: least, maxItems: 5, items: field.image }) as const;

const checkImagine = compileBody({ prompt: field.prompt, base64Array: images(0) }, ['prompt']);

async function imagine(body: JsonObject, call: Call, tools: MjTools): Promise<TaskDetail> {
  const request = checkImagine(body, call);
  const read = checkPrompt(request.prompt, request);
  const given = await Promise.all(
    (request.base64Array ?? []).map((value) => photoOfBase64('base64Array', value, tools)),
  );
  if (read.words === '' && given.length + read.links.length === 0) throw invalid('prompt cannot be empty');
  const words = wordsOf(read, 'imagine');
  const task: NewTask = { action: 'IMAGINE', ...words, work: drawn(read, read.ratio, words.seed) };
  return detailOf({ ...task, fault: read.fault ?? (await faultOfLinks(read, tools)) }, request, call);
}

function drawn(read: ReadPrompt, ratio: number | undefined, seed: number): Work {
  return { kind: 'images', images: gridOf(read, tileCanvas(ratio), seed) };
}

/** Fetches the images that the prompt begins with. One that cannot be had makes the work fail, not the submit. */
async function faultOfLinks({ links }: ReadPrompt, tools: MjTools): Promise<string | undefined> {
  try {
    for (const link of links.slice(0, MAX_PROMPT_IMAGES)) await photoOf('prompt', link, tools);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return '[Invalid link] Could not fetch image. Received no data from the link';
  }
}

const dimensions = { PORTRAIT: 2 / 3, SQUARE: 1, LANDSCAPE: 3 / 2 };

const checkBlend = compileBody({ base64Array: images(2), dimensions: { enum: ['PORTRAIT', 'SQUARE', 'LANDSCAPE'] } }, [
  'base64Array',
]);

async function blend(body: JsonObject, call: Call, tools: MjTools): Promise<TaskDetail> {
  const request = checkBlend(body, call);
  const photos = await Promise.all(request.base64Array.map((value) => photoOfBase64('base64Array', value, tools)));
  const read = checkPrompt('', request);
  const words = { ...wordsOf(read, 'blend'), description: `/blend ${photos.length}` };
  const work = drawn(read, dimensions[request.dimensions ?? 'SQUARE'], words.seed);
  return detailOf({ action: 'BLEND', ...words, work }, request, call);
}

const checkEdits = compileBody({ prompt: field.prompt, image: field.image }, ['prompt', 'image']);

async function edits(body: JsonObject, call: Call, tools: MjTools): Promise<TaskDetail> {
  const request = checkEdits(body, call);
  const read = checkPrompt(request.prompt, request);
  if (read.words === '') throw invalid('prompt cannot be empty');
  const photo = await photoOf('image', request.image, tools);
  const words = wordsOf(read, 'edits');
  const work = drawn(read, read.ratio ?? photo.width / photo.height, words.seed);
  return detailOf({ action: 'EDITS', ...words, work }, request, call);
}
