/** The names that ffmpeg has for the containers that a result may come in. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['mp4', 'mov'],
  ['mov', 'mov'],
  ['m4a', 'mov'],
  ['webm', 'matroska'],
  ['mp3', 'mp3'],
  ['wav', 'wav'],
  ['ogg', 'ogg'],
  ['flac', 'flac'],
]);

/**
 * How a file is handed to ffmpeg: as what its bytes are known to be, and as a file. Left to guess, it can take one for a
 * playlist, and fetch what that names.
 */
export function inputArguments({ path, extension }: { path: string; extension: string }): string[] {
  const format = FORMATS.get(extension);
  const forced = format === undefined ? [] : ['-f', format];
  return ['-protocol_whitelist', 'file,pipe', ...forced, '-i', path];
}
