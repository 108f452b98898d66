import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { findProgram } from './find-program';

/**
 * The path of ffmpeg for development and tests: what FFMPEG_PATH names, else the one that npm brought. Never one that
 * happens to be on PATH, so that what works here works on a machine that has none.
 *
 * @throws Error naming what to do when it is not there, or cannot be run.
 */
export function ffmpegProgram(): string {
  const given = process.env['FFMPEG_PATH'];
  if (given) return requireGiven(given);
  const platform = `${process.platform}-${process.arch}`;
  const brought = findBrought(platform);
  if (brought !== undefined) return brought;
  throw new Error(
    `ffmpeg, which makes, cuts and converts media, is not among the packages of ${platform}: remove node_modules and start again, or set FFMPEG_PATH to the path of yours.`,
  );
}

function requireGiven(path: string): string {
  if (isAbsolute(path) && findProgram([path]) !== undefined) return path;
  throw new Error(
    `FFMPEG_PATH is ${path}, which is not the absolute path of a program: set it to that of ffmpeg, or leave it out for the one that npm brings.`,
  );
}

function findBrought(platform: string): string | undefined {
  try {
    // The package's own look-up throws while it is imported, and knows nothing of FFMPEG_PATH.
    const fromPackage = createRequire(require.resolve('@ffmpeg-installer/ffmpeg/package.json'));
    return findProgram([fromPackage.resolve(`@ffmpeg-installer/${platform}/ffmpeg`)]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
