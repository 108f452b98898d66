import { tmpdir } from 'node:os';
import { freeBytesOfVolume } from './open-media';

const volumeOf = (WORK_FOLDER_MB: number, maxVideoMb: number, marks: 'off' | 'metadata' = 'off') =>
  freeBytesOfVolume({ WORK_FOLDER: tmpdir(), WORK_FOLDER_MB }, { maxVideoMb, marks });

it('a worker whose work folder may never hold the largest video does not start, and names both settings', async () => {
  const start = volumeOf(2048, 4096);
  await expect(start).rejects.toMatchObject({ name: 'ConfigError' });
  await expect(start).rejects.toThrow('WORK_FOLDER_MB is 2048, and media.max_video_mb of 4096 needs 5120');
});

it.each([
  ['the largest video', 5120, 4096],
  ['the default', 1024, 512],
  ['the largest sound, where videos are small', 256, 64],
])('a worker starts where its work folder has just room for %s', async (_what, folderMb, videoMb) => {
  expect(await volumeOf(folderMb, videoMb)).toBeGreaterThan(0);
  await expect(volumeOf(folderMb - 1, videoMb)).rejects.toThrow(`needs ${folderMb}`);
});

it('where results are marked, the largest video needs room for its copy, too', async () => {
  expect(await volumeOf(9216, 4096, 'metadata')).toBeGreaterThan(0);
  await expect(volumeOf(9215, 4096, 'metadata')).rejects.toThrow(
    'WORK_FOLDER_MB is 9215, and media.max_video_mb of 4096 with media.marks needs 9216',
  );
});
