import { linesWithoutDirectives, withoutDirectives } from '../faults/directive';
import type { Recording } from '../media/audio/recording';
import { trackSeconds } from '../music/track-length';
import { writeLyrics } from '../music/write-lyrics';
import { writeMusic } from '../music/write-music';
import type { Call } from '../vendor-call/contract';
import type { SunoRequest } from './fields';
import { invalid } from './wire';

/** A track as asked for in custom mode, or by a description. */
export interface AskedMusic {
  title: string;
  tags: string;
  lyrics: string;
  /** One of the two tracks that the vendor makes of every request. */
  music(variation: number): Recording;
}

/** Checks the rules of the two modes and reads what kind of track is wanted; throws the vendor's refusal. */
export function readMusicRequest(request: SunoRequest, call: Call): AskedMusic {
  checkMode(request);
  const { custom = true, instrumental = false } = request;
  const about = withoutDirectives((custom ? request.prompt : request.gpt_description_prompt) ?? '');
  const tags = withoutDirectives(request.tags ?? '');
  const titled = withoutDirectives(request.title ?? '');
  const motif = about || titled || tags || 'untitled';
  const written = writeLyrics(motif, { style: 'classic', variation: 1 });
  const own = custom && request.auto_lyrics !== true ? linesWithoutDirectives(request.prompt ?? '') : undefined;
  const seconds = trackSeconds(call, custom ? request.duration : undefined);
  const voice = instrumental ? undefined : (request.vocal_gender ?? 'anybody');
  return {
    title: titled || written.title,
    tags: tags || (custom ? '' : written.tags.join(', ')),
    lyrics: instrumental ? '' : (own ?? written.text),
    music: (variation) => writeMusic({ motif, style: `${tags} ${about}`, voice, seconds, variation }),
  };
}

function checkMode({ custom = true, instrumental = false, auto_lyrics: auto = false, ...request }: SunoRequest): void {
  if (!custom && !request.gpt_description_prompt?.trim()) {
    throw invalid('gpt_description_prompt is required when custom is false');
  }
  if (custom && !instrumental && !auto && !request.prompt?.trim()) {
    throw invalid('prompt is required when custom is true and instrumental is false');
  }
}
