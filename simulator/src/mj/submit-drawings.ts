import { type Call, type JsonObject, Refusal } from '../vendor-call/contract';
import { checkPrompt, compileBody, field } from './body';
import { detailOf, type NewTask } from './booking';
import { gridOf, tileCanvas } from './drawings';
import { freshSubmit, seedFor, wordsOf } from './fresh-submit';
import type { Photo } from './image';
import { photoOf, photoOfBase64 } from './images-in';
import type { ReadPrompt } from './prompt';
import type { TaskDetail } from './task';
import type { MjTools } from './tools';
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
  const linked = await linkedPhotos(read, tools);
  const photos = [...given, ...linked.photos];
  const seed = seedFor(read, photos);
  const canvas = tileCanvas(read.ratio);
  const words = wordsOf(read, 'imagine');
  const task: NewTask = {
    action: 'IMAGINE',
    ...words,
    seed,
    work: { kind: 'images', images: gridOf(read, canvas, seed) },
  };
  return detailOf({ ...task, fault: read.fault ?? linked.fault }, request, call);
}

/** Images that the prompt begins with. One that cannot be had makes the work fail, not the submit. */
async function linkedPhotos(
  { links }: ReadPrompt,
  tools: MjTools,
): Promise<{ photos: Photo[]; fault: string | undefined }> {
  const photos: Photo[] = [];
  for (const link of links.slice(0, MAX_PROMPT_IMAGES)) {
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

const checkBlend = compileBody({ base64Array: images(2), dimensions: { enum: ['PORTRAIT', 'SQUARE', 'LANDSCAPE'] } }, [
  'base64Array',
]);

async function blend(body: JsonObject, call: Call, tools: MjTools): Promise<TaskDetail> {
  const request = checkBlend(body, call);
  const photos = await Promise.all(request.base64Array.map((value) => photoOfBase64('base64Array', value, tools)));
  const read = checkPrompt('', request);
  const seed = seedFor(read, photos);
  const canvas = tileCanvas(dimensions[request.dimensions ?? 'SQUARE']);
  const words = { ...wordsOf(read, 'blend'), description: `/blend ${photos.length}` };
  return detailOf(
    { action: 'BLEND', ...words, seed, work: { kind: 'images', images: gridOf(read, canvas, seed) } },
    request,
    call,
  );
}

const checkEdits = compileBody({ prompt: field.prompt, image: field.image }, ['prompt', 'image']);

async function edits(body: JsonObject, call: Call, tools: MjTools): Promise<TaskDetail> {
  const request = checkEdits(body, call);
  const read = checkPrompt(request.prompt, request);
  if (read.words === '') throw invalid('prompt cannot be empty');
  const photo = await photoOf('image', request.image, tools);
  const seed = seedFor(read, [photo]);
  const canvas = tileCanvas(read.ratio ?? photo.width / photo.height);
  const words = wordsOf(read, 'edits');
  return detailOf(
    { action: 'EDITS', ...words, seed, work: { kind: 'images', images: gridOf(read, canvas, seed) } },
    request,
    call,
  );
}
