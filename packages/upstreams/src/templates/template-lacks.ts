import { type Json, type Message, message } from '@mediagate/contracts';
import type { Lack } from '../contract';
import { lack } from '../lacks';
import { INPUT_LACKS } from '../video-ability';

/** The lack of a template that has no word for a part of the request. */
export function unsaidLack(part: string, pointer: string, value: Json): Lack {
  if (pointer.startsWith('/particulars/')) return lack(message('takes_no_tags'), part);
  if (pointer.startsWith('/inputs/') && Object.hasOwn(INPUT_LACKS, part)) {
    return lack(message(INPUT_LACKS[part as keyof typeof INPUT_LACKS]), part);
  }
  if (pointer.startsWith('/files/mask/')) return lack(message('takes_no_masks'), part);
  return lack(PART_LACKS[part]?.(value) ?? message('takes_no_such_field', { name: nameOf(part) }), part);
}

const PART_LACKS: Readonly<Record<string, (value: Json) => Message>> = {
  audioFormat: (value) => message('takes_no_result_format', { name: String(value) }),
  // Callers know the field by other names.
  soundType: (value) => message('takes_no_such_field', { name: String(value) }),
  operation: (value) => message('takes_no_operation', { name: String(value) }),
  resolution: (value) => message('takes_no_resolution', { resolution: String(value) }),
  aspectRatio: (value) => message('takes_no_shape', { ratio: String(value) }),
  seconds: (value) =>
    typeof value === 'number' ? message('takes_no_length', { seconds: value }) : message('takes_no_own_length'),
  negativePrompt: () => message('takes_no_negative_prompts'),
  seed: () => message('takes_no_seeds'),
  watermark: () => message('takes_no_watermarks'),
  rewritePrompt: () => message('takes_no_choice_of_rewriting'),
  rewriteFast: () => message('takes_no_fast_rewriting'),
  audio: (value) => message(value === true ? 'takes_no_sound_track' : 'takes_no_silent_videos'),
  subjects: () => message('takes_no_subjects'),
  elements: () => message('takes_no_elements'),
  shots: () => message('takes_no_shots'),
};

/** Callers' names are in small letters with underscores. */
function nameOf(part: string): string {
  return part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
