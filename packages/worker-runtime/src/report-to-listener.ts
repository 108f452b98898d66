import type { OutgoingSpeech } from '@mediagate/speech';
import type { Concluded } from './conclude/concluded';

/** Reports the end of a synchronous task to its listener, only after it was written to the database. */
export function reportToListener(listener: OutgoingSpeech | undefined, { kind }: Concluded): void {
  if (kind === 'lost') listener?.breakOff();
  else listener?.end(kind === 'completed' ? 'settled' : kind);
}
