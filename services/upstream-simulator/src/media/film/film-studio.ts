import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Content, contentOfFile } from '../../assets/content';
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
  parentFolder = tmpdir(),
}: {
  ffmpegPath: string;
  shelf: PictureShelf;
  parentFolder?: string;
}): FilmStudio {
  const closing = new AbortController();
  const ffmpeg = createFfmpeg(ffmpegPath, closing.signal);
  const films = new Map<string, Promise<Content>>();
  const lengths = new Map<string, number>();
  let home: Promise<string> | undefined;

  const drop = async (key: string) => {
    films.delete(key);
    lengths.delete(key);
    await rm(join(await openHome(), `${key}.mp4`), { force: true });
  };
  const totalBytes = () => [...lengths.values()].reduce((sum, length) => sum + length, 0);
  const openHome = () => {
    home ??= mkdtemp(join(parentFolder, 'upstream-simulator-'));
    return home;
  };

  const make = async (key: string, order: FilmOrder): Promise<Content> => {
    const folder = await mkdtemp(join(await openHome(), 'work-'));
    try {
      const path = join(await openHome(), `${key}.mp4`);
      await rename(await makeFilm(order, { ffmpeg, shelf, folder }), path);
      const content = await contentOfFile(path, 'video/mp4');
      lengths.set(key, content.lengthBytes);
      for (const oldest of [...lengths.keys()]) {
        if (oldest === key || (lengths.size <= MAX_FILMS && totalBytes() <= MAX_BYTES)) break;
        await drop(oldest);
      }
      return content;
    } catch (error) {
      films.delete(key);
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  return {
    film(order) {
      const key = filmKey(order);
      const film = films.get(key) ?? make(key, order);
      films.set(key, film);
      touch(lengths, key);
      return film;
    },
    async close() {
      closing.abort();
      await Promise.allSettled(films.values());
      if (home) await rm(await home, { recursive: true, force: true });
    },
  };
}

/** Moves an entry to the end: the order of a Map is that of insertion. */
function touch(lengths: Map<string, number>, key: string): void {
  const length = lengths.get(key);
  if (length === undefined) return;
  lengths.delete(key);
  lengths.set(key, length);
}
