import type { FilmOrder } from '../media/film/film-order';
import { type Button, PAN_FACTOR } from './buttons';
import { captionsOf } from './captions';
import { drawingOf, fourOf, lookOf, tileCanvas } from './drawings';
import { FILMS_OF_A_BUTTON, filmOrders, longerFilms } from './films';
import { type Blended, type Extended, type Picture, redrawn, seedOf, sizeOf, unenlarged } from './picture';
import type { Direction, Press } from './press';
import { drawnWords, type ReadPrompt, readPrompt } from './prompt';
import type { Action, MjTask, Work } from './task';
import type { MjTools } from './tools';
import { invalid } from './wire';

export interface Pressed {
  parent: MjTask;
  press: Press;
  /** What was typed into the window; undefined when there was none. */
  typed: ReadPrompt | undefined;
  /** PNG of one channel and of the picture's size; white is to be painted over. */
  mask?: Buffer | undefined;
  /** How far a remix goes from the picture; undefined for the variation that the button names. */
  strength?: 'strong' | 'subtle' | undefined;
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
  'extend-film': 'VIDEO',
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

/** What a button makes of the task it belongs to. */
export async function workOf(pressed: Pressed, tools: MjTools): Promise<{ work: Work; seed: number }> {
  const { parent, press, typed } = pressed;
  const prompt = typed ?? wordsFor(parent, press);
  const derived = seedOf(parent.detail.seed, JSON.stringify(press), drawnWords(prompt));
  // The seed that a prompt names is that of the first grid: what follows on it is to differ from it.
  const seed = press.kind === 'imagine-text' ? (prompt.seed ?? derived) : derived;
  const { work } = parent.detail;
  switch (work.kind) {
    case 'pictures':
      return { work: await ofPictures(work.pictures, { ...pressed, prompt, seed }, tools), seed };
    case 'texts':
      return { work: await ofTexts(work, { ...pressed, prompt, seed }, tools), seed };
    case 'films':
      return { work: ofFilms(work.films, { ...pressed, prompt, seed }), seed };
  }
}

type Ready = Pressed & { prompt: ReadPrompt; seed: number };

async function ofPictures(pictures: readonly Picture[], ready: Ready, tools: MjTools): Promise<Work> {
  const { press, seed, prompt } = ready;
  const [first] = pictures;
  if (!first) throw new Error('a task of pictures has at least one');
  const chosen = 'index' in press ? (pictures[press.index - 1] ?? first) : first;
  const grid = (make: (seed: number) => Picture): Work => ({ kind: 'pictures', pictures: fourOf(seed, make) });
  const changes = (each: number) => ({ seed: each, ...(ready.typed && drawn(prompt)) });

  switch (press.kind) {
    case 'upscale':
      return single({ kind: 'enlarged', of: chosen, factor: 2, touch: 'plain' });
    case 'enlarge':
      return single({ kind: 'enlarged', of: chosen, factor: press.factor, touch: press.touch });
    case 'vary':
      return grid((each) => varied(unenlarged(chosen), ready, each));
    case 'reroll':
      return {
        kind: 'pictures',
        pictures: pictures.map((picture, index) => redrawn(picture, changes(seed + index))),
      };
    case 'zoom':
      return grid((each) => zoomed(unenlarged(chosen), { ...ready, seed: each, ratio: press.ratio }));
    case 'custom-zoom':
      return grid((each) => zoomed(unenlarged(chosen), { ...ready, seed: each, ratio: prompt.zoom ?? DEFAULT_ZOOM }));
    case 'pan':
      return grid((each) => panned(unenlarged(chosen), { ...ready, seed: each, direction: press.direction }));
    case 'inpaint':
      return grid((each) => repainted(unenlarged(chosen), { ...ready, seed: each }));
    case 'animate': {
      const frame = await tools.shelf.put(await tools.gallery.picture(unenlarged(chosen)));
      const films = { words: drawnWords(prompt), seed, count: FILMS_OF_A_BUTTON, lines: 480 } as const;
      return { kind: 'films', films: filmOrders({ ...films, first: frame, last: undefined }) };
    }
    case 'extend-film':
    case 'imagine-text':
    case 'imagine-all':
    case 'describe-again':
      throw new Error(`pictures have no button for ${press.kind}`);
  }
}

const DEFAULT_ZOOM = 2;
/** A window for painting that is confirmed without a mask extends the picture instead. */
const UNMASKED_ZOOM = 1.5;
/** How much of the new drawing is seen in a subtle variation. */
const SUBTLE_SHARE = 0.25;

function single(picture: Picture): Work {
  return { kind: 'pictures', pictures: [picture] };
}

function drawn(prompt: ReadPrompt) {
  return { words: drawnWords(prompt), look: lookOf(prompt) };
}

function varied(picture: Picture, { press, prompt, typed, strength }: Ready, seed: number): Picture {
  const wanted = strength ?? (press.kind === 'vary' ? press.strength : 'strong');
  if (wanted === 'strong' && picture.kind !== 'photo') return redrawn(picture, { seed, ...(typed && drawn(prompt)) });
  const over = drawingOf(prompt, sizeOf(picture), seed);
  return { kind: 'blended', of: picture, with: over, share: SUBTLE_SHARE } satisfies Blended;
}

function zoomed(picture: Picture, { prompt, typed, seed, ratio }: Ready & { ratio: number }): Extended {
  const { width, height } = sizeOf(picture);
  const canvas = typed?.ratio === undefined ? { width, height } : tileCanvas(typed.ratio);
  const scale = Math.min(canvas.width / width, canvas.height / height) / ratio;
  const inset = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const left = Math.floor((canvas.width - inset.width) / 2);
  const top = Math.floor((canvas.height - inset.height) / 2);
  return {
    kind: 'extended',
    of: picture,
    inset: { ...inset, left, top },
    surroundings: drawingOf(prompt, canvas, seed),
  };
}

/** The picture moves to the edge that the view moves away from. */
function panned(picture: Picture, { prompt, seed, direction }: Ready & { direction: Direction }): Extended {
  const { width, height } = sizeOf(picture);
  const isLevel = direction === 'left' || direction === 'right';
  const canvas = tileCanvas((width / height) * (isLevel ? PAN_FACTOR : 1 / PAN_FACTOR));
  const inset = {
    width: isLevel ? Math.round(canvas.width / PAN_FACTOR) : canvas.width,
    height: isLevel ? canvas.height : Math.round(canvas.height / PAN_FACTOR),
    left: 0,
    top: 0,
  };
  if (direction === 'left') inset.left = canvas.width - inset.width;
  if (direction === 'up') inset.top = canvas.height - inset.height;
  return { kind: 'extended', of: picture, inset, surroundings: drawingOf(prompt, canvas, seed) };
}

function repainted(picture: Picture, ready: Ready): Picture {
  if (!ready.mask) return zoomed(picture, { ...ready, ratio: UNMASKED_ZOOM });
  return {
    kind: 'repainted',
    of: picture,
    mask: ready.mask,
    paint: drawingOf(ready.prompt, sizeOf(picture), ready.seed),
  };
}

async function ofTexts(
  { texts, of }: Extract<Work, { kind: 'texts' }>,
  { press, prompt, seed }: Ready,
  { gallery }: MjTools,
): Promise<Work> {
  if (press.kind === 'describe-again' && of) {
    return { kind: 'texts', of, texts: await captionsOf(await gallery.picture(of), of, 1) };
  }
  const read = (text: string) => readPrompt(text, { isNiji: prompt.version.family === 'niji' });
  const prompts = press.kind === 'imagine-all' ? texts.map(read) : fourOf(0, () => prompt);
  const canvas = tileCanvas(prompts[0]?.ratio);
  return { kind: 'pictures', pictures: prompts.map((each, index) => drawingOf(each, canvas, seed + index)) };
}

function ofFilms(films: readonly FilmOrder[], { press, seed }: Ready): Work {
  const film = press.kind === 'extend-film' ? films[press.index - 1] : undefined;
  if (!film) throw new Error(`films have no button for ${press.kind}`);
  const longer = longerFilms(film, { seed, count: FILMS_OF_A_BUTTON });
  if (!longer) throw invalid('the video cannot be extended any further');
  return { kind: 'films', films: longer };
}
