import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDice } from '../dice';
import type { ImageShelf } from '../image-shelf';
import type { Ffmpeg } from './ffmpeg';
import { drawFrame } from './frame';
import type { VideoFileOrder } from './video-order';

/** Tools, and an empty folder for what is written on the way. */
export interface Workshop {
  ffmpeg: Ffmpeg;
  shelf: ImageShelf;
  folder: string;
}

/**
 * Makes an MP4 and returns its path. One second is encoded, then copied as often as the length asks for: the time does
 * not grow with the length, and a loop of whole seconds has exactly the length ordered. A bar runs along the upper edge
 * once a second, in a colour of the seed, and starts outside, so the first frame is the image itself.
 */
export async function makeVideo(order: VideoFileOrder, workshop: Workshop): Promise<string> {
  const unit = await makeUnit(order, workshop);
  const video = join(workshop.folder, 'video.mp4');
  const sound = order.audio ? ['-f', 'lavfi', '-i', tone(order)] : [];
  const tracks = order.audio ? ['-map', '0:v:0', '-map', '1:a:0', '-c:a', 'aac', '-b:a', '96k'] : ['-map', '0:v:0'];
  await workshop.ffmpeg([
    '-stream_loop',
    String(order.seconds - 1),
    '-i',
    unit,
    ...sound,
    ...tracks,
    '-c:v',
    'copy',
    '-t',
    String(order.seconds),
    '-movflags',
    '+faststart',
    video,
  ]);
  return video;
}

async function makeUnit(order: VideoFileOrder, { ffmpeg, shelf, folder }: Workshop): Promise<string> {
  const frames: string[] = [];
  for (const key of order.lastFrame === undefined ? [order.firstFrame] : [order.firstFrame, order.lastFrame]) {
    const path = join(folder, `frame-${frames.length}.png`);
    await writeFile(path, await drawFrame(order, key === undefined ? undefined : shelf.find(key)));
    frames.push(path);
  }
  const unit = join(folder, 'unit.mp4');
  const rate = String(order.fps);
  await ffmpeg([
    ...frames.flatMap((path) => ['-loop', '1', '-framerate', rate, '-i', path]),
    '-filter_complex',
    filters(order, frames.length),
    '-map',
    '[out]',
    '-t',
    '1',
    '-r',
    rate,
    // Keyframes only at the seam, and no frame that refers over it.
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '26',
    '-g',
    rate,
    '-bf',
    '0',
    '-pix_fmt',
    'yuv420p',
    unit,
  ]);
  return unit;
}

/** The first image, into which the last one is faded where there is one, under the running bar. */
function filters({ width, height, fps, prompt, seed }: VideoFileOrder, frames: number): string {
  const colour = Math.floor(createDice(prompt, seed, 'bar').between(0, 2 ** 24));
  const bar = { width: Math.max(4, Math.round(width / 16)), height: Math.max(4, Math.round(height / 60)) };
  const scene =
    frames === 1
      ? '[0:v]null[scene]'
      : '[1:v]format=yuva420p,fade=t=in:st=0.1:d=0.8:alpha=1[last];[0:v][last]overlay[scene]';
  return [
    scene,
    `color=c=0x${colour.toString(16).padStart(6, '0')}:s=${bar.width}x${bar.height}:r=${fps}[bar]`,
    `[scene][bar]overlay=x='-w+(W+w)*mod(t,1)':y=0:shortest=1,format=yuv420p[out]`,
  ].join(';');
}

const SAMPLE_RATE = 48_000;
/** An AAC track is a frame longer than its sound; it must not be what makes the video longer than ordered. */
const SILENT_END_SECONDS = 0.05;

function tone({ prompt, seed, seconds }: VideoFileOrder): string {
  const frequency = Math.round(createDice(prompt, seed, 'tone').between(180, 520));
  return `sine=frequency=${frequency}:beep_factor=4:sample_rate=${SAMPLE_RATE}:duration=${seconds - SILENT_END_SECONDS}`;
}
