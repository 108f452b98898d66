import type { FilmOrder } from '../media/film/film-order';
import type { Button } from './buttons';
import { captionsOf } from './captions';
import { drawingOf, fourOf, tileCanvas } from './drawings';
import { FILMS_OF_A_BUTTON, filmOrders, longerFilms } from './films';
import { type Picture, seedOf, unenlarged } from './picture';
import type { Press } from './press';
import { drawnWords, type ReadPrompt, readPrompt } from './prompt';
import type { Action, MjTask, Work } from './task';
import type { MjTools } from './tools';
import { type Drawn, drawnAnew, panned, repainted, varied, zoomed } from './views';
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
  const { press, seed, prompt, typed, strength } = ready;
  const [first] = pictures;
  if (!first) throw new Error('a task of pictures has at least one');
  const chosen = 'index' in press ? (pictures[press.index - 1] ?? first) : first;
  // What is drawn on is the picture in its own size; being larger adds nothing to it.
  const base = unenlarged(chosen);
  const drawn = (each: number): Drawn => ({ prompt, seed: each, isReworded: typed !== undefined });
  const grid = (make: (drawn: Drawn) => Picture): Work => made(fourOf(seed, (each) => make(drawn(each))));

  switch (press.kind) {
    case 'upscale':
      return made([{ kind: 'enlarged', of: chosen, factor: 2, touch: 'plain' }]);
    case 'enlarge':
      return made([{ kind: 'enlarged', of: chosen, factor: press.factor, touch: press.touch }]);
    case 'vary':
      return grid((each) => varied(base, strength ?? press.strength, each));
    case 'reroll':
      return made(pictures.map((picture, index) => drawnAnew(picture, drawn(seed + index))));
    case 'zoom':
      return grid((each) => zoomed(base, { ratio: press.ratio }, each));
    case 'custom-zoom': {
      const canvas = prompt.ratio === undefined ? undefined : tileCanvas(prompt.ratio);
      return grid((each) => zoomed(base, { ratio: prompt.zoom ?? DEFAULT_ZOOM, canvas }, each));
    }
    case 'pan':
      return grid((each) => panned(base, press.direction, each));
    case 'inpaint':
      return grid((each) => repainted(base, ready.mask, each));
    case 'animate':
      return filmsOf(base, ready, tools);
    case 'extend-film':
    case 'imagine-text':
    case 'imagine-all':
    case 'describe-again':
      throw new Error(`pictures have no button for ${press.kind}`);
  }
}

const DEFAULT_ZOOM = 2;

function made(pictures: readonly Picture[]): Work {
  return { kind: 'pictures', pictures };
}

async function filmsOf(picture: Picture, { prompt, seed }: Ready, { shelf, gallery }: MjTools): Promise<Work> {
  const first = await shelf.put(await gallery.picture(picture));
  const films = { words: drawnWords(prompt), seed, count: FILMS_OF_A_BUTTON, lines: 480 } as const;
  return { kind: 'films', films: filmOrders({ ...films, first, last: undefined }) };
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
