import type { VideoFileOrder } from '../media/video/video-order';
import type { Button } from './buttons';
import { captionsOf } from './captions';
import { drawingOf, fourOf, tileCanvas } from './drawings';
import { type Image, seedOf, unenlarged } from './image';
import type { Press } from './press';
import { drawnWords, type ReadPrompt, readPrompt } from './prompt';
import type { Action, MjTask, Work } from './task';
import type { MjTools } from './tools';
import { longerVideos, VIDEOS_OF_A_BUTTON, videoOrders } from './videos';
import { type Drawn, drawnAnew, drawnOver, panned, repainted } from './views';
import { invalid } from './wire';

export interface Pressed {
  parent: MjTask;
  press: Press;
  /** The prompt typed into the window; undefined when there was none. */
  typed: ReadPrompt | undefined;
  /** PNG of one channel and of the image's size; white is to be painted over. */
  mask?: Buffer | undefined;
}

export const actionOf: Record<Press['kind'], Action> = {
  upscale: 'UPSCALE',
  vary: 'VARIATION',
  reroll: 'REROLL',
  enlarge: 'ACTION',
  zoom: 'ACTION',
  'custom-zoom': 'ACTION',
  pan: 'PAN',
  inpaint: 'INPAINT',
  animate: 'VIDEO',
  'extend-video': 'VIDEO',
  'imagine-text': 'ACTION',
  'imagine-all': 'ACTION',
  'describe-again': 'DESCRIBE',
};

/** Buttons that open a window, in which something is typed or marked before the work begins. */
export function opensWindow({ press }: Button): boolean {
  return press.kind === 'custom-zoom' || press.kind === 'inpaint' || press.kind === 'imagine-text';
}

/** Buttons whose words may be changed in a window, when the caller works in remix mode. */
export function canRemix({ press }: Button): boolean {
  return ['vary', 'reroll', 'pan', 'zoom'].includes(press.kind);
}

/** The words that such a task goes by, unless others are typed. */
export function wordsFor(parent: MjTask, press: Press): ReadPrompt {
  const { work, version, fullPrompt } = parent.detail;
  const ofText = press.kind === 'imagine-text' && work.kind === 'texts' ? work.texts[press.index - 1] : undefined;
  const text = ofText ?? (work.kind === 'texts' ? '' : fullPrompt);
  return readPrompt(text, { isNiji: version.family === 'niji' });
}

/** The work of a button on the task it belongs to. */
export async function workOf(pressed: Pressed, tools: MjTools): Promise<{ work: Work; seed: number }> {
  const { parent, press, typed } = pressed;
  const prompt = typed ?? wordsFor(parent, press);
  const derived = seedOf(parent.detail.seed, JSON.stringify(press), drawnWords(prompt));
  // The seed that a prompt names is that of the first grid: what follows on it is to differ from it.
  const seed = press.kind === 'imagine-text' ? (prompt.seed ?? derived) : derived;
  const { work } = parent.detail;
  switch (work.kind) {
    case 'images':
      return { work: await ofImages(work.images, { ...pressed, prompt, seed }, tools), seed };
    case 'texts':
      return { work: await ofTexts(work, { ...pressed, prompt, seed }, tools), seed };
    case 'videos':
      return { work: ofVideos(work.videos, { ...pressed, prompt, seed }), seed };
  }
}

type Ready = Pressed & { prompt: ReadPrompt; seed: number };

async function ofImages(images: readonly Image[], ready: Ready, tools: MjTools): Promise<Work> {
  const { press, seed, prompt, typed } = ready;
  const [first] = images;
  if (!first) throw new Error('a task of images has at least one');
  const chosen = 'index' in press ? (images[press.index - 1] ?? first) : first;
  // A button draws on the image in its own size; being larger adds nothing to it.
  const base = unenlarged(chosen);
  const drawn = (each: number): Drawn => ({ prompt, seed: each, isReworded: typed !== undefined });
  const grid = (make: (drawn: Drawn) => Image): Work => made(fourOf(seed, (each) => make(drawn(each))));

  switch (press.kind) {
    case 'upscale':
      return made([{ kind: 'enlarged', of: chosen, factor: 2 }]);
    case 'enlarge':
      return made([{ kind: 'enlarged', of: chosen, factor: press.factor }]);
    case 'vary':
      return grid((each) => drawnOver(base, each));
    case 'reroll':
      return made(images.map((image, index) => drawnAnew(image, drawn(seed + index))));
    case 'zoom':
      return grid((each) => drawnOver(base, each));
    case 'custom-zoom': {
      const canvas = prompt.ratio === undefined ? undefined : tileCanvas(prompt.ratio);
      return grid((each) => drawnOver(base, each, canvas));
    }
    case 'pan':
      return grid((each) => panned(base, press.direction, each));
    case 'inpaint':
      return grid((each) => repainted(base, ready.mask, each));
    case 'animate':
      return videosOf(base, ready, tools);
    case 'extend-video':
    case 'imagine-text':
    case 'imagine-all':
    case 'describe-again':
      throw new Error(`images have no button for ${press.kind}`);
  }
}

function made(images: readonly Image[]): Work {
  return { kind: 'images', images };
}

async function videosOf(image: Image, { prompt, seed }: Ready, { shelf, gallery }: MjTools): Promise<Work> {
  const first = await shelf.put(await gallery.image(image));
  const videos = { words: drawnWords(prompt), seed, count: VIDEOS_OF_A_BUTTON, lines: 480 } as const;
  return { kind: 'videos', videos: videoOrders({ ...videos, first, last: undefined }) };
}

async function ofTexts(
  { texts, of }: Extract<Work, { kind: 'texts' }>,
  { press, prompt, seed }: Ready,
  { gallery }: MjTools,
): Promise<Work> {
  if (press.kind === 'describe-again' && of) {
    return { kind: 'texts', of, texts: await captionsOf(await gallery.image(of), of, 1) };
  }
  const read = (text: string) => readPrompt(text, { isNiji: prompt.version.family === 'niji' });
  const prompts = press.kind === 'imagine-all' ? texts.map(read) : fourOf(0, () => prompt);
  const canvas = tileCanvas(prompts[0]?.ratio);
  return { kind: 'images', images: prompts.map((each, index) => drawingOf(each, canvas, seed + index)) };
}

function ofVideos(videos: readonly VideoFileOrder[], { press, seed }: Ready): Work {
  const video = press.kind === 'extend-video' ? videos[press.index - 1] : undefined;
  if (!video) throw new Error(`videos have no button for ${press.kind}`);
  const longer = longerVideos(video, { seed, count: VIDEOS_OF_A_BUTTON });
  if (!longer) throw invalid('the video cannot be extended any further');
  return { kind: 'videos', videos: longer };
}
