import { join } from 'node:path';
import type { Content } from '../../assets/content';
import { createDice } from '../dice';
import { createFileCache } from '../file-cache';
import { createFfmpeg, type Ffmpeg } from './ffmpeg';
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
  parentFolder,
}: {
  ffmpegPath: string;
  parentFolder?: string;
}): VideoStudio {
  const closing = new AbortController();
  const ffmpeg = createFfmpeg(ffmpegPath, closing.signal);
  const videos = createFileCache({ maxFiles: MAX_VIDEOS, maxBytes: MAX_BYTES, ...(parentFolder && { parentFolder }) });

  return {
    video: (order) => videos.file(`${videoKey(order)}.mp4`, 'video/mp4', (folder) => makeVideo(order, ffmpeg, folder)),
    async close() {
      closing.abort();
      await videos.close();
    },
  };
}

/**
 * Makes an MP4 and returns its path. One second is encoded, then copied as often as the length asks for: the time does
 * not grow with the length, and a loop of whole seconds has exactly the length ordered.
 */
async function makeVideo(order: VideoFileOrder, ffmpeg: Ffmpeg, folder: string): Promise<string> {
  const [second, video] = [join(folder, 'second.mp4'), join(folder, 'video.mp4')];
  await ffmpeg([...imagesOf(order), ...ENCODING, '-g', String(order.fps), second]);
  const sound = order.audio ? ['-f', 'lavfi', '-i', toneOf(order)] : [];
  const tracks = order.audio ? ['-map', '0:v:0', '-map', '1:a:0', '-c:a', 'aac', '-b:a', '96k'] : ['-map', '0:v:0'];
  const seconds = String(order.seconds);
  const copied = ['-stream_loop', String(order.seconds - 1), '-i', second, ...sound, ...tracks, '-c:v', 'copy'];
  await ffmpeg([...copied, '-t', seconds, '-movflags', '+faststart', video]);
  return video;
}

/** With `-g`: keyframes only at the seam, and no frame that refers over it. */
const ENCODING = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '26', '-bf', '0', '-pix_fmt', 'yuv420p'];

/** A bar runs along the upper edge of a plain ground once a second, both in colours of the prompt and the seed. */
function imagesOf({ width, height, fps, prompt, seed }: VideoFileOrder): string[] {
  const dice = createDice(prompt, seed);
  const colour = () =>
    `0x${Math.floor(dice.between(0, 2 ** 24))
      .toString(16)
      .padStart(6, '0')}`;
  const bar = `${Math.max(4, Math.round(width / 16))}x${Math.max(4, Math.round(height / 60))}`;
  const graph = [
    `color=c=${colour()}:s=${width}x${height}:r=${fps}:d=1[ground]`,
    `color=c=${colour()}:s=${bar}:r=${fps}[bar]`,
    `[ground][bar]overlay=x='-w+(W+w)*mod(t,1)':y=0:shortest=1[out]`,
  ];
  return ['-filter_complex', graph.join(';'), '-map', '[out]'];
}

const SAMPLE_RATE = 48_000;
/** An AAC track is a frame longer than its sound; it must not be what makes the video longer than ordered. */
const SILENT_END_SECONDS = 0.05;

function toneOf({ prompt, seed, seconds }: VideoFileOrder): string {
  const frequency = Math.round(createDice(prompt, seed, 'tone').between(180, 520));
  return `sine=frequency=${frequency}:beep_factor=4:sample_rate=${SAMPLE_RATE}:duration=${seconds - SILENT_END_SECONDS}`;
}
