import type { OutgoingStream } from '@mediagate/streams';
import type { Concluded } from './conclude/concluded';

/** Reports the end of a synchronous task to its listener, only after it was written to the database. */
export async function reportToListener(listener: OutgoingStream | undefined, concluded: Concluded): Promise<void> {
  switch (concluded.kind) {
    case 'completed':
      return listener?.settled();
    case 'failed': {
      const { kind: _, ...failure } = concluded;
      return listener?.failed(failure);
    }
    case 'goes_on':
      return listener?.released();
    case 'lost':
      return listener?.lost();
    default:
      return concluded satisfies never;
  }
}
