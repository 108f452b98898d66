import type { JsonObject } from '@mediagate/contracts';
import { type FamilyProfile, type StoredOutput, workerService } from '@mediagate/worker-runtime';

/** The image tool accepts at once and works for a minute; a repaint may wait half an hour for its mask. */
export const imgtoolProfile: FamilyProfile = {
  family: 'imgtool',
  concurrency: 256,
  // Fetching, checking and storing the images of a job that has just ended.
  drainSeconds: 180,
  checks: { fromMs: 2000, toMs: 5000 },
  resultRoles: ['image', 'video'],
  describeResult: (outputs, { hasGrid, buttons, description, finalPrompt }) => {
    const images = outputs.filter(({ role }) => role === 'image');
    const grid = hasGrid === true ? images.find((image) => tileOf(image) === undefined) : undefined;
    const singles = hasGrid === true ? inOrder(images) : images.map(({ url }) => url);
    const videos = outputs.filter(({ role }) => role === 'video');
    return {
      ...(images.length > 0 ? { images: numbered(images), image_urls: singles } : {}),
      ...(grid === undefined ? {} : { grid_image_url: grid.url }),
      ...(videos.length > 0 ? { videos: videos.map(describeVideo) } : {}),
      ...(description === undefined ? {} : { description }),
      ...(finalPrompt === undefined ? {} : { final_prompt: finalPrompt }),
      ...(buttons === undefined ? {} : { buttons: labelled(buttons) }),
    };
  },
};

export const service = workerService(imgtoolProfile);

const TILES = [1, 2, 3, 4];

/** Links of a grid's four images: callers choose them by position, so a lost one leaves its position empty. */
function inOrder(images: readonly StoredOutput[]): string[] {
  const urls = TILES.map((tile) => images.find((image) => tileOf(image) === tile)?.url ?? '');
  return urls.every((url) => url === '') ? [] : urls;
}

/** Images that callers choose by number carry it, and come before their grid, which has none. */
function numbered(images: readonly StoredOutput[]): JsonObject[] {
  const tiles = images.filter((image) => tileOf(image) !== undefined);
  const others = images.filter((image) => tileOf(image) === undefined);
  return [...tiles.map((tile) => ({ ...linked(tile), index: tileOf(tile) ?? null })), ...others.map(linked)];
}

/** From 1; undefined: it is the grid itself, or a single image. */
function tileOf({ facts }: StoredOutput): JsonObject[string] | undefined {
  return facts?.['tile'];
}

function linked({ url, expiresAt }: Pick<StoredOutput, 'url' | 'expiresAt'>): JsonObject {
  return { url: [url], expires_at: Math.floor(expiresAt.getTime() / 1000) };
}

function describeVideo({ seconds, width, height, coverUrl, ...file }: StoredOutput): JsonObject {
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
