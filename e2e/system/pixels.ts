import { execFileSync } from 'node:child_process';
import { ffmpegProgram } from '@mediagate/testkit/servers';

export interface Pixels {
  width: number;
  height: number;
  /** Three bytes a pixel, in rows from the top left. */
  rgb: Buffer;
}

/** A rectangle of an image; the right and the lower edge belong to it no more. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** The pixels of a PNG, decoded by ffmpeg. Throws when it cannot be decoded. */
export function pixelsOf(png: Buffer): Pixels {
  const args = ['-v', 'error', '-i', 'pipe:0', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
  const rgb = execFileSync(ffmpegProgram(), args, { input: png, maxBuffer: MAX_BYTES });
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), rgb };
}

/** The pixels inside the box. */
export function partOf({ width, rgb }: Pixels, { left, top, right, bottom }: Box): Pixels {
  const rows = Array.from({ length: bottom - top }, (_, row) => {
    const at = (top + row) * width;
    return rgb.subarray(3 * (at + left), 3 * (at + right));
  });
  return { width: right - left, height: bottom - top, rgb: Buffer.concat(rows) };
}

/** A black PNG with a white box. */
export function maskOf({ width, height }: { width: number; height: number }, box: Box): Buffer {
  const size = `w=${box.right - box.left}:h=${box.bottom - box.top}`;
  const drawing = `color=black:s=${width}x${height},format=rgb24,drawbox=x=${box.left}:y=${box.top}:${size}:color=white:t=fill`;
  const args = ['-v', 'error', '-f', 'lavfi', '-i', drawing, '-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe', '-'];
  return execFileSync(ffmpegProgram(), args, { maxBuffer: MAX_BYTES });
}

/** Compares two images of one size: which share of the pixels differs inside a box, and which around it. */
export function changed(one: Pixels, other: Pixels, box: Box): { inside: number; outside: number } {
  const counts = { inside: { all: 0, changed: 0 }, outside: { all: 0, changed: 0 } };
  for (let pixel = 0; pixel < one.width * one.height; pixel += 1) {
    const [x, y] = [pixel % one.width, Math.floor(pixel / one.width)];
    const isInside = x >= box.left && x < box.right && y >= box.top && y < box.bottom;
    const count = isInside ? counts.inside : counts.outside;
    count.all += 1;
    const at = (image: Pixels) => image.rgb.subarray(3 * pixel, 3 * pixel + 3);
    if (at(one).compare(at(other)) !== 0) count.changed += 1;
  }
  const share = (count: { all: number; changed: number }) => count.changed / count.all;
  return { inside: share(counts.inside), outside: share(counts.outside) };
}
