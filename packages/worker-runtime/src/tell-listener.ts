import type { OutgoingStream } from '@mediagate/streams';
import type { Concluded } from './conclude';

/** Whoever waits for a live task hears what it came to when that is written down, and not before. */
export async function tellListener(listener: OutgoingStream | undefined, concluded: Concluded): Promise<void> {
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
