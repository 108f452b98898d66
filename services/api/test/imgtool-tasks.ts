import type { JsonObject, Nano } from '@mediagate/contracts';
import type { TestApi } from './test-api';

const button = (custom_id: string) => ({ custom_id, label: custom_id.split('::')[2] ?? '' });

export const TILES = [1, 2, 3, 4].map((index) => `https://media.example/${index}.png`);

/** The result that a worker stores for a grid of four images. */
export const GRID: JsonObject = {
  images: [{ url: ['https://media.example/grid.png'], expires_at: 4_000_000_000 }],
  grid_image_url: 'https://media.example/grid.png',
  image_urls: TILES,
  buttons: [
    ...[1, 2, 3, 4].flatMap((index) => [`MJ::JOB::upsample::${index}::h`, `MJ::JOB::variation::${index}::h`]),
    'MJ::JOB::reroll::0::h::SOLO',
  ].map(button),
};

/** The result that a worker stores for one image that was chosen from a grid. */
export const SINGLE: JsonObject = {
  images: [{ url: ['https://media.example/one.png'], expires_at: 4_000_000_000 }],
  image_urls: ['https://media.example/one.png'],
  buttons: [
    'MJ::JOB::high_variation::1::h::SOLO',
    'MJ::JOB::low_variation::1::h::SOLO',
    'MJ::Inpaint::1::h::SOLO',
    'MJ::Outpaint::50::1::h::SOLO',
    'MJ::Outpaint::75::1::h::SOLO',
    'MJ::JOB::pan_left::1::h::SOLO',
    'MJ::JOB::animate_low::1::h::SOLO',
    'MJ::CustomZoom::h',
  ].map(button),
};

const IMGTOOL_CHANNEL = { channelId: 'imgtool', protocol: 'midjourney-proxy' };

/** An upstream took the task. */
export async function acceptUpstream({ database }: TestApi, taskId: string, at = IMGTOOL_CHANNEL): Promise<void> {
  await database.taskAttempt.create({
    data: {
      id: `attempt_${taskId}`,
      taskId,
      number: 1,
      ...at,
      state: 'accepted',
      externalId: taskId,
    },
  });
  await database.task.update({ where: { id: taskId }, data: { status: 'pending', attemptState: 'accepted' } });
}

/** An upstream took the task and made this of it. */
export async function finishImgtool(
  api: TestApi,
  taskId: string,
  result: JsonObject,
  { costNano = 1n, at }: { costNano?: Nano; at?: typeof IMGTOOL_CHANNEL } = {},
): Promise<void> {
  await acceptUpstream(api, taskId, at);
  await api.end(taskId, { kind: 'completed', costNano, result });
}
