import { linesWithoutDirectives, withoutDirectives } from '../faults/directive';
import type { Recording } from '../media/audio/recording';
import { type AskedMusic, askedMusic, trackSeconds } from '../music/asked-music';
import type { Call } from '../vendor-call/contract';
import type { SunoRequest } from './fields';
import { invalid } from './wire';

/** Checks the rules of the two modes and reads what kind of track is wanted; throws the vendor's refusal. */
export function readMusicRequest(request: SunoRequest, call: Call): AskedMusic {
  checkMode(request);
  const { custom = true, instrumental = false } = request;
  const about = withoutDirectives((custom ? request.prompt : request.gpt_description_prompt) ?? '');
  const tags = withoutDirectives(request.tags ?? '');
  const title = withoutDirectives(request.title ?? '');
  const lyrics = custom && request.auto_lyrics !== true ? linesWithoutDirectives(request.prompt ?? '') : undefined;
  const seconds = trackSeconds(call, custom ? request.duration : undefined);
  const voice = instrumental ? undefined : (request.vocal_gender ?? 'anybody');
  return askedMusic({ about, title, tags, lyrics, custom, voice, seconds });
}

function checkMode({ custom = true, instrumental = false, auto_lyrics: auto = false, ...request }: SunoRequest): void {
  if (!custom && !request.gpt_description_prompt?.trim()) {
    throw invalid('gpt_description_prompt is required when custom is false');
  }
  if (custom && !instrumental && !auto && !request.prompt?.trim()) {
    throw invalid('prompt is required when custom is true and instrumental is false');
  }
}

/** Lengths in answers are rounded to a hundredth of a second. */
const ROUNDING_SECONDS = 0.01;

/** Both bounds, in order and within the recording; throws the vendor's refusal. */
export function checkStretch(
  { start, end }: { start: number | undefined; end: number | undefined },
  recording: Recording,
): { start: number; end: number } {
  if (start === undefined || end === undefined) throw invalid('start and end time are required');
  if (end <= start) throw invalid('the end time must be greater than the start time');
  const { seconds } = recording;
  if (end > seconds + ROUNDING_SECONDS) throw invalid('the end time is beyond the end of the song');
  return { start, end: Math.min(end, seconds) };
}
