import { linesWithoutDirectives, withoutDirectives } from '../faults/directive';
import { type AskedMusic, askedMusic } from '../music/asked-music';
import { trackSeconds } from '../music/track-length';
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
