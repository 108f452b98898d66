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
  describeResult: (outputs, { hasGrid, buttons, description }) => {
    const pictures = outputs.filter(({ role }) => role === 'image');
    const [grid, ...tiles] = hasGrid === true ? pictures : [undefined, ...pictures];
    const films = outputs.filter(({ role }) => role === 'video');
    return {
      ...(pictures.length > 0
        ? { images: pictures.map(linked), image_urls: tiles.flatMap((tile) => tile?.url ?? []) }
        : {}),
      ...(grid === undefined ? {} : { grid_image_url: grid.url }),
      ...(films.length > 0 ? { videos: films.map(linked) } : {}),
      ...(description === undefined ? {} : { description }),
      ...(buttons === undefined ? {} : { buttons: labelled(buttons) }),
    };
  },
};

function linked({ url, expiresAt }: StoredOutput): JsonObject {
  return { url: [url], expires_at: Math.floor(expiresAt.getTime() / 1000) };
}

/** In the record's spelling. */
function labelled(buttons: JsonObject[string]): JsonObject[] {
  if (!Array.isArray(buttons)) return [];
  return buttons.flatMap((button) => {
    const { customId, label } = button as { customId?: string; label?: string };
    return customId === undefined ? [] : [{ custom_id: customId, label: label ?? '' }];
  });
}
