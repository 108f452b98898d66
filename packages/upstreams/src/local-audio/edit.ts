import type { MusicRequest } from '@mediagate/contracts';

/** An edit of a sound: ffmpeg's graph from its input to `[out]`, and the length of the result. */
export interface Edit {
  graph: string;
  seconds: number;
}

/** Up to this factor, and down to its inverse, ffmpeg stretches sound and leaves no part out; larger changes take several steps. */
const TEMPO_MAX = 2;
/** Lengths of results are measured to this: a shorter sound counts as nothing. */
const SHORTEST_SECONDS = 0.001;

/**
 * The edit that an operation is, of a sound of `seconds`. Undefined: it is none, or would leave nothing.
 *
 * @throws TypeError when the operation lacks a field: a catalogue entry's bug, never a caller's mistake.
 */
export function editOf(music: MusicRequest, seconds: number): Edit | undefined {
  switch (music.operation) {
    case 'crop':
      return crop(rangeOf(music, seconds));
    case 'remove':
      return remove(rangeOf(music, seconds), seconds);
    case 'adjust_speed':
      return stretch(given(music.speed, 'speed'), seconds);
    case 'fade':
      return fade(music, seconds);
    default:
      return undefined;
  }
}

interface Range {
  from: number;
  to: number;
}

function rangeOf({ start, end }: MusicRequest, seconds: number): Range {
  return { from: Math.max(0, given(start, 'start')), to: Math.min(given(end, 'end'), seconds) };
}

function crop({ from, to }: Range): Edit | undefined {
  if (to - from < SHORTEST_SECONDS) return undefined;
  return { graph: `${SOUND}atrim=${decimal(from)}:${decimal(to)},${FROM_ZERO}[out]`, seconds: to - from };
}

function remove({ from, to }: Range, seconds: number): Edit | undefined {
  const head = { from: 0, to: from };
  const tail = { from: to, to: seconds };
  if (head.to < SHORTEST_SECONDS) return crop(tail);
  if (tail.to - tail.from < SHORTEST_SECONDS) return crop(head);
  const parts = `[a]atrim=0:${decimal(from)},${FROM_ZERO}[head];[b]atrim=start=${decimal(to)},${FROM_ZERO}[tail]`;
  const graph = `${SOUND}asplit[a][b];${parts};[head][tail]concat=n=2:v=0:a=1[out]`;
  return { graph, seconds: from + seconds - to };
}

/** `atempo` keeps the pitch. Equal steps, because their product is what is heard. */
function stretch(speed: number, seconds: number): Edit {
  const steps = Math.max(1, Math.ceil(Math.abs(Math.log2(speed)) / Math.log2(TEMPO_MAX)));
  const step = `atempo=${(speed ** (1 / steps)).toFixed(9)}`;
  return { graph: `${SOUND}${Array(steps).fill(step).join(',')}[out]`, seconds: seconds / speed };
}

function fade({ fadeIn = 0, fadeOut = 0 }: MusicRequest, seconds: number): Edit {
  const up = Math.min(fadeIn, seconds);
  const down = Math.min(fadeOut, seconds);
  const fades = [
    ...(up < SHORTEST_SECONDS ? [] : [`afade=t=in:st=0:d=${decimal(up)}`]),
    ...(down < SHORTEST_SECONDS ? [] : [`afade=t=out:st=${decimal(seconds - down)}:d=${decimal(down)}`]),
  ];
  return { graph: `${SOUND}${[...fades, FROM_ZERO].join(',')}[out]`, seconds };
}

/** The first sound of the file, whatever else is in it. */
const SOUND = '[0:a:0]';
const FROM_ZERO = 'asetpts=PTS-STARTPTS';

/** Seconds as ffmpeg reads them, to its own microsecond: JavaScript writes small numbers as `1e-7`, which it does not. */
function decimal(seconds: number): string {
  return seconds.toFixed(6);
}

function given(figure: number | undefined, name: string): number {
  if (figure === undefined) throw new TypeError(`not a music request: ${name} is missing`);
  return figure;
}
