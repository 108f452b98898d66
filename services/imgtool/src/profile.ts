import type { JsonObject } from '@mediagate/contracts';
import type { FamilyProfile, StoredOutput } from '@mediagate/worker-runtime';

/** The image tool accepts at once and works for a minute; a repaint may wait half an hour for its mask. */
export const imgtoolProfile: FamilyProfile = {
  family: 'imgtool',
  needsFfmpeg: true,
  concurrency: 256,
  // Fetching, checking and storing the pictures of a job that has just ended.
  drainSeconds: 180,
  checks: { fromMs: 2000, toMs: 5000 },
  describeResult: (outputs, { hasGrid, buttons, description, finalPrompt }) => {
    const pictures = outputs.filter(({ role }) => role === 'image');
    const grid = hasGrid === true ? pictures.find((picture) => tileOf(picture) === undefined) : undefined;
    const singles = hasGrid === true ? inPlaces(pictures) : pictures.map(({ url }) => url);
    const films = outputs.filter(({ role }) => role === 'video');
    return {
      ...(pictures.length > 0 ? { images: numbered(pictures), image_urls: singles } : {}),
      ...(grid === undefined ? {} : { grid_image_url: grid.url }),
      ...(films.length > 0 ? { videos: films.map(film) } : {}),
      ...(description === undefined ? {} : { description }),
      ...(finalPrompt === undefined ? {} : { final_prompt: finalPrompt }),
      ...(buttons === undefined ? {} : { buttons: labelled(buttons) }),
    };
  },
};

const TILES = [1, 2, 3, 4];

/** Links of a grid's four pictures: callers choose them by their places, so one that was lost leaves its place empty. */
function inPlaces(pictures: readonly StoredOutput[]): string[] {
  const urls = TILES.map((tile) => pictures.find((picture) => tileOf(picture) === tile)?.url ?? '');
  return urls.every((url) => url === '') ? [] : urls;
}

/** Pictures that are chosen by number say theirs, and come before the grid that they are of, which has none. */
function numbered(pictures: readonly StoredOutput[]): JsonObject[] {
  const tiles = pictures.filter((picture) => tileOf(picture) !== undefined);
  const others = pictures.filter((picture) => tileOf(picture) === undefined);
  return [...tiles.map((tile) => ({ ...linked(tile), index: tileOf(tile) ?? null })), ...others.map(linked)];
}

/** From 1; undefined: none of four, but the grid itself or a picture alone. */
function tileOf({ facts }: StoredOutput): JsonObject[string] | undefined {
  return facts?.['tile'];
}

function linked({ url, expiresAt }: Pick<StoredOutput, 'url' | 'expiresAt'>): JsonObject {
  return { url: [url], expires_at: Math.floor(expiresAt.getTime() / 1000) };
}

function film({ seconds, width, height, coverUrl, ...file }: StoredOutput): JsonObject {
  return {
    ...linked(file),
    ...(seconds === undefined ? {} : { duration: seconds }),
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...(coverUrl === undefined ? {} : { cover_url: coverUrl }),
  };
}

/** In the record's spelling. */
function labelled(buttons: JsonObject[string]): JsonObject[] {
  if (!Array.isArray(buttons)) return [];
  return buttons.flatMap((button) => {
    const { customId, label } = button as { customId?: string; label?: string };
    return customId === undefined ? [] : [{ custom_id: customId, label: label ?? '' }];
  });
}
