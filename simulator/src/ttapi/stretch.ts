import type { Recording } from '../media/audio/recording';
import { invalid } from './wire';

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
