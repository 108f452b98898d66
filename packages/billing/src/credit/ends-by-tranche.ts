import type { Finish } from '../end';
import { MAX_ENTRY_TEXTS } from './book-drawn';
import type { Drawn } from './drawn';
import type { Tranche } from './tranche';

/** How a task ended that was drawn. */
export interface DrawnEnd {
  drawn: Drawn;
  end: Finish;
}

/** The texts of which nothing was sent yet, each with its end, as entries of a statement take them: of one tranche, and not too many. */
export function endsByTranche(ends: readonly DrawnEnd[]): Drawn[][] {
  const byTranche = new Map<Tranche, Drawn[]>();
  const entries: Drawn[][] = [];
  for (const { drawn, end } of ends) {
    if (drawn.state !== 'drawn') continue;
    drawn.end ??= end;
    drawn.state = 'ending';
    const last = byTranche.get(drawn.tranche);
    if (last !== undefined && last.length < MAX_ENTRY_TEXTS) last.push(drawn);
    else {
      const entry = [drawn];
      byTranche.set(drawn.tranche, entry);
      entries.push(entry);
    }
  }
  return entries;
}
