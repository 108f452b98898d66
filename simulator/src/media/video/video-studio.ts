import type { Content } from '../../assets/content';
import { createFileCache } from '../file-cache';
import type { ImageShelf } from '../image-shelf';
import { createFfmpeg } from './ffmpeg';
import { makeVideo } from './make-video';
import { type VideoFileOrder, videoKey } from './video-order';

export interface VideoStudio {
  /** The video, made now unless it is there already. Throws when ffmpeg cannot be run. */
  video(order: VideoFileOrder): Promise<Content>;
  /** Kills what runs and removes every video. */
  close(): Promise<void>;
}

const MAX_VIDEOS = 400;
const MAX_BYTES = 512 * 1024 * 1024;

/** Videos in a temporary folder of its own; the least recently wanted go when the bounds are reached. */
export function createVideoStudio({
  ffmpegPath,
  shelf,
  parentFolder,
}: {
  ffmpegPath: string;
  shelf: ImageShelf;
  parentFolder?: string;
}): VideoStudio {
  const closing = new AbortController();
  const ffmpeg = createFfmpeg(ffmpegPath, closing.signal);
  const videos = createFileCache({ maxFiles: MAX_VIDEOS, maxBytes: MAX_BYTES, ...(parentFolder && { parentFolder }) });

  return {
    video: (order) =>
      videos.file(`${videoKey(order)}.mp4`, 'video/mp4', (folder) => makeVideo(order, { ffmpeg, shelf, folder })),
    async close() {
      closing.abort();
      await videos.close();
    },
  };
}
