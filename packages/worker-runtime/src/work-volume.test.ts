import { tmpdir } from 'node:os';
import { workVolumeOf } from './work-volume';

const volumeOf = (WORK_FOLDER_MB: number, maxVideoMb: number) =>
  workVolumeOf({ WORK_FOLDER: tmpdir(), WORK_FOLDER_MB }, { maxVideoMb });

it('a worker whose work folder may never hold the largest video does not start, and names both settings', async () => {
  const start = volumeOf(2048, 4096);
  await expect(start).rejects.toMatchObject({ name: 'ConfigError' });
  await expect(start).rejects.toThrow('WORK_FOLDER_MB is 2048, and media.max_video_mb of 4096 needs 5120');
});

it.each([
  ['the largest video', 5120, 4096, 4096],
  ['the default', 2048, 512, 512],
  ['the largest sound, where videos are small', 2048, 64, 128],
])('the work folder has room for %s', async (_what, folderMb, videoMb, largestMb) => {
  const volume = await volumeOf(folderMb, videoMb);
  expect(volume.largestBytes).toBe(largestMb * 1024 * 1024);
});
