import { linesWithoutDirectives, withoutDirectives } from '../faults/directive';
import { type AskedMusic, askedMusic, trackSeconds } from '../music/asked-music';
import type { Call } from '../vendor-call/contract';
import type { Model, SunoapiRequest } from './fields';
import { invalid, tooLong } from './wire';

interface Limits {
  prompt: number;
  style: number;
  title: number;
}

/** Characters in custom mode. */
const limits: Record<Model, Limits> = {
  V4: { prompt: 3_000, style: 200, title: 80 },
  V4_5: { prompt: 5_000, style: 1_000, title: 100 },
  V4_5PLUS: { prompt: 5_000, style: 1_000, title: 100 },
  V4_5ALL: { prompt: 5_000, style: 1_000, title: 80 },
  V5: { prompt: 5_000, style: 1_000, title: 100 },
  V5_5: { prompt: 5_000, style: 1_000, title: 100 },
};
const MAX_DESCRIPTION_CHARS = 500;

/** Checks the rules of the two modes and reads what kind of track is wanted; throws the vendor's refusal. */
export function readMusicRequest(
  request: SunoapiRequest,
  { custom, call }: { custom: boolean; call: Call },
): AskedMusic {
  if (custom) checkCustom(request);
  else checkDescription(request, call);
  const { prompt = '', instrumental = false } = request;
  const about = withoutDirectives(prompt);
  const tags = withoutDirectives(custom ? (request.style ?? '') : '');
  const title = withoutDirectives(custom ? (request.title ?? '') : '');
  // The newest model alone heeds a length, and only in custom mode.
  const heeded = custom && request.model === 'V5_5' ? request.duration : undefined;
  const seconds = trackSeconds(call, heeded);
  const voice = instrumental ? undefined : (request.vocalGender ?? 'anybody');
  const lyrics = custom ? linesWithoutDirectives(prompt) : undefined;
  return askedMusic({ about, title, tags, lyrics, custom, voice, seconds });
}

function checkCustom({ prompt = '', style = '', title = '', instrumental, model = 'V5' }: SunoapiRequest): void {
  if (!style.trim()) throw invalid('style is required in custom mode');
  if (!title.trim()) throw invalid('title is required in custom mode');
  if (instrumental !== true && !prompt.trim()) throw invalid('prompt is required in custom mode with vocals');
  const allowed = limits[model];
  if (prompt.length > allowed.prompt) throw tooLong('prompt');
  if (style.length > allowed.style) throw tooLong('style');
  if (title.length > allowed.title) throw tooLong('title');
}

function checkDescription({ prompt = '', style, title }: SunoapiRequest, { warn }: Call): void {
  if (!prompt.trim()) throw invalid('prompt is required');
  if (prompt.length > MAX_DESCRIPTION_CHARS) throw tooLong('prompt');
  if (style !== undefined || title !== undefined) warn('style and title are ignored without custom mode');
}
