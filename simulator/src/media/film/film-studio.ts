import type { Content } from '../../assets/content';
import { createFileCache } from '../file-cache';
import type { PictureShelf } from '../picture-shelf';
import { createFfmpeg } from './ffmpeg';
import { type FilmOrder, filmKey } from './film-order';
import { makeFilm } from './make-film';

export interface FilmStudio {
  /** The film, made now unless it is there already. Throws when ffmpeg cannot be run. */
  film(order: FilmOrder): Promise<Content>;
  /** Kills what runs and removes every film. */
  close(): Promise<void>;
}

const MAX_FILMS = 400;
const MAX_BYTES = 512 * 1024 * 1024;

/** Films in a temporary folder of its own; the least recently wanted go when the bounds are reached. */
export function createFilmStudio({
  ffmpegPath,
  shelf,
  parentFolder,
}: {
  ffmpegPath: string;
  shelf: PictureShelf;
  parentFolder?: string;
}): FilmStudio {
  const closing = new AbortController();
  const ffmpeg = createFfmpeg(ffmpegPath, closing.signal);
  const films = createFileCache({ maxFiles: MAX_FILMS, maxBytes: MAX_BYTES, ...(parentFolder && { parentFolder }) });

  return {
    film: (order) =>
      films.file(`${filmKey(order)}.mp4`, 'video/mp4', (folder) => makeFilm(order, { ffmpeg, shelf, folder })),
    async close() {
      closing.abort();
      await films.close();
    },
  };
}
