import { canvasOfShortSide } from '../media/canvas';
import type { FilmOrder } from '../media/film/film-order';
import type { Photo } from './picture';

const FPS = 24;
const SECONDS = 5;
const EXTENSION_SECONDS = 4;
const MAX_SECONDS = 21;

/** As many films as a button makes at once. */
export const FILMS_OF_A_BUTTON = 4;

export interface FilmRequest {
  words: string;
  seed: number;
  count: number;
  /** Pixels of the shorter side. */
  lines: 480 | 720;
  first: Pick<Photo, 'key' | 'width' | 'height'> | undefined;
  last: Pick<Photo, 'key'> | undefined;
}

/** Films of a picture in its own shape, silent; their seeds follow each other. */
export function filmOrders({ words, seed, count, lines, first, last }: FilmRequest): FilmOrder[] {
  const film = {
    ...canvasOfShortSide(lines, first ? first.width / first.height : 1),
    fps: FPS,
    seconds: SECONDS,
    audio: false,
    prompt: words,
    watermark: false,
    firstFrame: first?.key,
    lastFrame: last?.key,
  };
  return inSeries(film, { seed, count });
}

/** A film with some seconds more; undefined when it is as long as the vendor makes them. */
export function longerFilms(film: FilmOrder, series: { seed: number; count: number }): FilmOrder[] | undefined {
  const seconds = film.seconds + EXTENSION_SECONDS;
  return seconds > MAX_SECONDS ? undefined : inSeries({ ...film, seconds }, series);
}

/** Films of one picture look alike but for the words across the foot, so these number them. */
function inSeries(film: Omit<FilmOrder, 'seed'>, { seed, count }: { seed: number; count: number }): FilmOrder[] {
  return Array.from({ length: count }, (_, index) => ({
    ...film,
    prompt: `${film.prompt} ${index + 1}/${count}`.trim(),
    seed: seed + index,
  }));
}
