import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import type { Pack } from './packed-modules';

/** Maps that are kept, of some 10 KB each: an error that comes again and again has few files in its stack. */
const MAPS_KEPT = 50;

interface Place {
  file: string;
  line: number;
  column: number;
}

/**
 * Has stacks name lines of the sources, and in a pack the file. `--enable-source-maps` does as much, but reads the map of each file when the
 * file is loaded, and keeps it. This reads one when a stack needs it.
 */
export function nameSources(used: { path: string; pack: Pack } | undefined): void {
  const maps = new Map<string, SourceMap | undefined>();

  function describe(frame: NodeJS.CallSite): string {
    const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
    if (!file?.endsWith('.js') || line === null || column === null) return String(frame);
    const place = inSources(unpacked({ file, line, column }, used), maps);
    return String(frame).replace(`${file}:${line}:${column}`, `${place.file}:${place.line}:${place.column}`);
  }

  Error.prepareStackTrace = (error, frames) => [headOf(error), ...frames.map(describe)].join('\n    at ');
}

function headOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    // A name or a message whose reading fails.
    return 'Error';
  }
}

function unpacked(place: Place, used: { path: string; pack: Pack } | undefined): Place {
  if (used === undefined || place.file !== used.path) return place;
  const { files, firstLines, root } = used.pack;
  const next = firstLines.findIndex((first) => first > place.line);
  const index = next === -1 ? files.length - 1 : next - 1;
  const [file, first] = [files[index], firstLines[index]];
  if (file === undefined || first === undefined) return place;
  return { ...place, file: join(dirname(used.path), root, file), line: place.line - first + 1 };
}

function inSources({ file, line, column }: Place, maps: Map<string, SourceMap | undefined>): Place {
  const entry = mapOf(file, maps)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalLine' in entry)) return { file, line, column };
  return {
    file: join(dirname(file), entry.originalSource),
    line: entry.originalLine + 1,
    column: entry.originalColumn + 1,
  };
}

function mapOf(file: string, maps: Map<string, SourceMap | undefined>): SourceMap | undefined {
  if (maps.has(file)) return maps.get(file);
  const [oldest] = maps.keys();
  if (maps.size >= MAPS_KEPT && oldest !== undefined) maps.delete(oldest);
  maps.set(file, readMap(file));
  return maps.get(file);
}

/** Undefined where there is none, as beside most libraries' files. */
function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
