import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpegProgram } from '@mediagate/testkit/servers';

export interface WatchedVideo {
  width: number;
  height: number;
  seconds: number;
  hasAudio: boolean;
}

/** Decodes every frame and sample of a file with ffmpeg, which is nobody's part here. Throws when anything cannot be. */
export function watchVideo(bytes: Buffer): WatchedVideo {
  const folder = mkdtempSync(join(tmpdir(), 'mediagate-watch-'));
  try {
    const file = join(folder, 'video');
    writeFileSync(file, bytes);
    const args = ['-hide_banner', '-nostdin', '-xerror', '-i', file, '-f', 'null', '-'];
    const { status, stderr } = spawnSync(ffmpegProgram(), args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`ffmpeg cannot play it: ${stderr.slice(-500)}`);
    const [, hours = 0, minutes = 0, seconds = 0] = /Duration: (\d+):(\d+):([\d.]+)/.exec(stderr) ?? [];
    const [, width, height] = /Video: h264.*? (\d{2,5})x(\d{2,5})/.exec(stderr) ?? [];
    return {
      width: Number(width),
      height: Number(height),
      hasAudio: /Audio: aac/.test(stderr),
      seconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
