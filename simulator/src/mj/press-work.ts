import type { VideoFileOrder } from '../media/video/video-order';
import { type Button, PAN_FACTOR } from './buttons';
import { gridOf, type Image, seedOf, tileCanvas } from './image';
import { type ReadPrompt, readPrompt } from './prompt';
import type { Action, Direction, MjTask, Press, Work } from './task';
import { longerVideos, VIDEOS_OF_A_BUTTON, videoOrders } from './videos';
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
  pan: 'PAN',
  inpaint: 'INPAINT',
  animate: 'VIDEO',
  'extend-video': 'VIDEO',
};

/** Buttons whose words may be changed in a window, when the caller works in remix mode. */
export function canRemix({ press }: Button): boolean {
  return ['vary', 'reroll', 'pan', 'zoom'].includes(press.kind);
}

/** The words that what follows on a task goes by, unless others are typed. */
export function wordsFor({ detail: { version, fullPrompt } }: MjTask): ReadPrompt {
  return readPrompt(fullPrompt, { isNiji: version.family === 'niji' });
}

/** The work of a button on the task it belongs to. The seed is another than that of the first grid, which the prompt may name. */
export function workOf(pressed: Pressed): { work: Work; seed: number } {
  const { parent, press, typed } = pressed;
  const prompt = typed ?? wordsFor(parent);
  const seed = seedOf(parent.detail.seed, JSON.stringify(press), prompt.words);
  const { work } = parent.detail;
  if (work.kind === 'images') return { work: ofImages(work.images, { ...pressed, prompt, seed }), seed };
  if (work.kind === 'videos') return { work: ofVideos(work.videos, press, seed), seed };
  throw new Error('texts have no buttons');
}

type Ready = Pressed & { prompt: ReadPrompt; seed: number };

function ofImages(images: readonly Image[], ready: Ready): Work {
  const { press, seed, prompt, mask } = ready;
  const [first] = images;
  if (!first) throw new Error('a task of images has at least one');
  const chosen = 'index' in press ? (images[press.index - 1] ?? first) : first;
  // A button draws on the image in its own size; being larger adds nothing to it.
  const base = { ...chosen, factor: 1 };
  const grid = gridOf(prompt, base, seed);

  switch (press.kind) {
    case 'upscale':
    case 'enlarge':
      return made([{ ...chosen, factor: 2 * chosen.factor }]);
    case 'reroll':
      return made(images.map((image, index) => ({ ...image, words: prompt.words, seed: seed + index })));
    case 'vary':
    case 'zoom':
      return made(grid);
    case 'pan':
      return made(gridOf(prompt, panned(base.width / base.height, press.direction), seed));
    case 'inpaint':
      return made(mask ? grid.map(({ words, seed }) => ({ ...base, painted: { words, seed, mask } })) : grid);
    case 'animate':
      return videosOf(base, ready);
    case 'extend-video':
      throw new Error('images have no button for extend-video');
  }
}

function made(images: readonly Image[]): Work {
  return { kind: 'images', images };
}

/** A view that is wider or higher than an image of that ratio. */
function panned(ratio: number, direction: Direction) {
  const isLevel = direction === 'left' || direction === 'right';
  return tileCanvas(ratio * (isLevel ? PAN_FACTOR : 1 / PAN_FACTOR));
}

function videosOf(first: Image, { prompt, seed }: Ready): Work {
  const videos = { words: prompt.words, seed, count: VIDEOS_OF_A_BUTTON, lines: 480 } as const;
  return { kind: 'videos', videos: videoOrders({ ...videos, first }) };
}

function ofVideos(videos: readonly VideoFileOrder[], press: Press, seed: number): Work {
  const video = press.kind === 'extend-video' ? videos[press.index - 1] : undefined;
  if (!video) throw new Error(`videos have no button for ${press.kind}`);
  const longer = longerVideos(video, { seed, count: VIDEOS_OF_A_BUTTON });
  if (!longer) throw invalid('the video cannot be extended any further');
  return { kind: 'videos', videos: longer };
}
