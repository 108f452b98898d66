import { path } from '@ffmpeg-installer/ffmpeg';

/** The ffmpeg that a checkout brings along for development and tests; `FFMPEG_PATH` names another. */
export function ffmpegProgram(): string {
  return process.env['FFMPEG_PATH'] ?? path;
}
