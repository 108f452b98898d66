import type { Finish } from '../end';
import { MAX_ENTRY_TEXTS } from './book-drawn';
import type { Drawn } from './drawn';
import type { Tranche } from './tranche';

/** How a task ended that was drawn. */
export interface DrawnEnd {
  drawn: Drawn;
  end: Finish;
}

/** Texts of which nothing was sent yet, as entries of a statement take them: of one tranche, and not too many. */
export function endsByTranche<End extends DrawnEnd>(ends: readonly End[]): End[][] {
  const last = new Map<Tranche, End[]>();
  const entries: End[][] = [];
  for (const end of ends) {
    const { tranche } = end.drawn;
    const entry = last.get(tranche);
    if (entry !== undefined && entry.length < MAX_ENTRY_TEXTS) entry.push(end);
    else {
      const begun = [end];
      last.set(tranche, begun);
      entries.push(begun);
    }
  }
  return entries;
}
